/** Removes data older than 30 days: events, deliveries, and ended replays. */
import { DatabaseError } from 'pg';
import type { Pool, Queryable } from '../../../platform/db/pool.ts';
import { inTransaction } from '../../../platform/db/transaction.ts';
import { replayJobs } from '../replays/store.ts';

export const keptDays = 30;
/** Rows that one statement removes, in some ten milliseconds. */
const sliceRows = 1_000;
/** A partition is dropped only if its table is idle; others wait for at most this long. */
const lockTimeout = '500ms';
const lockNotAvailable = '55P03';

const parents = ['webhook_events', 'webhook_deliveries'] as const;

/** Partitions of days that ended before the instant, the oldest first. */
const listExpiredPartitions = async (db: Queryable, before: Date): Promise<string[]> => {
  const { rows } = await db.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = ANY (ARRAY['${parents.join("', '")}']::regclass[]) AND c.relname ~ '_\\d{8}$'
       AND to_date(right(c.relname, 8), 'YYYYMMDD') + 1 <= ($1::timestamptz AT TIME ZONE 'UTC')
     ORDER BY right(c.relname, 8), 1`,
    [before.toISOString()],
  );
  return rows.map(({ name }) => name);
};

/** @returns false if the table was in use: the next run retries */
const dropPartition = async (pool: Pool, name: string): Promise<boolean> => {
  try {
    await inTransaction(pool, async (tx) => {
      await tx.query(`SET LOCAL lock_timeout = '${lockTimeout}'`);
      await tx.query(`DROP TABLE IF EXISTS ${name}`);
    });
    return true;
  } catch (error) {
    if (error instanceof DatabaseError && error.code === lockNotAvailable) return false;
    throw error;
  }
};

/** Deletes rows of days that have no partition. @returns how many were deleted */
const deleteFromDefault = async (
  db: Queryable,
  parent: (typeof parents)[number],
  before: Date,
): Promise<number> => {
  const { rowCount } = await db.query(
    `DELETE FROM ${parent}_default WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM ${parent}_default WHERE placed_at < $1 LIMIT ${sliceRows}))`,
    [before.toISOString()],
  );
  return rowCount ?? 0;
};

/** SQL: each webhook that has rows in the queue, by one index lookup each. */
const queuedWebhooks = `WITH RECURSIVE queued AS (
    (SELECT webhook_id FROM webhook_queue ORDER BY webhook_id LIMIT 1)
    UNION ALL
    SELECT (SELECT q.webhook_id FROM webhook_queue q WHERE q.webhook_id > queued.webhook_id ORDER BY q.webhook_id LIMIT 1)
    FROM queued WHERE queued.webhook_id IS NOT NULL
  )`;

/**
 * Deletes deliveries that have waited so long that their event has expired: their webhook is paused.
 * @returns how many were deleted
 */
const deleteFromQueue = async (db: Queryable, before: Date): Promise<number> => {
  const { rowCount } = await db.query(
    `${queuedWebhooks}
     DELETE FROM webhook_queue WHERE id = ANY (ARRAY(
       SELECT old.id FROM queued, LATERAL (
         SELECT id FROM webhook_queue q WHERE q.webhook_id = queued.webhook_id AND q.placed_at < $1
         ORDER BY q.placed_at LIMIT ${sliceRows}
       ) old LIMIT ${sliceRows}))`,
    [before.toISOString()],
  );
  return rowCount ?? 0;
};

const deleteReplays = async (db: Queryable, before: Date): Promise<number> => {
  const { rowCount } = await db.query(
    `DELETE FROM jobs WHERE id = ANY (ARRAY(
       SELECT id FROM jobs WHERE kind = $2 AND completed_at < $1 LIMIT ${sliceRows}))`,
    [before.toISOString(), replayJobs.name],
  );
  return rowCount ?? 0;
};

const repeat = async (slice: () => Promise<number>): Promise<void> => {
  while ((await slice()) === sliceRows);
};

/** @param onBusy called for a partition that is in use: the next run retries */
export const removeExpired = async (
  pool: Pool,
  onBusy: (partition: string) => void,
  nowMs = Date.now(),
): Promise<void> => {
  const before = new Date(nowMs - keptDays * 86_400_000);
  // References to events first.
  await repeat(() => deleteFromQueue(pool, before));
  await repeat(() => deleteReplays(pool, before));
  for (const name of await listExpiredPartitions(pool, before))
    if (!(await dropPartition(pool, name))) onBusy(name);
  for (const parent of parents) await repeat(() => deleteFromDefault(pool, parent, before));
};
