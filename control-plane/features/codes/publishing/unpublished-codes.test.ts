/** The states of an outbox row, in a real PostgreSQL. */

import { afterAll, beforeEach, expect, test } from 'vitest';
import { createLogger } from '#shared/logger.ts';
import { createTestDatabase } from '../../../../deploy/testing/index.ts';
import { createPool } from '../../../db/pool.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { addUnpublished, countUnpublished, markPublished, removeConfirmed } from './unpublished-codes.ts';

const pool = createPool(await createTestDatabase(), 'test', createLogger('test', 'silent'));
afterAll(() => pool.end());
beforeEach(async () => {
  await pool.query('DELETE FROM unpublished_codes');
});

const changeTo = (version: number) =>
  inTransaction(pool, (tx) => addUnpublished(tx, [{ id: 'abcdefghi', version }]));
const older = { id: 'abcdefghi', version: 1 };
const newer = { id: 'abcdefghi', version: 2 };

test('a newer version waits on when an older one is published', async () => {
  await changeTo(1);
  await changeTo(2);
  await markPublished(pool, [older]);
  expect(await countUnpublished(pool)).toEqual({ waiting: 1, published: 0, setAside: 0 });
  await markPublished(pool, [newer]);
  expect(await countUnpublished(pool)).toEqual({ waiting: 0, published: 1, setAside: 0 });
});

test('a newer version is not removed when an older one is confirmed', async () => {
  await changeTo(2);
  await markPublished(pool, [newer]);
  await removeConfirmed(pool, [older]);
  expect(await countUnpublished(pool)).toEqual({ waiting: 0, published: 1, setAside: 0 });
  await removeConfirmed(pool, [newer]);
  expect(await countUnpublished(pool)).toEqual({ waiting: 0, published: 0, setAside: 0 });
});
