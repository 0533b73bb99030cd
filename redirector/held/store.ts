/**
 * From an id to what the control plane published under it: memory, then Redis, then the control plane.
 *
 *   memory.held(id)   at once
 *   load(id)          an id that is not held, or held for too long: one flight for each id (flights.ts), asked of the sources
 *                     in turn (lookup.ts)
 *   apply()           a newer version, pushed by the change stream; memory never goes back to an older one
 *
 * If this process may have missed changes, Redis may have missed them, too: what is held is then revalidated with the truth.
 * Documents are asked of Redis if the truth does not answer: it may have a newer version.
 */
import { timelineOf } from '#schemas/code-record.ts';
import type { Versioned } from '#schemas/documents.ts';
import type { Logger } from '#shared/logger.ts';
import { createFlights, type Flights, lookupIdsMax } from './flights.ts';
import { never } from './freshness.ts';
import { createLookup, type LookupOutcomes, type LookupRules, type LookupStatistics } from './lookup.ts';
import type { Memory } from './memory.ts';
import type { Source } from './source.ts';
import { createTimeline, type Timeline } from './timeline.ts';

/** No source could be asked: the id may exist or not. */
export class UnresolvedError extends Error {
  override name = 'UnresolvedError';
}

/** What a memory may ask of its store. */
export interface Revalidation {
  /** Asks the sources for what is served meanwhile; a failure is counted, and leaves memory as it is. */
  revalidate(id: string): void;
  /** Whether the truth did not answer the last lookup. */
  truthIsAway(): boolean;
}

export interface StoreOptions<Kept extends Versioned, Held extends Memory<Kept>> {
  openMemory(revalidation: Revalidation): Held;
  /** In the order in which they are asked; the last one has the truth. */
  sources: Source<Kept>[];
  /** Ids that may wait for a source at once; beyond it a load fails at once. */
  loadingMax: number;
  /** Ids in one question to a source. */
  idsMax?: number;
  /** Default: no version is announced by itself, and the truth is asked alone. */
  rules?: LookupRules;
  /** Called when everything that is held is due. */
  onInvalidated?(): void;
  logger: Logger;
  /** A clock that is never set, in ms: with the wall clock set back, things would be confirmed in the future. */
  now(): number;
}

export interface Store<Kept extends Versioned, Held extends Memory<Kept>> {
  readonly memory: Held;
  readonly flights: Flights<Kept>;
  readonly timeline: Timeline;
  readonly statistics: LookupStatistics;
  /**
   * What there is under the id, or null.
   * @throws {UnresolvedError} if no source could say and none is held
   */
  load(id: string): Promise<Kept | null>;
  /** Asks no source. Resolves to what is held, or rejects with the reason if nothing is. */
  refuse(id: string, reason: string): Promise<Kept>;
  /** Takes a newer version of what is held, being loaded, or held as absent, and ignores others. */
  apply(kept: Kept): void;
  /** There is a version that cannot be read here. */
  invalidate(id: string): void;
  invalidateAll(): void;
}

/** What a lookup found ends the flights of its ids. */
const createOutcomes = <Kept extends Versioned>(
  memory: Memory<Kept>,
  flights: () => Flights<Kept>,
  now: () => number,
): LookupOutcomes<Kept> => {
  const found = (id: string, loaded: Kept): void => {
    const { newer, invalidated, announced, startedAtMs, resolve, reject } = flights().end(id);
    const kept = newer && newer.version >= loaded.version ? newer : loaded;
    if (kept.version < announced) return reject(new UnresolvedError('a later version was announced'));
    resolve(memory.hold(kept, invalidated ? never : startedAtMs));
  };

  const absent = (id: string): void => {
    const { newer } = flights().get(id)!;
    if (newer) return found(id, newer);
    memory.holdAbsence(id);
    flights().end(id).resolve(null);
  };

  const failed = (id: string, cause: unknown): void => {
    const { newer, resolve, reject } = flights().end(id);
    if (newer) return resolve(memory.hold(newer, now()));
    const held = memory.peek(id);
    if (!held) return reject(new UnresolvedError('no source answered', { cause }));
    memory.pauseRevalidation(id);
    resolve(held);
  };

  return { found, absent, failed };
};

/** Takes what the change stream brings in place of what is held, or is being loaded. */
const createApply =
  <Kept extends Versioned>(memory: Memory<Kept>, flights: () => Flights<Kept>, now: () => number) =>
  (kept: Kept): void => {
    const flight = flights().get(kept.id);
    if (flight && (flight.newer === undefined || flight.newer.version <= kept.version)) flight.newer = kept;
    const held = memory.peek(kept.id);
    // An older version that is announced again says nothing of the newer one, and the same one nothing of a later one.
    const saysNothing = held && kept.version === held.version && memory.needsTruth(kept.id);
    if (held && kept.version >= held.version && !saysNothing) memory.hold(kept, now());
    else if (!held) memory.forgetAbsence(kept.id);
  };

export const createStore = <Kept extends Versioned, Held extends Memory<Kept>>({
  openMemory,
  sources,
  loadingMax,
  idsMax = lookupIdsMax,
  rules = { announced: () => 0, takesNewer: false },
  onInvalidated = () => {},
  logger,
  now,
}: StoreOptions<Kept, Held>): Store<Kept, Held> => {
  const memory = openMemory({
    revalidate(id) {
      if (!flights.get(id) && flights.size < loadingMax) flights.start(id).promise.catch(() => {});
    },
    truthIsAway: () => lookup.statistics.truthAway,
  });
  const invalidateAll = (): void => {
    memory.invalidateAll();
    onInvalidated();
  };
  const timeline = createTimeline(invalidateAll, logger);
  const outcomes = createOutcomes(memory, () => flights, now);
  const lookup = createLookup(sources, timeline, memory.peek, rules, outcomes, logger);
  const flights: Flights<Kept> = createFlights(
    (ids) => {
      const { caches = [], truth = [] } = Object.groupBy(ids, (id) =>
        memory.needsTruth(id) ? 'truth' : 'caches',
      );
      if (truth.length > 0) void lookup.askTruth(truth);
      if (caches.length > 0) void lookup.askAll(caches);
    },
    idsMax,
    now,
  );
  const apply = createApply(memory, () => flights, now);

  const refuse = (id: string, reason: string): Promise<Kept> => {
    const held = memory.peek(id);
    return held ? Promise.resolve(held) : Promise.reject(new UnresolvedError(reason));
  };

  return {
    memory,
    flights,
    timeline,
    statistics: lookup.statistics,
    load(id) {
      const flight = flights.get(id);
      if (flight) return flight.promise;
      if (flights.size >= loadingMax) return refuse(id, 'too many ids wait for a source');
      return flights.start(id).promise;
    },
    refuse,
    apply(kept) {
      timeline.enter(timelineOf(kept.version));
      apply(kept);
    },
    invalidate(id) {
      const flight = flights.get(id);
      if (flight) flight.invalidated = true;
      memory.invalidate(id);
    },
    invalidateAll,
  };
};
