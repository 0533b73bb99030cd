/**
 * Whom keys speak for, remembered: a request costs no database read for its key.
 *
 * An entry is read again in the background once it is ten seconds old, and is not believed once it is thirty: that is
 * the guarantee. A change of keys or plans is announced (forgetAll), so that it takes effect at once: that is the hint.
 *
 * Unknown keys are remembered, too, apart from the known ones, so that they cannot displace them. And there is one query
 * at a time; what is asked for meanwhile goes together into the next one. A flood of keys that nobody knows costs the
 * database a few queries by primary key, however large it is; and keys that have been known wait in a queue of their own,
 * which is read first, so that the flood delays them by one query at most.
 */
import { LRUCache } from 'lru-cache';
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
/** Of each kind. More than this wait only where the database is too slow to be asked. */
const waitingMax = { known: knownMax, unknown: 20_000 };

/** Finds those of the keys, by the SHA-256 of each in base64url, that exist and are not revoked. */
export type FindPrincipals = (keyHashes: readonly string[]) => Promise<ReadonlyMap<string, Principal>>;

export interface Principals {
  /**
   * Whom the key with this hash speaks for; undefined for an unknown or revoked one.
   * @throws what the database says, where it has to be asked
   */
  of(keyHash: string): Promise<Principal | undefined>;
  /** What is remembered is believed no more; which keys were known still decides who is asked for first. */
  forgetAll(): void;
  readonly statistics: { known: number; unknown: number };
}

interface Entry {
  principal: Principal;
  /** Older than the present one: a change has come since. */
  generation: number;
  readAtMs: number;
  readingAgain: boolean;
}

type Kind = keyof typeof waitingMax;
type Queue = Map<string, PromiseWithResolvers<Principal | undefined>>;

export const createPrincipals = (
  find: FindPrincipals,
  logger: Logger,
  nowMs: () => number = () => performance.now(),
): Principals => {
  const known = new LRUCache<string, Entry>({ max: knownMax });
  const unknownUntilMs = new LRUCache<string, number>({ max: unknownMax });
  const waiting: Record<Kind, Queue> = { known: new Map(), unknown: new Map() };
  let reading = false;
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

  const takeFrom = (queue: Queue, countMax: number) => {
    const taken = [...queue.entries().take(countMax)];
    for (const [keyHash] of taken) queue.delete(keyHash);
    return taken;
  };

  const readBatch = async (): Promise<void> => {
    const batch = takeFrom(waiting.known, batchMax);
    batch.push(...takeFrom(waiting.unknown, batchMax - batch.length));
    const begun = { generation, ms: nowMs() };
    try {
      const found = await find(batch.map(([keyHash]) => keyHash));
      for (const [keyHash, answer] of batch) {
        // What was read before a change is an answer to who asked before it, and to nobody else.
        if (begun.generation === generation) remember(keyHash, found.get(keyHash), begun.ms);
        answer.resolve(found.get(keyHash));
      }
    } catch (error) {
      for (const [, answer] of batch) answer.reject(error);
    }
  };

  const readAll = async (): Promise<void> => {
    reading = true;
    while (waiting.known.size + waiting.unknown.size > 0) await readBatch();
    reading = false;
  };

  const read = async (keyHash: string, kind: Kind): Promise<Principal | undefined> => {
    const asked = waiting[kind].get(keyHash);
    if (asked) return asked.promise;
    if (waiting[kind].size >= waitingMax[kind])
      throw new ClientError('UNAVAILABLE', 'Too many keys are being looked up');
    const answer = Promise.withResolvers<Principal | undefined>();
    waiting[kind].set(keyHash, answer);
    if (!reading) void readAll();
    return answer.promise;
  };

  const readAgain = (keyHash: string, entry: Entry): void => {
    if (entry.readingAgain) return;
    entry.readingAgain = true;
    read(keyHash, 'known').catch((error: unknown) => {
      entry.readingAgain = false;
      logger.debug({ err: error }, 'a key could not be read again');
    });
  };

  return {
    async of(keyHash) {
      const entry = known.get(keyHash);
      if (entry) {
        const ageMs = nowMs() - entry.readAtMs;
        if (ageMs >= believedForMs || entry.generation !== generation) return read(keyHash, 'known');
        if (ageMs >= readAgainAfterMs) readAgain(keyHash, entry);
        return entry.principal;
      }
      if ((unknownUntilMs.get(keyHash) ?? 0) > nowMs()) return undefined;
      return read(keyHash, 'unknown');
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
