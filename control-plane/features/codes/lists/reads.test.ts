/** Reads of lists, which are cut off if they take too long. */
import { expect, test } from 'vitest';
import { createLogger } from '#shared/logger.ts';
import { afterFile, createTestDatabase } from '../../../../deploy/testing/index.ts';
import { createPool } from '../../../platform/db/pool.ts';
import { inBoundedRead } from './reads.ts';

const pool = createPool(await createTestDatabase(), 'test', createLogger('test', 'silent'), 1);
afterFile(() => pool.end());

test('the first statement of a read is cut off as the others are, and its connection serves on', async () => {
  const work = inBoundedRead(pool, (tx) => tx.query('SELECT pg_sleep(9)'));
  await expect(work).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect(await inBoundedRead(pool, async (tx) => (await tx.query('SELECT 7 AS seven')).rows)).toEqual([
    { seven: 7 },
  ]);
  expect(pool.totalCount).toBe(1);
});
