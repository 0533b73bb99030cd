/**
 * The principals of keys, remembered: a request costs no database read for its key.
 *
 * An entry is read again in the background once it is ten seconds old, and is not believed once it is thirty: that is
 * the guarantee. A change of keys or plans is announced (forgetAll), so that it takes effect at once: that is the hint.
 *
 * Unknown keys are remembered, too, apart from the known ones, so that they cannot displace them. There is one query at a
 * time: a flood of keys that nobody knows costs the database a few queries by primary key, however large it is. Keys that
 * have been known wait in a lane of their own, which is read first, so that the flood delays them by one query at most.
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
/** Keys in one query. */
const batchMax = 500;
/** More than this wait only where the database is too slow to be asked. */
const waitingMax = { known: knownMax, unknown: 20_000 };
/** The lanes of the reader. */
const lanes = { known: 0, unknown: 1 } as const;

/** Finds those of the keys, by the SHA-256 of each in base64url, that exist and are not revoked. */
export type FindPrincipals = (keyHashes: readonly string[]) => Promise<ReadonlyMap<string, Principal>>;

export interface Principals {
  /**
   * The principal of the key with this hash; undefined for an unknown or revoked key.
   * @throws what the database says, where it has to be asked; {ClientError} UNAVAILABLE where too many wait for it
   */
  of(keyHash: string): Promise<Principal | undefined>;
  /** Nothing that is remembered is believed any more. The keys that were known are still read first. */
  forgetAll(): void;
  readonly statistics: { known: number; unknown: number };
}

interface Entry {
  principal: Principal;
  /** An entry of an earlier generation is not believed: a change has come since. */
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
  let generation = 0;

  const remember = (keyHash: string, principal: Principal | undefined, readAtMs: number): void => {
    if (principal) {
      known.set(keyHash, { principal, generation, readAtMs, readingAgain: false });
      unknownUntilMs.delete(keyHash);
    } else {
      known.delete(keyHash);
      unknownUntilMs.set(keyHash, readAtMs + unknownForMs);
    }
  };

  const queries = createCoalescer<string, Principal>({
    keyOf: (keyHash) => keyHash,
    async runBatch(keyHashes) {
      const begun = { generation, ms: nowMs() };
      const found = await find(keyHashes);
      // A change has come since: the answer is for those who asked before it, and is not remembered.
      if (begun.generation === generation)
        for (const keyHash of keyHashes) remember(keyHash, found.get(keyHash), begun.ms);
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
      logger.debug({ err: error }, 'a key could not be read again');
    });
  };

  return {
    async of(keyHash) {
      const entry = known.get(keyHash);
      if (entry) {
        const ageMs = nowMs() - entry.readAtMs;
        if (ageMs >= believedForMs || entry.generation !== generation)
          return queries.run(keyHash, lanes.known);
        if (ageMs >= readAgainAfterMs) readAgain(keyHash, entry);
        return entry.principal;
      }
      if ((unknownUntilMs.get(keyHash) ?? 0) > nowMs()) return undefined;
      return queries.run(keyHash, lanes.unknown);
    },
    forgetAll() {
      generation++;
      unknownUntilMs.clear();
    },
    get statistics() {
      return { known: known.size, unknown: unknownUntilMs.size };
    },
  };
};
