/**
 * Asks the sources of records, one after the other: a later one is asked for the ids that the earlier ones do not have.
 * The last source has the truth, so it alone knows of absence; the others are caches. A record in a cache that is of an
 * earlier timeline than the database, or older than a version that was announced, counts as missing from the cache.
 *
 * The truth is asked first for what is held, which a cache cannot confirm. If it does not answer, a newer version that a cache has
 * may be better than what is held ({@link LookupRules.takesNewer}).
 */
import { timelineOf } from '#schemas/code-record.ts';
import type { Logger } from '#shared/logger.ts';
import type { Found, Source } from './source.ts';
import type { Timeline } from './timeline.ts';

/** The outcomes of a lookup: one of them for each id, as soon as it is known. */
export interface LookupOutcomes<Kept> {
  found(id: string, record: Kept): void;
  absent(id: string): void;
  /** The id may exist or not. */
  failed(id: string, cause: unknown): void;
}

/** By source. */
export interface LookupStatistics {
  loads: Record<string, number>;
  failures: Record<string, number>;
  /** Records that could not be read. */
  unreadable: Record<string, number>;
  /** Whether the truth did not answer the last lookup that was asked of it. */
  truthAway: boolean;
}

export interface Lookup {
  askAll(ids: string[]): Promise<void>;
  /** Asks the last source, and others for what it could not say only by {@link LookupRules.takesNewer}. */
  askTruth(ids: string[]): Promise<void>;
  readonly statistics: LookupStatistics;
}

export interface LookupRules {
  /** The latest version of an id that is known to exist, or 0. */
  announced(id: string): number;
  /** Whether the caches are asked for newer versions of what the truth could not confirm. */
  takesNewer: boolean;
}

/** The ids of which a source has no record, and why some of them, or all, cannot be called absent. */
interface Rest {
  missing: string[];
  failures: Map<string, unknown>;
  failure?: unknown;
}

const tooManyUnknown = new Error('too many unknown ids are looked up');

/** Whether the source was asked for any of the ids: not for what is undecided. */
const hasAsked = ({ undecided = [] }: Pick<Found<unknown>, 'undecided'>, ids: readonly string[]): boolean =>
  undecided.length < ids.length;

/** Of ids that were not looked for. */
const failuresOf = ({ undecided = [] }: Pick<Found<unknown>, 'undecided'>): Map<string, unknown> =>
  new Map(undecided.map((id) => [id, tooManyUnknown]));

/**
 * @param sources the last of them has the truth
 * @param held the record in memory: a source may give it back instead of parsing the same version again
 */
export const createLookup = <Kept extends { readonly version: number }>(
  sources: Source<Kept>[],
  timeline: Timeline,
  held: (id: string) => Kept | undefined,
  { announced, takesNewer }: LookupRules,
  outcomes: LookupOutcomes<Kept>,
  logger: Logger,
): Lookup => {
  const truth = sources.slice(-1);
  const caches = sources.slice(0, -1);
  const zeros = () => Object.fromEntries(sources.map(({ name }) => [name, 0]));
  const statistics: LookupStatistics = {
    loads: zeros(),
    failures: zeros(),
    unreadable: zeros(),
    truthAway: false,
  };

  /** Ids whose held version the truth could not confirm: a cache may have the same. */
  const unconfirmed = new Set<string>();

  /** What a cache has. */
  const isBelieved = (id: string, { version }: Kept): boolean =>
    timelineOf(version) >= timeline.current &&
    version >= announced(id) &&
    !(unconfirmed.has(id) && version <= (held(id)?.version ?? 0));

  /** @returns the ids without a record that can be believed */
  const takeRecords = (source: Source<Kept>, ids: string[], records: Found<Kept>['records']): string[] =>
    ids.filter((id) => {
      const record = records.get(id);
      if (!record) return true;
      if (source !== truth[0] && !isBelieved(id, record)) return true;
      outcomes.found(id, record);
      return false;
    });

  const takeFound = (source: Source<Kept>, ids: string[], found: Found<Kept>): Rest => {
    const rest: Rest = { missing: takeRecords(source, ids, found.records), failures: failuresOf(found) };
    statistics.unreadable[source.name]! += found.unreadable.length;
    for (const error of found.unreadable) {
      logger.warn({ err: error, id: error.id, source: source.name }, 'a record cannot be read');
      if (error.id === undefined) rest.failure = error;
      else rest.failures.set(error.id, error);
    }
    return rest;
  };

  const ask = async (source: Source<Kept>, ids: string[]): Promise<Rest> => {
    statistics.loads[source.name]! += ids.length;
    try {
      const found = await source.fetch(ids, held);
      if (source === truth[0] && hasAsked(found, ids)) statistics.truthAway = false;
      timeline.enter(found.timeline);
      return takeFound(source, ids, found);
    } catch (error) {
      statistics.failures[source.name]!++;
      if (source === truth[0]) statistics.truthAway = true;
      logger.debug({ err: error, source: source.name, ids: ids.length }, 'source of records failed');
      return { missing: ids, failures: new Map(), failure: error };
    }
  };

  /** @returns the ids that none of them has, or could say */
  const askEach = async (asked: Source<Kept>[], ids: string[]): Promise<Rest> => {
    let rest: Rest = { missing: ids, failures: new Map() };
    for (const source of asked) {
      if (rest.missing.length === 0) break;
      rest = await ask(source, rest.missing);
    }
    return rest;
  };

  const end = ({ missing, failures, failure }: Rest): void => {
    for (const id of missing) {
      const cause = failures.get(id) ?? failure;
      if (cause === undefined) outcomes.absent(id);
      else outcomes.failed(id, cause);
    }
  };

  /** Of what the truth could not say: newer versions from the caches. */
  const askCaches = async (rest: Rest): Promise<Rest> => {
    const ids = rest.missing.filter((id) => (rest.failures.get(id) ?? rest.failure) !== undefined);
    for (const id of ids) unconfirmed.add(id);
    const { missing } = await askEach(caches, ids);
    for (const id of ids) unconfirmed.delete(id);
    const left = new Set(missing);
    return { ...rest, missing: rest.missing.filter((id) => !ids.includes(id) || left.has(id)) };
  };

  return {
    askAll: async (ids) => end(await askEach(sources, ids)),
    async askTruth(ids) {
      const rest = await askEach(truth, ids);
      end(takesNewer ? await askCaches(rest) : rest);
    },
    statistics,
  };
};
