/** Removes imports at night that have ended, or were never started, and that have made no progress for long. */
import { importKeptDays } from '#schemas/api/imports.ts';
import type { Pool, Queryable } from '../../../platform/db/pool.ts';
import { inTransaction, type Transaction } from '../../../platform/db/transaction.ts';
import { removeImport, type StoredImport, wholeImports } from './imports.ts';

/** Imports in one round. */
const roundMax = 100;

/** SQL: without progress for this long, and without a job that works on them. */
const isExpired = `"updatedAt" < now() - make_interval(days => ${importKeptDays})
  AND "checkStatus" IN ('completed', 'failed') AND coalesce("runStatus", 'completed') IN ('completed', 'failed')`;

const listExpired = async (db: Queryable): Promise<string[]> => {
  const { rows } = await db.query<{ id: string }>({
    name: 'list-expired-imports',
    text: `SELECT id FROM ${wholeImports} WHERE ${isExpired} LIMIT ${roundMax}`,
  });
  return rows.map(({ id }) => id);
};

/** One that was started since it was listed stays. */
const removeExpired = async (tx: Transaction, id: string): Promise<void> => {
  await tx.query({
    name: 'lock-expired-import',
    text: 'SELECT FROM imports WHERE id = $1 FOR NO KEY UPDATE',
    values: [id],
  });
  // A statement of its own: it sees what was committed while the lock was waited for.
  const { rows } = await tx.query<Pick<StoredImport, 'id' | 'runId'>>({
    name: 'find-expired-import',
    text: `SELECT id, "runId" FROM ${wholeImports} WHERE id = $1 AND ${isExpired}`,
    values: [id],
  });
  if (rows[0]) await removeImport(tx, rows[0]);
};

/** Round after round, until a round finds no more. */
export const sweepImports = async (pool: Pool): Promise<void> => {
  for (let found = await listExpired(pool); found.length > 0; found = await listExpired(pool))
    for (const id of found) await inTransaction(pool, (tx) => removeExpired(tx, id));
};
