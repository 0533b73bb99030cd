/** Suspends codes of any workspace: a suspended code leads nowhere, and only an operator can lift it. */
import { ownFieldsOf } from '#schemas/api/own-fields.ts';
import type { Outbox } from '../../../framework/outbox.ts';
import { isNoChange, noteSubject } from '../../../platform/db/actions.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import { inTransaction, type Transaction } from '../../../platform/db/transaction.ts';
import type { WholeCode } from './code.ts';
import { wholeColumns } from './columns.ts';
import { aboutCode } from './events.ts';
import { versionBeside, writeHistory } from './history.ts';
import { lockAnyCode } from './locks.ts';

interface Suspension {
  reason: string;
  since: string;
}

const suspensionOf = ({ suspendedAt, suspensionReason }: WholeCode): Suspension | null =>
  suspendedAt && { reason: suspensionReason ?? '', since: suspendedAt.toISOString() };

/** @param reason null: lifts it */
const writeSuspension = async (
  tx: Transaction,
  code: WholeCode,
  reason: string | null,
): Promise<WholeCode> => {
  const { rows } = await tx.query<WholeCode>({
    name: 'write-suspension',
    text: `UPDATE codes SET suspension_reason = $2, version = version + 1, updated_at = now(),
             suspended_at = CASE WHEN $2::text IS NOT NULL THEN coalesce(suspended_at, now()) END
           WHERE id = $1 RETURNING ${wholeColumns}`,
    values: [code.id, reason],
  });
  const written = rows[0]!;
  const change = { from: suspensionOf(code), to: suspensionOf(written) };
  await writeHistory(tx, [versionBeside(written, { suspension: change })]);
  return written;
};

/**
 * Suspends a code, or gives its suspension another reason. A code that is suspended for this reason stays as it is.
 * @returns the code as it is then, to be published
 * @throws {ClientError} NOT_FOUND
 */
export const suspendIn = async (
  tx: Transaction,
  outbox: Outbox,
  id: string,
  reason: string,
): Promise<WholeCode> => {
  const code = await lockAnyCode(tx, id);
  noteSubject({ workspaceId: code.workspaceId, resourceId: id });
  if (code.suspendedAt && code.suspensionReason === reason) {
    isNoChange(tx);
    return code;
  }
  const written = await writeSuspension(tx, code, reason);
  const data = { ...suspensionOf(written)!, ...ownFieldsOf(written) };
  await outbox.emit(tx, [{ type: 'qr.suspended', ...aboutCode(written), data }]);
  return written;
};

/** As {@link suspendIn}, in a transaction of its own. */
export const suspendCode = (pool: Pool, outbox: Outbox, id: string, reason: string): Promise<WholeCode> =>
  inTransaction(pool, (tx) => suspendIn(tx, outbox, id, reason));

/** Leaves a code that is not suspended as it is. @throws {ClientError} NOT_FOUND */
export const liftSuspension = (pool: Pool, outbox: Outbox, id: string): Promise<WholeCode> =>
  inTransaction(pool, async (tx) => {
    const code = await lockAnyCode(tx, id);
    noteSubject({ workspaceId: code.workspaceId, resourceId: id });
    if (!code.suspendedAt) {
      isNoChange(tx);
      return code;
    }
    const written = await writeSuspension(tx, code, null);
    await outbox.emit(tx, [
      { type: 'qr.suspension_lifted', ...aboutCode(written), data: ownFieldsOf(written) },
    ]);
    return written;
  });
