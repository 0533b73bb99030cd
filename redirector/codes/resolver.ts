/**
 * From an id to its record (held/store.ts), for the redirects. Ids without a genuine check have a slow lane to the sources.
 * A record of which the sweep (sweep.ts) finds that the truth has a later version, or none, is revalidated with the truth.
 */
import type { CodeRecord } from '#schemas/code-record.ts';
import type { Logger } from '#shared/logger.ts';
import type { ChangeHandlers } from '../held/change-stream.ts';
import type { LookupStatistics } from '../held/lookup.ts';
import type { Source } from '../held/source.ts';
import { createStore } from '../held/store.ts';
import { createTokenBucket } from '../held/token-bucket.ts';
import { type Corrections, createCorrections } from './corrections.ts';
import { createHeldRecords, type HeldRecords, type HeldRecordsOptions } from './held-records.ts';

export interface ResolverOptions extends HeldRecordsOptions {
  /** Ids that may wait for a source at once; beyond it a load fails at once. */
  loadingMax: number;
  /** Ids without a genuine check that may be looked up, a second: the lane of ids made under a lost key. */
  slowLanePerSecond: number;
}

export interface ResolverStatistics extends LookupStatistics {
  hits: number;
  misses: number;
  slowLaneRefused: number;
}

/**
 * As the handlers of the change stream: `apply` takes a newer version of a code that is held, being loaded, or held as
 * absent, and ignores other codes. An invalidated record is revalidated before it is served, if a source answers.
 */
export interface Resolver
  extends ChangeHandlers,
    Pick<HeldRecords, 'held' | 'restore' | 'hot' | 'news' | 'size' | 'objectBytes' | 'checkable'>,
    Pick<Corrections, 'correct'> {
  /**
   * The record, or null if there is none.
   * @throws {UnresolvedError} when no source could say and none is held
   */
  load(id: string): Promise<CodeRecord | null>;
  readonly timeline: number;
  /** Ids that wait for a source. */
  readonly loading: number;
  readonly statistics: ResolverStatistics;
  /** @param listener the only one: called whenever every held record is due, or those of a snapshot are */
  onDoubt(listener: () => void): void;
}

const warnOfOther =
  (logger: Logger) =>
  ({ id, version }: CodeRecord): void =>
    logger.warn(
      { code: id, version },
      'a code has other contents than were held under its version, and they replace those: after a restore run admin republish',
    );

/**
 * @param sources in the order in which they are asked; the last one has the truth
 * @param isGenuine whether an id carries our check
 * @param now a clock that is never set, in ms: with the wall clock set back, records would be confirmed in the future
 */
export const createResolver = (
  options: ResolverOptions,
  sources: Source<CodeRecord>[],
  isGenuine: (id: string) => boolean,
  logger: Logger,
  now: () => number = () => performance.now(),
): Resolver => {
  let slowLaneRefused = 0;
  const takeSlowLane = createTokenBucket(options.slowLanePerSecond, now);
  let onDoubt = (): void => {};

  const store = createStore<CodeRecord, HeldRecords>({
    openMemory: (revalidation) => createHeldRecords(options, revalidation, warnOfOther(logger), now),
    sources,
    loadingMax: options.loadingMax,
    onInvalidated: () => onDoubt(),
    logger,
    now,
  });
  const { memory, flights, timeline } = store;
  const corrections = createCorrections(memory, flights, options.loadingMax);

  return {
    held: memory.held,
    load(id) {
      if (!flights.get(id) && !memory.peek(id) && flights.size < options.loadingMax && !isGenuine(id)) {
        if (takeSlowLane()) return store.load(id);
        slowLaneRefused++;
        return store.refuse(id, 'too many ids without a genuine check');
      }
      return store.load(id);
    },
    apply: store.apply,
    invalidate: store.invalidate,
    invalidateAll: store.invalidateAll,
    enterTimeline: timeline.enter,
    follow: memory.follow,
    unfollow: memory.unfollow,
    restore(restored) {
      memory.restore(restored);
      onDoubt();
    },
    hot: memory.hot,
    get news() {
      return memory.news;
    },
    checkable: memory.checkable,
    correct: corrections.correct,
    onDoubt(listener) {
      onDoubt = listener;
    },
    get timeline() {
      return timeline.current;
    },
    get loading() {
      return flights.size;
    },
    get size() {
      return memory.size;
    },
    get objectBytes() {
      return memory.objectBytes;
    },
    get statistics() {
      return { ...memory.statistics, ...store.statistics, slowLaneRefused };
    },
  };
};
