/** Partitions of the audit log: made ahead of time, and dropped once all that they have is old. */
import { auditKeptDays } from '#schemas/api/audit.ts';
import type { Task } from '../../jobs/tasks.ts';
import type { Pool } from '../../platform/db/pool.ts';
import { inTransaction } from '../../platform/db/transaction.ts';

const daysAhead = 62;
/** Making and dropping a partition take a lock that others wait for, so the wait for that lock is short. */
const lockTimeoutMs = 1_000;
/** Rows that one statement removes. */
const sliceRows = 1_000;

/** @throws if another transaction is in the way: the next run tries again */
export const makeAuditPartitions = (pool: Pool): Promise<void> =>
  inTransaction(pool, async (tx) => {
    await tx.query(`SET LOCAL lock_timeout = ${lockTimeoutMs}`);
    await tx.query(
      `SELECT make_audit_partitions(day, day + ${daysAhead}) FROM (SELECT (now() AT TIME ZONE 'UTC')::date AS day) today`,
    );
  });

/** Partitions of months that ended before the instant. */
const listExpired = async (pool: Pool, before: Date): Promise<string[]> => {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = 'audit_log'::regclass AND c.relname ~ '_\\d{6}$'
       AND to_date(right(c.relname, 6), 'YYYYMM') + interval '1 month' <= ($1::timestamptz AT TIME ZONE 'UTC')
     ORDER BY 1`,
    [before.toISOString()],
  );
  return rows.map(({ name }) => name);
};

/** @throws if a partition is in use: the next run tries again */
export const removeOldAudit = async (pool: Pool, nowMs = Date.now()): Promise<void> => {
  const before = new Date(nowMs - auditKeptDays * 86_400_000);
  for (const name of await listExpired(pool, before))
    await inTransaction(pool, async (tx) => {
      await tx.query(`SET LOCAL lock_timeout = ${lockTimeoutMs}`);
      await tx.query(`DROP TABLE IF EXISTS ${name}`);
    });
  let removed: number | null;
  do {
    ({ rowCount: removed } = await pool.query(
      `DELETE FROM audit_log_default WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM audit_log_default WHERE at < $1 LIMIT ${sliceRows}))`,
      [before.toISOString()],
    ));
  } while (removed === sliceRows);
};

export const auditTasks = (pool: Pool): readonly Task[] => [
  { task: 'audit-partitions', schedule: '11 2 * * *', run: () => makeAuditPartitions(pool) },
  { task: 'remove-old-audit-entries', schedule: '23 2 * * *', run: () => removeOldAudit(pool) },
];
