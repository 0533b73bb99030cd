/** What a connection to PostgreSQL keeps of the changes of codes. */
import { beforeAll, expect, test } from 'vitest';
import { createLogger } from '#shared/logger.ts';
import { afterFile } from '../../../../deploy/testing/local.ts';
import { createOutbox } from '../../../framework/outbox.ts';
import { createPool, type Pool } from '../../../platform/db/pool.ts';
import { inTransaction } from '../../../platform/db/transaction.ts';
import {
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../../testing/control-plane.ts';
import type { CodeChanges } from './code.ts';
import { codeColumns } from './columns.ts';
import { lockCode } from './find.ts';
import { updateCode, writeCode } from './write.ts';

let plane: TestControlPlane;
let own: Workspace;
/** With a single connection. */
let pool: Pool;

beforeAll(async () => {
  plane = await startTestControlPlane();
  own = await plane.workspace();
  pool = createPool(plane.databaseUrl, 'test', createLogger('test', 'silent'), 1);
  afterFile(() => pool.end());
});

const change = (id: string, changes: CodeChanges) =>
  updateCode(pool, createOutbox([]), own.workspaceId, id, () => changes);

/** Names of the kept UPDATEs of codes, and how often each ran. */
const kept = async (): Promise<Record<string, number>> => {
  const { rows } = await pool.query<{ name: string; uses: number }>(
    `SELECT name, (generic_plans + custom_plans)::integer AS uses
     FROM pg_prepared_statements WHERE statement LIKE 'UPDATE codes%' AND name <> ''`,
  );
  return Object.fromEntries(rows.map(({ name, uses }) => [name, uses]));
};

test('a connection keeps the statement of one changed part, and none of several parts', async () => {
  const { id } = await own.createCode();
  await change(id, { destination: 'https://example.com/1' });
  await change(id, { destination: 'https://example.com/2' });
  await change(id, { destination: 'https://example.com/3', name: 'three' });
  expect(await kept()).toEqual({ 'update-code-destination-whole': 2 });
});

test('the same part is also changed where another shape of the code is read', async () => {
  const { id } = await own.createCode();
  const whole = await change(id, { name: 'one' });
  const plain = await inTransaction(pool, async (tx) =>
    writeCode(tx, await lockCode(tx, own.workspaceId, id), { name: 'two' }, codeColumns),
  );
  expect([whole.name, plain.name]).toEqual(['one', 'two']);
  expect(Object.keys(whole)).toContain('style');
  expect(Object.keys(plain)).not.toContain('style');
});
