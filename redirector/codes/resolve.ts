/**
 * From an id to its record: memory, then Redis, then the control plane.
 *
 *   held(id)   at once, from memory
 *   load(id)   what is not held, or too old: one batch for all ids of an event-loop turn, one flight for each id
 *   apply()    a newer version, pushed by the stream of changes; memory never goes back to an older one
 *
 * Absence is held too, for a short time and in a cache of its own, so that invented ids cannot displace real ones.
 * A held record is checked in the background once it is `freshMs` old and, before it is served, once it is
 * `staleMaxMs` old; if no source answers then, it is served all the same: a phone gets its redirect.
 *
 * Where changes may have been missed, Redis may have missed them, too: what is held is then checked against the truth.
 * And once the database is on a later timeline, what a cache has of an earlier one is as good as absent from it.
 */
import { LRUCache } from 'lru-cache';
import { type CodeRecord, timelineOf, type UnreadableRecordError } from '#schemas/code-record.ts';
import type { Logger } from '#shared/logger.ts';
import { createMemo } from '#shared/memo.ts';
import { HeldRecord } from './held-record.ts';

/** No source could be asked: the id may exist or not. */
export class UnresolvedError extends Error {
  override name = 'UnresolvedError';
}

/** What a source says. What is neither among the records nor unreadable does not exist, as far as it knows. */
export interface Found {
  records: ReadonlyMap<string, CodeRecord>;
  unreadable: readonly UnreadableRecordError[];
  /** The latest that the source knows of; 0 where it knows of none. */
  timeline: number;
}

/** Where records come from. Each asks for many at once. */
export interface RecordSource {
  readonly name: string;
  /**
   * @param held what is held of an id: may be given back, where the source has the same version
   * @throws when it cannot say
   */
  fetch(ids: string[], held: (id: string) => CodeRecord | undefined): Promise<Found>;
}

export interface ResolverOptions {
  codesMax: number;
  /** Absences that are held, and for how long. */
  absentMax: number;
  absentMs: number;
  freshMs: number;
  staleMaxMs: number;
  /** Ids that may wait for a source at once; beyond it a load fails at once. */
  loadingMax: number;
  /** Ids without a genuine check that may be looked up, a second: the lane of ids made under a lost key. */
  slowLanePerSecond: number;
}

export interface ResolverStatistics {
  hits: number;
  misses: number;
  loads: Record<string, number>;
  failures: Record<string, number>;
  /** Records that could not be read, by source. */
  unreadable: Record<string, number>;
  slowLaneRefused: number;
}

export interface Resolver {
  /** The record, null if it is known to be absent, undefined if it must be loaded. */
  held(id: string, nowMs: number): CodeRecord | null | undefined;
  /**
   * The record, or null if there is none.
   * @throws {UnresolvedError} when no source could say and none is held
   */
  load(id: string): Promise<CodeRecord | null>;
  /** Takes a newer version of what is held, being loaded, or held as absent; ignores what nobody here asked for. */
  apply(record: CodeRecord): void;
  /** There is a version of a code that cannot be read here: what is held of it is checked before it is served. */
  doubt(id: string): void;
  /** What is held of an earlier timeline is checked before it is served again, if the truth answers. */
  begin(timeline: number): void;
  /** Holds records of an earlier process: each is checked before it is served, if a source answers. */
  restore(records: CodeRecord[]): void;
  /** What is held, the most recently scanned first. */
  hot(): Iterable<CodeRecord>;
  /** Changes may have been missed: everything held is checked before it is served again, if the truth answers. */
  distrust(): void;
  readonly timeline: number;
  readonly size: number;
  readonly statistics: ResolverStatistics;
}

interface Flight {
  /** What a source says is true as of this moment, or later. */
  startedAtMs: number;
  promise: Promise<CodeRecord | null>;
  resolve(record: CodeRecord | null): void;
  reject(error: unknown): void;
  /** A version that the stream brought while the flight was under way. */
  newer: CodeRecord | undefined;
  /** Something came meanwhile that the flight may not have seen. */
  doubted: boolean;
}

/** What a source left open: the ids that it has nothing of, and why some, or all, cannot be called absent. */
interface Rest {
  missing: string[];
  failures: Map<string, unknown>;
  failure?: unknown;
}

/** Ids per question to a source. */
const batchMax = 256;
/** After a check that no source answered, a held record is served for so long before the next check. */
const graceMs = 1000;
/** Codes that such a grace is remembered of. */
const gracesMax = 100_000;

const createFlight = (startedAtMs: number): Flight => {
  const { promise, resolve, reject } = Promise.withResolvers<CodeRecord | null>();
  return { startedAtMs, promise, resolve, reject, newer: undefined, doubted: false };
};

/** A bucket that refills at `perSecond` and holds as much. */
const createTokens = (perSecond: number, now: () => number) => {
  let tokens = perSecond;
  let filledAtMs = now();
  return {
    take(): boolean {
      const nowMs = now();
      tokens = Math.min(perSecond, tokens + ((nowMs - filledAtMs) / 1000) * perSecond);
      filledAtMs = nowMs;
      if (tokens < 1) return false;
      tokens--;
      return true;
    },
  };
};

/**
 * @param sources in the order in which they are asked; a later one is asked for what the earlier did not have
 * @param isGenuine whether an id carries our check
 * @param now the clock, in ms
 */
export const createResolver = (
  options: ResolverOptions,
  sources: RecordSource[],
  isGenuine: (id: string) => boolean,
  logger: Logger,
  now: () => number = Date.now,
): Resolver => {
  const codes = new LRUCache<string, HeldRecord>({ max: options.codesMax });
  const absent = new LRUCache<string, number>({ max: options.absentMax });
  const flights = new Map<string, Flight>();
  const workspaceIds = createMemo(10_000, (id: string) => id);
  const toHeld = (record: CodeRecord, checkedAtMs: number): HeldRecord =>
    new HeldRecord(record, workspaceIds.get(record.workspaceId), checkedAtMs);
  const slowLane = createTokens(options.slowLanePerSecond, now);
  const statistics: ResolverStatistics = {
    hits: 0,
    misses: 0,
    loads: Object.fromEntries(sources.map(({ name }) => [name, 0])),
    failures: Object.fromEntries(sources.map(({ name }) => [name, 0])),
    unreadable: Object.fromEntries(sources.map(({ name }) => [name, 0])),
    slowLaneRefused: 0,
  };
  let waiting: string[] = [];
  /** What was checked up to this moment counts as too old. */
  let distrustedUntilMs = Number.NEGATIVE_INFINITY;
  let timeline = 0;
  /** Until when a code is served without a check that is due, since nobody could make it. */
  const graceUntilMs = new LRUCache<string, number>({ max: gracesMax });
  /** The last source alone knows of absence, and of what everybody may have missed: it is the truth, the others are caches. */
  const truth = sources.slice(-1);

  const isDistrusted = ({ checkedAtMs }: HeldRecord): boolean => checkedAtMs <= distrustedUntilMs;

  const distrust = (): void => {
    distrustedUntilMs = now();
    absent.clear();
    graceUntilMs.clear();
  };

  const begin = (later: number): void => {
    if (later <= timeline) return;
    timeline = later;
    logger.warn({ timeline }, 'the database is on a later timeline: everything held will be checked');
    distrust();
  };

  /** Holds the newer of what is held and what a source said at `checkedAtMs`; returns it. One version is one record. */
  const hold = (record: CodeRecord, checkedAtMs: number): CodeRecord => {
    const current = codes.peek(record.id);
    if (current && current.version >= record.version) {
      current.checkedAtMs = checkedAtMs;
      return current;
    }
    const held = toHeld(record, checkedAtMs);
    codes.set(record.id, held);
    absent.delete(record.id);
    return held;
  };

  const land = (id: string, found: CodeRecord | undefined): void => {
    const flight = flights.get(id)!;
    flights.delete(id);
    const { newer } = flight;
    const record = newer && (found === undefined || newer.version > found.version) ? newer : found;
    if (record) {
      flight.resolve(hold(record, flight.doubted ? Number.NEGATIVE_INFINITY : flight.startedAtMs));
    } else {
      codes.delete(id);
      absent.set(id, now());
      flight.resolve(null);
    }
  };

  const crash = (id: string, cause: unknown): void => {
    const flight = flights.get(id)!;
    flights.delete(id);
    const current = codes.peek(id);
    if (flight.newer) {
      flight.resolve(hold(flight.newer, now()));
    } else if (current) {
      graceUntilMs.set(id, now() + graceMs);
      flight.resolve(current);
    } else {
      flight.reject(new UnresolvedError('no source of records answered', { cause }));
    }
  };

  /** Lands what a source found, but for what a cache has of an earlier timeline. */
  const landFound = (source: RecordSource, ids: string[], { records, unreadable }: Found): Rest => {
    const isBelieved = ({ version }: CodeRecord): boolean =>
      source === truth[0] || timelineOf(version) >= timeline;
    const missing = ids.filter((id) => {
      const record = records.get(id);
      if (!record || !isBelieved(record)) return true;
      land(id, record);
      return false;
    });
    statistics.unreadable[source.name]! += unreadable.length;
    const failures = new Map<string, unknown>();
    let failure: unknown;
    for (const error of unreadable) {
      logger.warn({ err: error, id: error.id, source: source.name }, 'a record cannot be read');
      if (error.id === undefined) failure = error;
      else failures.set(error.id, error);
    }
    return { missing, failures, failure };
  };

  const ask = async (source: RecordSource, ids: string[]): Promise<Rest> => {
    statistics.loads[source.name]! += ids.length;
    try {
      const found = await source.fetch(ids, (id) => codes.peek(id));
      begin(found.timeline);
      return landFound(source, ids, found);
    } catch (error) {
      statistics.failures[source.name]!++;
      logger.debug({ err: error, source: source.name, ids: ids.length }, 'source of records failed');
      return { missing: ids, failures: new Map(), failure: error };
    }
  };

  /** Asks one source after the other. What the last one, the truth, does not have is absent, or has failed. */
  const fetchFrom = async (asked: RecordSource[], ids: string[]): Promise<void> => {
    let rest: Rest = { missing: ids, failures: new Map() };
    for (const source of asked) {
      rest = await ask(source, rest.missing);
      if (rest.missing.length === 0) return;
    }
    for (const id of rest.missing) {
      const failure = rest.failures.get(id) ?? rest.failure;
      if (failure === undefined) land(id, undefined);
      else crash(id, failure);
    }
  };

  /** What is held and distrusted is asked of the truth alone: what this process missed, a cache may have missed, too. */
  const fetchBatch = (ids: string[]): void => {
    const isDoubtful = (id: string): boolean => {
      const held = codes.peek(id);
      return held !== undefined && distrustedUntilMs > Number.NEGATIVE_INFINITY && isDistrusted(held);
    };
    const { distrusted = [], others = [] } = Object.groupBy(ids, (id) =>
      isDoubtful(id) ? 'distrusted' : 'others',
    );
    if (distrusted.length > 0) void fetchFrom(truth, distrusted);
    if (others.length > 0) void fetchFrom(sources, others);
  };

  const fetchWaiting = (): void => {
    const ids = waiting;
    waiting = [];
    for (let start = 0; start < ids.length; start += batchMax) fetchBatch(ids.slice(start, start + batchMax));
  };

  const startFlight = (id: string): Flight => {
    const flight = createFlight(now());
    flights.set(id, flight);
    if (waiting.push(id) === 1) setImmediate(fetchWaiting);
    return flight;
  };

  const refuse = (id: string, reason: string): Promise<CodeRecord | null> => {
    const current = codes.peek(id);
    return current ? Promise.resolve(current) : Promise.reject(new UnresolvedError(reason));
  };

  const load = (id: string): Promise<CodeRecord | null> => {
    const flight = flights.get(id);
    if (flight) return flight.promise;
    if (flights.size >= options.loadingMax) return refuse(id, 'too many ids wait for a source');
    if (!codes.has(id) && !isGenuine(id) && !slowLane.take()) {
      statistics.slowLaneRefused++;
      return refuse(id, 'too many ids without a genuine check');
    }
    return startFlight(id).promise;
  };

  /** A record is served now and checked meanwhile; a failure has been counted and leaves the record as it is. */
  const checkInBackground = (id: string): void => {
    if (!flights.has(id) && flights.size < options.loadingMax) startFlight(id).promise.catch(() => {});
  };

  return {
    held(id, nowMs) {
      const entry = codes.get(id);
      if (entry === undefined) {
        const sinceMs = absent.get(id);
        if (sinceMs !== undefined && nowMs - sinceMs < options.absentMs) return null;
        statistics.misses++;
        return undefined;
      }
      const { checkedAtMs } = entry;
      const ageMs = nowMs - checkedAtMs;
      if (ageMs >= options.freshMs || checkedAtMs <= distrustedUntilMs) {
        const isDue = ageMs >= options.staleMaxMs || checkedAtMs <= distrustedUntilMs;
        if (!isDue) checkInBackground(id);
        else if ((graceUntilMs.get(id) ?? Number.NEGATIVE_INFINITY) <= nowMs) {
          statistics.misses++;
          return undefined;
        }
      }
      statistics.hits++;
      return entry;
    },
    load,
    apply(record) {
      const { id } = record;
      begin(timelineOf(record.version));
      const flight = flights.get(id);
      if (flight && (flight.newer === undefined || flight.newer.version < record.version))
        flight.newer = record;
      const current = codes.peek(id);
      // An older version that is announced again says nothing of the newer one.
      if (current && record.version >= current.version) hold(record, now());
      else if (!current) absent.delete(id);
    },
    doubt(id) {
      const flight = flights.get(id);
      if (flight) flight.doubted = true;
      const held = codes.peek(id);
      if (held) held.checkedAtMs = Number.NEGATIVE_INFINITY;
      absent.delete(id);
    },
    begin,
    restore(records) {
      // The first was scanned last: it goes in last.
      for (const record of records.toReversed()) {
        if (!codes.has(record.id)) codes.set(record.id, toHeld(record, Number.NEGATIVE_INFINITY));
      }
    },
    *hot() {
      for (const held of codes.values()) yield held.toRecord();
    },
    distrust,
    get timeline() {
      return timeline;
    },
    get size() {
      return codes.size;
    },
    statistics,
  };
};
