/**
 * From an id to its document: memory, then Redis, then the control plane. As codes are held (redirector/codes/resolver.ts), but for a
 * few thousands rather than a million: in a cache of bounded bytes, without a sweep. What is held for nearly as long as it may be is
 * compared with the truth when it is asked for.
 */
import { LRUCache } from 'lru-cache';
import { timelineOf } from '#schemas/code-record.ts';
import { type DocumentKind, parseDocument, serializeDocument, type Versioned } from '#schemas/documents.ts';
import type { Logger } from '#shared/logger.ts';
import { type AbsenceOptions, createAbsences } from '../codes/absences.ts';
import type { DocumentHandlers } from '../codes/change-stream.ts';
import { createFlights, type Flights } from '../codes/flights.ts';
import { createFreshness, type FreshnessOptions, never } from '../codes/freshness.ts';
import { createGraces } from '../codes/graces.ts';
import { createLookup, type LookupOutcomes, type LookupStatistics } from '../codes/lookup.ts';
import type { RecordSource } from '../codes/record-sources.ts';
import { UnresolvedError } from '../codes/resolver.ts';
import { createTimeline, type Timeline } from '../codes/timeline.ts';

export interface DocumentStoreOptions extends FreshnessOptions, AbsenceOptions {
  /** Of the heap, by documents, as estimated. */
  bytesMax: number;
  /** Ids that may wait for a source at once; beyond it a load fails at once. */
  loadingMax: number;
}

/** Documents of one kind, for those who read them. */
export interface Documents<Body extends Versioned> {
  /** The document, null if it is known to be absent, undefined if it must be loaded. */
  held(id: string): Body | null | undefined;
  /**
   * The document, or null if there is none. Waits for a source, at most as long as Redis and the control plane may take together.
   * @throws {UnresolvedError} when no source could say and none is held
   */
  load(id: string): Promise<Body | null>;
  /** Whether no change of what is held, or of its absence, can have been missed but in the last `freshMs`. */
  isCurrent(id: string): boolean;
}

export interface DocumentStatistics extends LookupStatistics {
  hits: number;
  misses: number;
}

export interface DocumentStore<Body extends Versioned> extends Documents<Body>, DocumentHandlers {
  /** Holds documents of an earlier process: each is revalidated before it is served, if a source answers. */
  restore(documents: readonly Body[]): void;
  /** Whether one is held, however long ago a source had it. */
  holds(id: string): boolean;
  /** The documents for a snapshot, the most recently used first. */
  hot(max: number): Iterable<Body>;
  /** How many documents and versions have come. */
  readonly news: number;
  readonly size: number;
  readonly bytes: number;
  readonly statistics: DocumentStatistics;
}

interface Held<Body> {
  document: Body;
  /** The last moment at which a source had it. */
  confirmedAtMs: number;
}

/** A parsed document takes about three times its text, and what is made of it for answers as much again. */
const bytesPerChar = 6;
const bytesPerDocument = 512;

const bytesOf = ({ document }: Held<Versioned>): number =>
  bytesPerDocument + bytesPerChar * serializeDocument(document).length;

function* firstOf<Value>(values: Iterable<Value>, max: number): Generator<Value> {
  let left = max;
  for (const value of values) {
    if (left-- <= 0) return;
    yield value;
  }
}

/** The documents in memory; one is only ever replaced by one that is not older. */
const createTable = <Body extends Versioned>(bytesMax: number) => {
  const table = new LRUCache<string, Held<Body>>({ maxSize: bytesMax, sizeCalculation: bytesOf });
  let news = 0;
  return {
    get: (id: string) => table.get(id),
    peek: (id: string) => table.peek(id),
    remove: (id: string) => void table.delete(id),
    /** @returns the newer one of the held and the given */
    hold(document: Body, confirmedAtMs: number): Body {
      const held = table.peek(document.id);
      if (held && held.document.version >= document.version) {
        held.confirmedAtMs = Math.max(held.confirmedAtMs, confirmedAtMs);
        return held.document;
      }
      news++;
      table.set(document.id, { document, confirmedAtMs });
      return document;
    },
    *documents(): Generator<Body> {
      for (const { document } of table.values()) yield document;
    },
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

type Table<Body extends Versioned> = ReturnType<typeof createTable<Body>>;

/** What a lookup found ends the flights of its ids. */
const createOutcomes = <Body extends Versioned>(
  table: Table<Body>,
  flights: () => Flights<Body>,
  absences: ReturnType<typeof createAbsences>,
  graces: ReturnType<typeof createGraces>,
  now: () => number,
): LookupOutcomes<Body> => {
  const found = (id: string, loaded: Body): void => {
    const { newer, invalidated, startedAtMs, resolve } = flights().end(id);
    absences.forget(id);
    const document = newer && newer.version >= loaded.version ? newer : loaded;
    resolve(table.hold(document, invalidated ? never : startedAtMs));
  };
  return {
    found,
    absent(id) {
      const { newer } = flights().get(id)!;
      if (newer) return found(id, newer);
      table.remove(id);
      absences.hold(id, now());
      flights().end(id).resolve(null);
    },
    failed(id, cause) {
      const { newer, resolve, reject } = flights().end(id);
      if (newer) return resolve(table.hold(newer, now()));
      const held = table.peek(id);
      if (!held) return reject(new UnresolvedError('no source of documents answered', { cause }));
      graces.grant(id, now());
      resolve(held.document);
    },
  };
};

/** Takes a changed document in place of the one that is held, or that is being loaded. */
const createChanges = <Body extends Versioned>(
  kind: DocumentKind<Body>,
  table: Table<Body>,
  flights: () => Flights<Body>,
  statistics: LookupStatistics,
  timeline: Timeline,
  logger: Logger,
  now: () => number,
): ((id: string, text: string) => void) => {
  const read = (id: string, text: string): Body | undefined => {
    try {
      return parseDocument(kind, text);
    } catch (error) {
      statistics.unreadable.stream = (statistics.unreadable.stream ?? 0) + 1;
      logger.warn({ err: error, id }, 'a changed document cannot be read');
      return undefined;
    }
  };

  /** There is a version that cannot be read here: what is held is revalidated before it is served. */
  const invalidate = (id: string): void => {
    const flight = flights().get(id);
    if (flight) flight.invalidated = true;
    const held = table.peek(id);
    if (held) held.confirmedAtMs = never;
  };

  return (id, text) => {
    const document = read(id, text);
    if (!document) return invalidate(id);
    timeline.enter(timelineOf(document.version));
    const flight = flights().get(document.id);
    if (flight && (flight.newer === undefined || flight.newer.version <= document.version))
      flight.newer = document;
    const held = table.peek(document.id);
    // One that is announced again says nothing of a later one.
    if (held && document.version > held.document.version) table.hold(document, now());
  };
};

/**
 * @param sources in the order in which they are asked; the last one has the truth
 * @param now a clock that is never set, in ms
 */
export const createDocumentStore = <Body extends Versioned>(
  kind: DocumentKind<Body>,
  options: DocumentStoreOptions,
  sources: RecordSource<Body>[],
  logger: Logger,
  now: () => number = () => performance.now(),
): DocumentStore<Body> => {
  const table = createTable<Body>(options.bytesMax);
  const freshness = createFreshness(options);
  const absences = createAbsences(options);
  const graces = createGraces();
  const statistics = { hits: 0, misses: 0 };

  const invalidateAll = (): void => {
    freshness.invalidate(now());
    absences.forgetAll();
    graces.endAll();
  };
  const timeline = createTimeline(invalidateAll, logger);
  const outcomes = createOutcomes(table, () => flights, absences, graces, now);
  const peek = (id: string): Body | undefined => table.peek(id)?.document;
  const lookup = createLookup(sources, timeline, peek, outcomes, logger);
  const flights: Flights<Body> = createFlights<Body>((ids) => {
    // What is held is compared with the truth: Redis may have the same.
    const { caches = [], truth = [] } = Object.groupBy(ids, (id) => (table.peek(id) ? 'truth' : 'caches'));
    if (truth.length > 0) void lookup.askTruth(truth);
    if (caches.length > 0) void lookup.askAll(caches);
  }, now);

  /** Served now and revalidated meanwhile; a failure has been counted and leaves the document as it is. */
  const revalidate = (id: string): void => {
    if (!flights.get(id) && flights.size < options.loadingMax) flights.start(id).promise.catch(() => {});
  };

  /** Whether it is served; where it ages, it is revalidated meanwhile. */
  const isServed = (id: string, confirmedAtMs: number): boolean => {
    const trust = freshness.trustIn(confirmedAtMs, now());
    if (trust === 'due' && !graces.has(id, now()) && !lookup.statistics.truthAway) return false;
    if (trust !== 'fresh' && !graces.has(id, now())) revalidate(id);
    return true;
  };

  const change = createChanges(kind, table, () => flights, lookup.statistics, timeline, logger, now);

  return {
    held(id) {
      const held = table.get(id);
      if (!held && absences.has(id, now())) return null;
      if (!held || !isServed(id, held.confirmedAtMs)) return void statistics.misses++;
      statistics.hits++;
      return held.document;
    },
    load(id) {
      const flight = flights.get(id);
      if (flight) return flight.promise;
      if (flights.size < options.loadingMax) return flights.start(id).promise;
      const held = peek(id);
      return held
        ? Promise.resolve(held)
        : Promise.reject(new UnresolvedError('too many ids wait for a source'));
    },
    isCurrent(id) {
      const confirmedAtMs = table.peek(id)?.confirmedAtMs ?? absences.since(id);
      return confirmedAtMs !== undefined && freshness.isCurrent(confirmedAtMs, now());
    },
    applyDocument(id, text) {
      if (!id.startsWith(kind.prefix)) return;
      absences.forget(id);
      if (!table.peek(id) && !flights.get(id)) return;
      change(id, text);
    },
    invalidateAll,
    enterTimeline: timeline.enter,
    follow: freshness.follow,
    unfollow: freshness.unfollow,
    restore(documents) {
      for (const document of documents.toReversed())
        if (!table.peek(document.id)) table.hold(document, never);
    },
    holds: (id) => table.peek(id) !== undefined,
    hot: (max) => firstOf(table.documents(), max),
    get news() {
      return table.news;
    },
    get size() {
      return table.size;
    },
    get bytes() {
      return table.bytes;
    },
    get statistics() {
      return { ...statistics, ...lookup.statistics };
    },
  };
};
