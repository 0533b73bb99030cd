/**
 * Caches the principals of keys: a request costs no database read for its key.
 *
 * An entry is refreshed in the background once it is ten seconds old, and expires once it is thirty: that is the
 * guarantee. A change of keys or plans is announced (forget), so that it takes effect at once: that is the hint.
 *
 * Unknown keys are cached, too, separately from the known ones, so that they cannot displace them. There is one query
 * at a time: a flood of unknown keys costs the database a few queries by primary key, however large it is. Formerly
 * known keys wait in their own lane, which is read first, so that the flood delays them by at most one query.
 */
import { createCoalescer } from '#shared/coalescer.ts';
import { createEntryCache } from '#shared/entry-cache.ts';
import { ClientError } from '#shared/errors.ts';
import type { Logger } from '#shared/logger.ts';
import type { Principal } from './authentication.ts';

const readAgainAfterMs = 10_000;
const believedForMs = 30_000;
const knownMax = 100_000;
const unknownMax = 20_000;
const unknownForMs = 5_000;
/** Workspaces and subscriptions whose change is remembered; with more, all entries expire. */
const changedMax = 10_000;
/** Keys in one query. */
const batchMax = 500;
/** More than this wait only if the database is too slow. */
const waitingMax = { known: knownMax, unknown: 20_000 };
/** The lanes of the reader. */
const lanes = { known: 0, unknown: 1 } as const;

/** Finds the keys, by the SHA-256 of each in base64url, that exist and are not revoked. */
export type FindPrincipals = (keyHashes: readonly string[]) => Promise<ReadonlyMap<string, Principal>>;

export interface Principals {
  /**
   * The principal of the key with this hash; undefined if the key is unknown or revoked.
   * @throws the database's error, if it has to be asked; {ClientError} UNAVAILABLE if too many wait for it
   */
  of(keyHash: string): Promise<Principal | undefined>;
  /**
   * Expires the entries of a workspace or a subscription. Formerly known keys are still read first.
   * @param id nothing: of all of them
   */
  forget(id?: string): void;
  readonly statistics: { known: number; unknown: number };
}

interface Entry {
  principal: Principal;
  /** The number of changes before it was read. */
  generation: number;
  readAtMs: number;
  readingAgain: boolean;
}

export const createPrincipals = (
  find: FindPrincipals,
  logger: Logger,
  nowMs: () => number = () => performance.now(),
): Principals => {
  const known = createEntryCache<string, Entry>(knownMax);
  const unknownUntilMs = createEntryCache<string, number>(unknownMax);
  /** Counts the changes. */
  let generation = 0;
  /** The latest change of everything, and those since by the id of what changed. */
  let allChangedAt = 0;
  const changedAt = new Map<string, number>();

  const isCurrent = ({ generation: readAt, principal: { workspaceId, subscriptionId } }: Entry): boolean =>
    readAt >= allChangedAt &&
    readAt >= (changedAt.get(workspaceId) ?? 0) &&
    readAt >= (changedAt.get(subscriptionId) ?? 0);

  const remember = (
    keyHash: string,
    principal: Principal | undefined,
    begun: { generation: number; ms: number },
  ): void => {
    if (principal) {
      known.set(keyHash, {
        principal,
        generation: begun.generation,
        readAtMs: begun.ms,
        readingAgain: false,
      });
      unknownUntilMs.delete(keyHash);
    } else {
      known.delete(keyHash);
      unknownUntilMs.set(keyHash, begun.ms + unknownForMs);
    }
  };

  const queries = createCoalescer<string, Principal>({
    keyOf: (keyHash) => keyHash,
    async runBatch(keyHashes) {
      const begun = { generation, ms: nowMs() };
      const found = await find(keyHashes);
      // What has changed since is for callers from before the change: it expires at once.
      for (const keyHash of keyHashes) {
        const principal = found.get(keyHash);
        if (principal || begun.generation === generation) remember(keyHash, principal, begun);
      }
      return found;
    },
    batchMax,
    waitingMax: [waitingMax.known, waitingMax.unknown],
    refusal: () => new ClientError('UNAVAILABLE', 'Too many keys are being looked up'),
  });

  const readAgain = (keyHash: string, entry: Entry): void => {
    if (entry.readingAgain) return;
    entry.readingAgain = true;
    queries.run(keyHash, lanes.known).catch((error: unknown) => {
      entry.readingAgain = false;
      logger.debug({ err: error }, 'could not refresh a key');
    });
  };

  return {
    async of(keyHash) {
      const entry = known.get(keyHash);
      if (entry) {
        const ageMs = nowMs() - entry.readAtMs;
        if (ageMs >= believedForMs || !isCurrent(entry)) return queries.run(keyHash, lanes.known);
        if (ageMs >= readAgainAfterMs) readAgain(keyHash, entry);
        return entry.principal;
      }
      if ((unknownUntilMs.get(keyHash) ?? 0) > nowMs()) return undefined;
      return queries.run(keyHash, lanes.unknown);
    },
    forget(id) {
      generation++;
      unknownUntilMs.clear();
      if (id && changedAt.size < changedMax) changedAt.set(id, generation);
      else {
        allChangedAt = generation;
        changedAt.clear();
      }
    },
    get statistics() {
      return { known: known.size, unknown: unknownUntilMs.size };
    },
  };
};
