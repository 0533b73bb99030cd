/**
 * Which conversions are known, for all control planes: PostgreSQL decides who was first. A conversion is claimed, then written
 * to ClickHouse, then marked as recorded. Whatever ends in between, the same report goes on where it ended.
 */
import { prefixedIds } from '#shared/ids.ts';
import type { Pool } from '../../platform/db/pool.ts';
import type { Transaction } from '../../platform/db/transaction.ts';

export const conversionIds = prefixedIds('conv');

/** What names a conversion in its workspace, and the hash of all that is reported of it. */
export interface ReportedKey {
  key: Buffer;
  digest: Buffer;
}

export interface Claim {
  id: string;
  digest: Buffer;
  claimedAt: Date;
  recorded: boolean;
}

/** @param key 16 bytes */
export const nameOf = (key: Buffer): string => key.toString('hex');

/** In the order of their keys, so that two calls cannot deadlock. */
const inOrder = (reported: readonly ReportedKey[]): ReportedKey[] => [
  ...new Map(
    reported
      .map((each) => [nameOf(each.key), each] as const)
      .reverse()
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  ).values(),
];

/** Claims the keys that are new. @returns the claims of all keys, by {@link nameOf} */
export const claimKeys = async (
  pool: Pool,
  workspaceId: string,
  reported: readonly ReportedKey[],
): Promise<ReadonlyMap<string, Claim>> => {
  if (reported.length === 0) return new Map();
  const sorted = inOrder(reported);
  const keys = sorted.map(({ key }) => key);
  await pool.query({
    name: 'claim-conversions',
    text: `INSERT INTO conversion_keys (workspace_id, key, digest, id)
           SELECT $1, key, digest, id FROM unnest($2::bytea[], $3::bytea[], $4::text[]) AS given (key, digest, id)
           ON CONFLICT (workspace_id, key) DO NOTHING`,
    values: [workspaceId, keys, sorted.map(({ digest }) => digest), sorted.map(() => conversionIds.create())],
  });
  const { rows } = await pool.query<Claim & { key: Buffer }>({
    name: 'read-conversion-claims',
    text: `SELECT key, id, digest, claimed_at AS "claimedAt", recorded FROM conversion_keys
           WHERE workspace_id = $1 AND key = ANY($2)`,
    values: [workspaceId, keys],
  });
  return new Map(rows.map(({ key, ...claim }) => [nameOf(key), claim]));
};

/** @returns the ids of conversions that this call is the first to mark */
export const markRecorded = async (
  tx: Transaction,
  workspaceId: string,
  keys: readonly Buffer[],
): Promise<ReadonlySet<string>> => {
  const { rows } = await tx.query<{ id: string }>({
    name: 'mark-conversions-recorded',
    text: `UPDATE conversion_keys SET recorded = true
           WHERE workspace_id = $1 AND key IN (
             SELECT key FROM conversion_keys WHERE workspace_id = $1 AND key = ANY($2) AND NOT recorded
             ORDER BY key FOR UPDATE
           ) RETURNING id`,
    values: [workspaceId, keys],
  });
  return new Set(rows.map(({ id }) => id));
};

/** Longer than a scan can convert: a repeat of the same report is refused afterwards, and never counted twice. */
export const keptDays = 92;
const sliceRows = 1_000;

/** Removes old keys, a slice at a time. @throws PostgreSQL's error: the next run goes on */
export const removeOldKeys = async (pool: Pool, now: Date): Promise<void> => {
  const before = new Date(now.getTime() - keptDays * 86_400_000).toISOString();
  let removed: number | null;
  do {
    ({ rowCount: removed } = await pool.query({
      name: 'remove-old-conversion-keys',
      text: `DELETE FROM conversion_keys WHERE ctid = ANY (ARRAY(
               SELECT ctid FROM conversion_keys WHERE claimed_at < $1 LIMIT ${sliceRows}))`,
      values: [before],
    }));
  } while (removed === sliceRows);
};
