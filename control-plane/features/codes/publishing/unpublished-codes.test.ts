/** The states of an outbox row, in a real PostgreSQL. */
import { afterAll, beforeEach, expect, test } from 'vitest';
import { createLogger } from '#shared/logger.ts';
import { createTestDatabase } from '../../../../deploy/testing/index.ts';
import { createPool } from '../../../db/pool.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { createSweep } from './sweep.ts';
import {
  addUnpublished,
  codeQueue,
  countUnpublished,
  markPublished,
  removeConfirmed,
} from './unpublished-codes.ts';

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

test('a sweep does not take for published what was acknowledged on a connection that ended meanwhile', async () => {
  await changeTo(1);
  const connection = { number: 1 };
  const sent: number[] = [];
  const sweep = createSweep({
    pool,
    queue: codeQueue,
    read: async (ids) => new Map(ids.map((id) => [id, { version: 1, record: id, chars: 1 }])),
    publisher: {
      async publish() {
        sent.push(connection.number);
        connection.number = 2;
      },
      confirm: async () => false,
    },
    connection,
    onRewritten: () => undefined,
    logger: createLogger('test', 'silent'),
  });
  await pool.query('UPDATE unpublished_codes SET due_at = now()');
  await sweep();
  expect(await countUnpublished(pool)).toEqual({ waiting: 1, published: 0, setAside: 0 });
  await sweep();
  expect(await countUnpublished(pool)).toEqual({ waiting: 0, published: 1, setAside: 0 });
  expect(sent).toEqual([1, 2]);
});
