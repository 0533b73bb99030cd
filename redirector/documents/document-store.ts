/** From an id to its document (held/store.ts). */

import { LRUCache } from 'lru-cache';
import { timelineOf } from '#schemas/code-record.ts';
import {
  announcedVersion,
  type DocumentKind,
  documentKey,
  parseDocument,
  type Versioned,
} from '#schemas/documents.ts';
import type { Logger } from '#shared/logger.ts';
import type { DocumentHandlers } from '../held/change-stream.ts';
import type { LookupStatistics } from '../held/lookup.ts';
import type { Source, TextKind } from '../held/source.ts';
import { createStore } from '../held/store.ts';
import { createDocumentMemory, type DocumentMemory, type DocumentMemoryOptions } from './document-memory.ts';

export interface DocumentStoreOptions extends DocumentMemoryOptions {
  /** Ids that may wait for a source at once; beyond it a load fails at once. */
  loadingMax: number;
  /** Ids in one question to a source: large documents are parsed in small numbers. */
  idsMax?: number;
}

/** Documents of one kind, for readers. */
export interface Documents<Body extends Versioned> extends Pick<DocumentMemory<Body>, 'held' | 'isCurrent'> {
  /**
   * The document, or null if there is none. Waits for a source, at most as long as Redis and the control plane may take together.
   * @throws {UnresolvedError} if no source could say and none is held
   */
  load(id: string): Promise<Body | null>;
}

export interface DocumentStatistics extends LookupStatistics {
  hits: number;
  misses: number;
}

export interface DocumentStore<Body extends Versioned>
  extends Documents<Body>,
    DocumentHandlers,
    Pick<DocumentMemory<Body>, 'restore' | 'hot' | 'news' | 'size' | 'bytes'> {
  /** Whether one is held, however long ago a source had it. */
  holds(id: string): boolean;
  readonly statistics: DocumentStatistics;
}

/** The latest announcements: a Redis that was restored from a copy has the versions before them. */
const announcedMax = 50_000;

export const documentTexts = <Body extends Versioned>(kind: DocumentKind<Body>): TextKind<Body> => ({
  keyOf: documentKey,
  lookup: '/internal/documents?',
  parse: (text) => parseDocument(kind, text),
});

/**
 * @param sources in the order in which they are asked; the last one has the truth
 * @param now a clock that is never set, in ms
 */
export const createDocumentStore = <Body extends Versioned>(
  kind: DocumentKind<Body>,
  options: DocumentStoreOptions,
  sources: Source<Body>[],
  logger: Logger,
  now: () => number = () => performance.now(),
): DocumentStore<Body> => {
  const announced = new LRUCache<string, number>({ max: announcedMax });
  const store = createStore<Body, DocumentMemory<Body>>({
    openMemory: (revalidation) => createDocumentMemory(options, revalidation, now),
    sources,
    loadingMax: options.loadingMax,
    rules: { announced: (id) => announced.get(id) ?? 0, takesNewer: true },
    ...(options.idsMax !== undefined && { idsMax: options.idsMax }),
    logger,
    now,
  });
  const { memory, flights, timeline, statistics } = store;

  const change = (id: string, text: string): void => {
    let document: Body;
    try {
      document = parseDocument(kind, text);
    } catch (error) {
      statistics.unreadable.stream = (statistics.unreadable.stream ?? 0) + 1;
      logger.warn({ err: error, id }, 'a changed document cannot be read');
      return store.invalidate(id);
    }
    store.apply(document);
  };

  const announce = (id: string, version: number): void => {
    timeline.enter(timelineOf(version));
    const flight = flights.get(id);
    if (flight) flight.announced = Math.max(flight.announced, version);
    announced.set(id, Math.max(announced.get(id) ?? 0, version));
    const held = memory.peek(id);
    if (held && held.version < version) memory.drop(id);
  };

  return {
    held: memory.held,
    load: store.load,
    isCurrent: memory.isCurrent,
    applyDocument(id, text) {
      if (!id.startsWith(kind.prefix)) return;
      memory.forgetAbsence(id);
      const version = announcedVersion(text);
      if (version !== undefined) return announce(id, version);
      // One that is neither held nor wanted is not even parsed.
      if (memory.peek(id) || flights.get(id)) change(id, text);
    },
    invalidateAll: store.invalidateAll,
    enterTimeline: timeline.enter,
    follow: memory.follow,
    unfollow: memory.unfollow,
    restore: memory.restore,
    holds: (id) => memory.peek(id) !== undefined,
    hot: memory.hot,
    get news() {
      return memory.news;
    },
    get size() {
      return memory.size;
    },
    get bytes() {
      return memory.bytes;
    },
    get statistics() {
      return { ...memory.statistics, ...statistics };
    },
  };
};
