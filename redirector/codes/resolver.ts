/**
 * From an id to its record: memory, then Redis, then the control plane.
 *
 *   held(id)   at once, from memory (held-records.ts)
 *   load(id)   an id that is not held, or whose record is too old: one flight for each id (flights.ts), asked of the
 *              sources in turn (lookup.ts)
 *   apply()    a newer version, pushed by the change stream; memory never goes back to an older one
 *
 * Where this process may have missed changes, Redis may have missed them, too: held records are then revalidated with the
 * truth alone. The same holds for a record of which the sweep (sweep.ts) finds that the truth has a later version, or none.
 */
import { type CodeRecord, timelineOf } from '#schemas/code-record.ts';
import type { Logger } from '#shared/logger.ts';
import type { ChangeHandlers } from './change-stream.ts';
import { type Corrections, createCorrections } from './corrections.ts';
import { createFlights, type Flights } from './flights.ts';
import { createHeldRecords, type HeldRecords, type HeldRecordsOptions } from './held-records.ts';
import { createLookup, type LookupOutcomes, type LookupStatistics } from './lookup.ts';
import type { RecordSource } from './record-sources.ts';
import { createTimeline } from './timeline.ts';
import { createTokenBucket } from './token-bucket.ts';

/** No source could be asked: the id may exist or not. */
export class UnresolvedError extends Error {
  override name = 'UnresolvedError';
}

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
  readonly statistics: ResolverStatistics;
  /** Tells the only listener whenever every held record is due, or those of a snapshot are. */
  onDoubt(listener: () => void): void;
}

const tellOfOther =
  (logger: Logger) =>
  ({ id, version }: CodeRecord): void =>
    logger.warn(
      { code: id, version },
      'a code has other contents than were held under its version, and they replace those: after a restore run admin republish',
    );

/** What a lookup found ends the flights of its ids. */
const createOutcomes = (records: HeldRecords, flights: () => Flights, now: () => number): LookupOutcomes => {
  const found = (id: string, loaded: CodeRecord): void => {
    const { newer, invalidated, startedAtMs, resolve } = flights().end(id);
    const record = newer && newer.version >= loaded.version ? newer : loaded;
    resolve(records.hold(record, invalidated ? Number.NEGATIVE_INFINITY : startedAtMs));
  };

  const absent = (id: string): void => {
    const { newer } = flights().get(id)!;
    if (newer) return found(id, newer);
    records.holdAbsence(id);
    flights().end(id).resolve(null);
  };

  const failed = (id: string, cause: unknown): void => {
    const { newer, resolve, reject } = flights().end(id);
    if (newer) return resolve(records.hold(newer, now()));
    const held = records.peek(id);
    if (!held) return reject(new UnresolvedError('no source of records answered', { cause }));
    records.grantGrace(id);
    resolve(held);
  };

  return { found, absent, failed };
};

/**
 * @param sources in the order in which they are asked; the last one has the truth
 * @param isGenuine whether an id carries our check
 * @param now a clock that is never set, in ms: with the wall clock set back, records would be confirmed in the future
 */
export const createResolver = (
  options: ResolverOptions,
  sources: RecordSource[],
  isGenuine: (id: string) => boolean,
  logger: Logger,
  now: () => number = () => performance.now(),
): Resolver => {
  let slowLaneRefused = 0;
  const takeSlowLane = createTokenBucket(options.slowLanePerSecond, now);

  /** A record is served now and revalidated meanwhile; a failure has been counted and leaves the record as it is. */
  const revalidate = (id: string): void => {
    if (!flights.get(id) && flights.size < options.loadingMax) flights.start(id).promise.catch(() => {});
  };

  let tellOfDoubt = (): void => {};
  const truthIsAway = (): boolean => lookup.statistics.truthAway;
  const records = createHeldRecords(options, revalidate, truthIsAway, tellOfOther(logger), now);
  const invalidateAll = (): void => {
    records.invalidateAll();
    tellOfDoubt();
  };
  const timeline = createTimeline(invalidateAll, logger);
  const corrections = createCorrections(records, () => flights, options.loadingMax);

  const outcomes = createOutcomes(records, () => flights, now);
  const lookup = createLookup(sources, timeline, records.peek, outcomes, logger);
  const flights: Flights = createFlights((ids) => {
    const { caches = [], truth = [] } = Object.groupBy(ids, (id) =>
      records.needsTruth(id) ? 'truth' : 'caches',
    );
    if (truth.length > 0) void lookup.askTruth(truth);
    if (caches.length > 0) void lookup.askAll(caches);
  }, now);

  const refuse = (id: string, reason: string): Promise<CodeRecord | null> => {
    const held = records.peek(id);
    return held ? Promise.resolve(held) : Promise.reject(new UnresolvedError(reason));
  };

  return {
    held: records.held,
    load(id) {
      const flight = flights.get(id);
      if (flight) return flight.promise;
      if (flights.size >= options.loadingMax) return refuse(id, 'too many ids wait for a source');
      if (!records.peek(id) && !isGenuine(id) && !takeSlowLane()) {
        slowLaneRefused++;
        return refuse(id, 'too many ids without a genuine check');
      }
      return flights.start(id).promise;
    },
    apply(record) {
      timeline.enter(timelineOf(record.version));
      const flight = flights.get(record.id);
      if (flight && (flight.newer === undefined || flight.newer.version <= record.version))
        flight.newer = record;
      const held = records.peek(record.id);
      // An older version that is announced again says nothing of the newer one, and the same one nothing of a later one.
      const saysNothing = held && record.version === held.version && records.needsTruth(record.id);
      if (held && record.version >= held.version && !saysNothing) records.hold(record, now());
      else if (!held) records.forgetAbsence(record.id);
    },
    invalidate(id) {
      const flight = flights.get(id);
      if (flight) flight.invalidated = true;
      records.invalidate(id);
    },
    invalidateAll,
    enterTimeline: timeline.enter,
    follow: records.follow,
    unfollow: records.unfollow,
    restore(restored) {
      records.restore(restored);
      tellOfDoubt();
    },
    hot: records.hot,
    get news() {
      return records.news;
    },
    checkable: records.checkable,
    correct: corrections.correct,
    onDoubt(listener) {
      tellOfDoubt = listener;
    },
    get timeline() {
      return timeline.current;
    },
    get size() {
      return records.size;
    },
    get objectBytes() {
      return records.objectBytes;
    },
    get statistics() {
      return { ...records.statistics, ...lookup.statistics, slowLaneRefused };
    },
  };
};
