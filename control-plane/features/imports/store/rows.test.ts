/** The rows of imports in a real PostgreSQL. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLogger } from '#shared/logger.ts';
import { afterFile, createTestDatabase } from '../../../../deploy/testing/index.ts';
import { createPool } from '../../../platform/db/pool.ts';
import { inTransaction } from '../../../platform/db/transaction.ts';
import { createWorkspace } from '../../tenancy/store.ts';
import { toLink } from '../read/to-link.ts';
import { importIds, insertImport } from './imports.ts';
import { insertRows, readRows, sumBytes } from './rows.ts';

const now = new Date();

test('links come back as they were stored, whatever their characters, and count for their workspace alone', async () => {
  const pool = createPool(await createTestDatabase(), 'test', createLogger('test', 'silent'), 2);
  afterFile(() => pool.end());
  const [own, other] = [await createWorkspace(pool, 'a', 'free'), await createWorkspace(pool, 'b', 'free')];
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 50 }),
    fc.constantFrom('\\'.repeat(4_096), '\0', '\ud800', '{"a', '…'.repeat(4_096)),
  );
  const links = fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 30 });
  let bytes = 0;
  await fc.assert(
    fc.asyncProperty(links, async (given) => {
      const id = importIds.create();
      const rows = given.map(([destination, slug], position) => ({
        position,
        link: toLink(position, { shortLinks: [{ slug, host: null }], destination, title: slug }, now),
      }));
      const { workspaceId, subscriptionId } = own;
      await inTransaction(pool, async (tx) => {
        const nothing = { domain: null, host: null, skipped: 0, hosts: [], notes: [] };
        const of = { id, workspaceId, subscriptionId };
        await insertImport(tx, { ...of, source: 'kutt', sourceDetected: true, ...nothing }, rows.length);
        const bodies = rows.map(({ position, link }) => ({
          position,
          body: Buffer.from(JSON.stringify(link)),
        }));
        await insertRows(tx, id, bodies);
      });
      const positions = rows.map(({ position }) => position);
      expect(await readRows(pool, id, 'waiting', positions)).toEqual(rows);
      const sum = await sumBytes(pool, workspaceId);
      expect(sum).toBeGreaterThan(bytes);
      bytes = sum;
    }),
    { numRuns: 30 },
  );
  expect(await sumBytes(pool, other.workspaceId)).toBe(0);
});
