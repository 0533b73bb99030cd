/** The states of an outbox row, in a real PostgreSQL. */

import { pino } from 'pino';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase } from '../../../../deploy/testing/index.ts';
import { createPool } from '../../../db/pool.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { addUnpublished, countUnpublished, markPublished, removeConfirmed } from './unpublished-codes.ts';

const pool = createPool(await createTestDatabase(), 'test', pino({ level: 'silent' }));
afterAll(() => pool.end());
beforeEach(async () => {
  await pool.query('DELETE FROM unpublished_codes');
});

const changeTo = (version: number) =>
  inTransaction(pool, (tx) => addUnpublished(tx, [{ id: 'abcdefghi', version }]));
const older = { id: 'abcdefghi', version: 1 };
const newer = { id: 'abcdefghi', version: 2 };

test('that an older version was published says nothing of a newer one, which waits on', async () => {
  await changeTo(1);
  await changeTo(2);
  await markPublished(pool, [older]);
  expect(await countUnpublished(pool)).toEqual({ waiting: 1, published: 0, setAside: 0 });
  await markPublished(pool, [newer]);
  expect(await countUnpublished(pool)).toEqual({ waiting: 0, published: 1, setAside: 0 });
});

test('that an older version was confirmed does not remove a newer one', async () => {
  await changeTo(2);
  await markPublished(pool, [newer]);
  await removeConfirmed(pool, [older]);
  expect(await countUnpublished(pool)).toEqual({ waiting: 0, published: 1, setAside: 0 });
  await removeConfirmed(pool, [newer]);
  expect(await countUnpublished(pool)).toEqual({ waiting: 0, published: 0, setAside: 0 });
});
