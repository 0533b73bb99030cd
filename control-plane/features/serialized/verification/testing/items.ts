/** For tests: batches and their items, and reports of redirectors about them. */
import { randomUUID } from 'node:crypto';
import type { VerificationEvent } from '#schemas/verification.ts';
import { prefixedIds, randomBase58 } from '#shared/ids.ts';
import type { Queryable } from '../../../../platform/db/pool.ts';

const batchIds = prefixedIds('batch');

export interface TestBatch {
  id: string;
  items: string[];
}

/** A batch of unscanned items. @param tenant its owner */
export const addBatch = async (
  db: Queryable,
  tenant: { workspaceId: string },
  count: number,
): Promise<TestBatch> => {
  const batch = { id: batchIds.create(), items: Array.from({ length: count }, () => randomBase58(12)) };
  await db.query(
    `INSERT INTO serialized_batches (id, workspace_id, subscription_id, name, product_sku, product_name, count, status, key_generation)
     SELECT $1, id, subscription_id, 'Spring', 'SKU-1', 'Shoe', $3, 'completed', 1 FROM workspaces WHERE id = $2`,
    [batch.id, tenant.workspaceId, count],
  );
  await db.query(
    `INSERT INTO serialized_items (id, batch_id, position)
     SELECT id, $1, position FROM unnest($2::text[]) WITH ORDINALITY AS item (id, position)`,
    [batch.id, batch.items],
  );
  return batch;
};

/** 2026-03-01 at noon, plus this many seconds. */
export const at = (seconds: number): number => Date.UTC(2026, 2, 1, 12) + seconds * 1000;

/** Scans of an item that is claimed in Germany at noon. */
export const scansOf = (itemId: string) => {
  const first = { atMs: at(0), country: 'DE' };
  const common = { itemId, batchId: 'batch_any', first, sameDevice: false };
  return {
    claim: (): VerificationEvent => ({ ...common, id: randomUUID(), ...first, claimed: true }),
    again: (seconds: number, changes: Partial<VerificationEvent> = {}): VerificationEvent => ({
      ...common,
      id: randomUUID(),
      atMs: at(seconds),
      country: 'DE',
      claimed: false,
      ...changes,
    }),
  };
};

export const linesOf = (events: readonly object[]): string =>
  events.map((event) => `${JSON.stringify(event)}\n`).join('');
