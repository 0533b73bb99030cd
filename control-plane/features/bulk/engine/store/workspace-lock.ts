/** The lock by which a workspace has one slice at a time. */
import type { Transaction } from '../../../../db/transaction.ts';

/** Any number, so that other advisory locks with two keys are other ones. */
const lockClass = 7_203_949;

/** Until the transaction ends. @returns false where another transaction has it */
export const tryLockWorkspace = async (tx: Transaction, workspaceId: string): Promise<boolean> => {
  const { rows } = await tx.query<{ locked: boolean }>({
    name: 'try-lock-bulk-workspace',
    text: 'SELECT pg_try_advisory_xact_lock($1, hashtext($2)) AS locked',
    values: [lockClass, workspaceId],
  });
  return rows[0]!.locked;
};

/** SQL: the hashes of the workspaces that are locked. */
export const lockedWorkspaces = `SELECT objid FROM pg_locks JOIN pg_database d ON d.oid = pg_locks.database
  WHERE locktype = 'advisory' AND classid = ${lockClass} AND objsubid = 2 AND granted AND datname = current_database()`;
