/** The events of conversions. */

import { valueUnit } from '#schemas/api/conversions.ts';
import { ownFieldsOf, type StoredOwnFields } from '#schemas/api/own-fields.ts';
import type { NewEvent } from '#schemas/events.ts';
import type { Outbox } from '../../framework/outbox.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { labelColumns } from '../codes/store/columns.ts';
import { labelsOf, type StoredLabels } from '../codes/store/events.ts';
import type { ConversionRow } from './rows.ts';

interface KnownCode extends StoredOwnFields, StoredLabels {
  id: string;
  version: number;
}

const readCodes = async (
  tx: Transaction,
  workspaceId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, KnownCode>> => {
  const { rows } = await tx.query<KnownCode>({
    name: 'read-converted-codes',
    text: `SELECT id, version::double precision AS version, external_id AS "externalId", metadata, notes, ${labelColumns}
           FROM codes
           WHERE workspace_id = $1 AND id = ANY($2)`,
    values: [workspaceId, ids],
  });
  return new Map(rows.map((row) => [row.id, row]));
};

const toEvent = (row: ConversionRow, code: KnownCode): NewEvent<'conversion.created'> => ({
  type: 'conversion.created',
  workspaceId: row.workspace_id,
  subject: { id: code.id, version: code.version },
  // When it was reported: feeds and webhooks are in this order.
  occurredAt: new Date(),
  labels: labelsOf(code),
  data: {
    conversionId: row.conversion_id,
    event: row.event,
    ...(row.currency !== '' && { value: row.units / valueUnit, currency: row.currency }),
    scannedAt: new Date(row.ts).toISOString(),
    occurredAt: new Date(row.occurred_at).toISOString(),
    ...(row.variant_id !== '' && { variantId: row.variant_id }),
    ...(row.rule_id !== '' && { ruleId: row.rule_id }),
    ...ownFieldsOf(code),
  },
});

/** Emits an event for each conversion that counts. @param rows of one workspace */
export const emitConversions = async (
  tx: Transaction,
  outbox: Outbox,
  rows: readonly ConversionRow[],
): Promise<void> => {
  const counted = rows.filter(({ kind }) => kind === 'scan');
  if (counted.length === 0) return;
  const codes = await readCodes(tx, counted[0]!.workspace_id, [
    ...new Set(counted.map(({ code_id }) => code_id)),
  ]);
  const events = counted.flatMap((row) => {
    const code = codes.get(row.code_id);
    return code ? [toEvent(row, code)] : [];
  });
  await outbox.emit(tx, events);
};
