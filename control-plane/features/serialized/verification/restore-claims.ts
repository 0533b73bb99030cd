/**
 * Restores claims from Redis into a PostgreSQL that was restored from a backup. Redis has the state of every item
 * scanned in the last day. With a backup from the last day, these are all claims made after it.
 */
import { itemKey, itemKeyPrefix, type VerificationEvent, verificationEvent } from '#schemas/verification.ts';
import type { Redis } from '#shared/redis.ts';
import { isItemIdShaped } from '#shared/serial-signatures.ts';
import type { Outbox } from '../../../framework/outbox.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import { inTransaction } from '../../../platform/db/transaction.ts';
import { claimBy } from './reports/claims.ts';
import { type ClaimedByBatch, recordClaimed, recordScans } from './reports/record-scans.ts';
import { lockItems } from './reports/store.ts';

/** Keys per round. */
const pageKeys = 1_000;

export interface RestoredClaims {
  /** Claimed items in Redis. */
  found: number;
  /** The ones of them that were unclaimed in PostgreSQL. */
  restored: number;
}

const firstScan = verificationEvent.shape.first;

/** The claimed items of some keys, by id. */
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

/** @returns how many items were newly claimed */
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
 * May be repeated, and run while items are scanned: a claim whose own report is on its way is counted once.
 * @throws if Redis or PostgreSQL does not answer: everything restored until then stays
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
