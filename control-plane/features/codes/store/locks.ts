/** An operator's changes to single codes in any workspace. */

import type { Outbox } from '../../../framework/outbox.ts';
import { noteSubject } from '../../../platform/db/actions.ts';
import { refuseUnknown } from '../../../platform/db/owned.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import { inTransaction, type Transaction } from '../../../platform/db/transaction.ts';
import type { Locks, WholeCode } from './code.ts';
import { lockColumns, wholeColumns } from './columns.ts';
import { ownedCodes } from './find.ts';
import { applyChanges } from './write.ts';

/**
 * Locks a code against changes through the API. Scans continue as before, and an existing hold stays. The API shows no
 * locks, so there is no event.
 * @throws {ClientError} NOT_FOUND
 */
export const lockAgainstChanges = (pool: Pool, id: string, hold: boolean): Promise<Locks> =>
  setLocks(pool, 'compliance_locked = true, legal_hold = legal_hold OR $2', id, hold);

/** @throws {ClientError} NOT_FOUND */
export const liftLocks = (pool: Pool, id: string): Promise<Locks> =>
  setLocks(pool, 'compliance_locked = false, legal_hold = $2', id, false);

const setLocks = async (pool: Pool, set: string, id: string, hold: boolean): Promise<Locks> => {
  requireShape(id);
  return inTransaction(pool, async (tx) => {
    const { rows } = await tx.query<Locks & { workspaceId: string }>(
      `UPDATE codes SET ${set} WHERE id = $1 RETURNING workspace_id AS "workspaceId", ${lockColumns}`,
      [id, hold],
    );
    if (!rows[0]) return refuseUnknown(ownedCodes, id);
    const { workspaceId, ...locks } = rows[0];
    noteSubject({ workspaceId, resourceId: id });
    return locks;
  });
};

/**
 * Activates a code, even if its owner cannot. If it is active, nothing is written.
 * @throws {ClientError} NOT_FOUND
 */
export const activateCode = async (pool: Pool, outbox: Outbox, id: string): Promise<void> => {
  await inTransaction(pool, async (tx) => {
    const code = await lockAnyCode(tx, id);
    noteSubject({ workspaceId: code.workspaceId, resourceId: id });
    await applyChanges(tx, outbox, 'qr.updated', code, { status: 'active' });
  });
};

/** Locks a code of any workspace until the transaction ends. @throws {ClientError} NOT_FOUND */
export const lockAnyCode = async (tx: Transaction, id: string): Promise<WholeCode> => {
  requireShape(id);
  const { rows } = await tx.query<WholeCode>(
    `SELECT ${wholeColumns} FROM codes WHERE id = $1 FOR NO KEY UPDATE`,
    [id],
  );
  return rows[0] ?? refuseUnknown(ownedCodes, id);
};

const requireShape = (id: string): void => {
  if (!ownedCodes.isIdShaped(id)) refuseUnknown(ownedCodes, id);
};
