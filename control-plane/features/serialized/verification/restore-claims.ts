/**
 * Brings claims from Redis back into a PostgreSQL that was restored from a backup. Redis has the state of every item that was
 * scanned in the last day: with a backup of the last day, all claims that were made after it.
 */
import { itemKey, itemKeyPrefix, type VerificationEvent, verificationEvent } from '#schemas/verification.ts';
import type { Redis } from '#shared/redis.ts';
import { isItemIdShaped } from '#shared/serial-signatures.ts';
import type { Pool } from '../../../db/pool.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { Outbox } from '../../../outbox/outbox.ts';
import { claimBy } from './segments/claims.ts';
import { type ClaimedByBatch, recordClaimed, recordScans } from './segments/record-scans.ts';
import { lockItems } from './segments/store.ts';

/** Keys that are looked at together. */
const pageKeys = 1_000;

export interface RestoredClaims {
  /** Claimed items that Redis has. */
  found: number;
  /** Those of them that PostgreSQL had as unclaimed. */
  restored: number;
}

const firstScan = verificationEvent.shape.first;

/** The claimed ones of some keys, by the ids of their items. */
const readClaims = async (
  redis: Redis,
  keys: readonly string[],
): Promise<Map<string, VerificationEvent['first']>> => {
  const ids = keys.map((key) => key.slice(itemKeyPrefix.length)).filter(isItemIdShaped);
  const claims = new Map<string, VerificationEvent['first']>();
  await Promise.all(
    ids.map(async (id) => {
      const [state, at, country] = await redis.hmget(itemKey(id), 'state', 'at', 'country');
      const first = firstScan.safeParse({ atMs: Number(at), country });
      if (state === 'claimed' && first.success) claims.set(id, first.data);
    }),
  );
  return claims;
};

/** @returns how many items are claimed now that were not */
const restorePage = (
  pool: Pool,
  outbox: Outbox,
  claims: ReadonlyMap<string, VerificationEvent['first']>,
): Promise<number> =>
  inTransaction(pool, async (tx) => {
    const items = await lockItems(tx, [...claims.keys()]);
    const scans = items.flatMap((item) => claimBy(item, claims.get(item.id)!) ?? []);
    const claimed: ClaimedByBatch = new Map();
    await recordScans(tx, outbox, items, scans, claimed);
    await recordClaimed(tx, claimed);
    return scans.length;
  });

/**
 * May be run again, and while items are scanned: a claim whose own report is on its way is counted once.
 * @throws when Redis or PostgreSQL does not answer: what was restored until then stays
 */
export const restoreClaims = async (pool: Pool, outbox: Outbox, redis: Redis): Promise<RestoredClaims> => {
  const total = { found: 0, restored: 0 };
  let cursor = '0';
  do {
    const [next, keys] = await redis.scan(cursor, 'MATCH', `${itemKeyPrefix}*`, 'COUNT', pageKeys);
    cursor = next;
    const claims = await readClaims(redis, keys);
    if (claims.size > 0) total.restored += await restorePage(pool, outbox, claims);
    total.found += claims.size;
  } while (cursor !== '0');
  return total;
};
