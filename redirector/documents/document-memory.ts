/**
 * Documents in memory: a few thousand of them rather than a million, in a cache of bounded bytes. What is held for nearly as
 * long as it may be is compared with the truth when it is asked for.
 */
import { LRUCache } from 'lru-cache';
import { serializeDocument, type Versioned } from '#schemas/documents.ts';
import { type AbsenceOptions, createAbsences } from '../held/absences.ts';
import { createFreshness, type FreshnessOptions, never, type Trust } from '../held/freshness.ts';
import type { Memory } from '../held/memory.ts';
import { createRevalidationPauses } from '../held/revalidation-pauses.ts';
import type { Revalidation } from '../held/store.ts';

export interface DocumentMemoryOptions extends FreshnessOptions, AbsenceOptions {
  /** Of the heap, by documents, as estimated. */
  bytesMax: number;
  /**
   * Of the heap and of buffers, for each character of a document and for what is made of it.
   * Default: {@link bytesPerChar}.
   */
  bytesPerChar?(document: Versioned & { kind?: string }): number;
  /** Whether the truth may have other contents for the same version. */
  takesEqual?: boolean;
}

export interface DocumentMemory<Body extends Versioned> extends Memory<Body> {
  /** Whether no change of what is held, or of its absence, can have been missed but in the last `freshMs`. */
  isCurrent(id: string): boolean;
  /** There is a later version: what is held is not served again, even if no source answers. */
  drop(id: string): void;
  readonly bytes: number;
}

interface Held<Body> {
  document: Body;
  /** The last moment at which a source had it. */
  confirmedAtMs: number;
}

/** A parsed document takes about three times its text, and what is made of it for answers as much again. */
const bytesPerChar = 6;
const bytesPerDocument = 512;

const bytesOf =
  (perChar: (document: Versioned) => number = () => bytesPerChar) =>
  ({ document }: Held<Versioned>): number =>
    bytesPerDocument + perChar(document) * serializeDocument(document).length;

/** Whether a document is served. If it ages, it is revalidated meanwhile. */
const servingRule =
  (
    pauses: ReturnType<typeof createRevalidationPauses>,
    { revalidate, truthIsAway }: Revalidation,
    now: () => number,
  ) =>
  (id: string, trust: Trust): boolean => {
    if (trust === 'fresh' || pauses.has(id, now())) return true;
    if (trust === 'due' && !truthIsAway()) return false;
    revalidate(id);
    return true;
  };

export const createDocumentMemory = <Body extends Versioned>(
  options: DocumentMemoryOptions,
  revalidation: Revalidation,
  now: () => number,
): DocumentMemory<Body> => {
  const table = new LRUCache<string, Held<Body>>({
    maxSize: options.bytesMax,
    sizeCalculation: bytesOf(options.bytesPerChar),
  });
  const freshness = createFreshness(options);
  const absences = createAbsences(options);
  const pauses = createRevalidationPauses();
  const isServed = servingRule(pauses, revalidation, now);
  const statistics = { hits: 0, misses: 0 };
  let news = 0;

  const replace = (held: Held<Body>, document: Body): void => {
    if (serializeDocument(held.document) === serializeDocument(document)) return;
    news++;
    // A new value, so that its size is counted again.
    table.set(document.id, { ...held, document });
  };

  /** For the snapshot, too: what it has of it is outdated. */
  const remove = (id: string): void => {
    if (table.delete(id)) news++;
  };

  const hold = (document: Body, confirmedAtMs: number): Body => {
    const held = table.peek(document.id);
    if (held && held.document.version >= document.version) {
      held.confirmedAtMs = Math.max(held.confirmedAtMs, confirmedAtMs);
      if (options.takesEqual && held.document.version === document.version) replace(held, document);
      return table.peek(document.id)?.document ?? document;
    }
    absences.forget(document.id);
    news++;
    table.set(document.id, { document, confirmedAtMs });
    return document;
  };

  return {
    held(id) {
      const held = table.get(id);
      if (!held && absences.has(id, now())) return null;
      if (!held || !isServed(id, freshness.trustIn(held.confirmedAtMs, now())))
        return void statistics.misses++;
      statistics.hits++;
      return held.document;
    },
    peek: (id) => table.peek(id)?.document,
    hold,
    holdAbsence(id) {
      remove(id);
      absences.hold(id, now());
    },
    forgetAbsence: absences.forget,
    pauseRevalidation: (id) => pauses.begin(id, now()),
    invalidate(id) {
      const held = table.peek(id);
      if (held) held.confirmedAtMs = never;
      absences.forget(id);
    },
    invalidateAll() {
      freshness.invalidate(now());
      absences.forgetAll();
      pauses.endAll();
    },
    // What is held is compared with the truth: Redis may have the same.
    needsTruth: (id) => table.peek(id) !== undefined,
    drop(id) {
      remove(id);
      absences.forget(id);
    },
    isCurrent(id) {
      const confirmedAtMs = table.peek(id)?.confirmedAtMs ?? absences.since(id);
      return confirmedAtMs !== undefined && freshness.isCurrent(confirmedAtMs, now());
    },
    restore(documents) {
      for (const document of documents.toReversed()) if (!table.peek(document.id)) hold(document, never);
    },
    *hot(max) {
      for (const { document } of table.values().take(max)) yield document;
    },
    follow: freshness.follow,
    unfollow: freshness.unfollow,
    statistics,
    get news() {
      return news;
    },
    get size() {
      return table.size;
    },
    get bytes() {
      return table.calculatedSize;
    },
  };
};
