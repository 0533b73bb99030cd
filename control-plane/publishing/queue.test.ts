/** The states of a row of the queue, in a real PostgreSQL. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { createLogger } from '#shared/logger.ts';
import { createTestDatabase } from '../../deploy/testing/index.ts';
import { createPool } from '../platform/db/pool.ts';
import { inTransaction } from '../platform/db/transaction.ts';
import type { PublishedKind } from './kind.ts';
import {
  addUnpublished,
  claimDue,
  countUnpublished,
  markPublished,
  publishAgain,
  removeConfirmed,
} from './queue.ts';
import { createSweep } from './sweep.ts';

const pool = createPool(await createTestDatabase(), 'test', createLogger('test', 'silent'));
afterAll(() => pool.end());
beforeEach(async () => {
  await pool.query('DELETE FROM unpublished');
});

const makeDue = () => pool.query('UPDATE unpublished SET due_at = now()');

describe.each([
  ['code', 'abcdefghi'],
  ['gs1', 'gs1:01/09506000134352'],
])('of the kind %s', (kind, id) => {
  const older = { kind, id, version: 1 };
  const newer = { kind, id, version: 2 };
  const change = (to: typeof older) => inTransaction(pool, (tx) => addUnpublished(tx, [to]));

  test('a newer version waits on when an older one is published', async () => {
    await change(older);
    await change(newer);
    await markPublished(pool, [older]);
    expect(await countUnpublished(pool)).toEqual({ waiting: 1, published: 0, setAside: 0 });
    await markPublished(pool, [newer]);
    expect(await countUnpublished(pool)).toEqual({ waiting: 0, published: 1, setAside: 0 });
  });

  test('a newer version is not removed when an older one is confirmed', async () => {
    await change(newer);
    await markPublished(pool, [newer]);
    await removeConfirmed(pool, [older]);
    expect(await countUnpublished(pool)).toEqual({ waiting: 0, published: 1, setAside: 0 });
    await removeConfirmed(pool, [newer]);
    expect(await countUnpublished(pool)).toEqual({ waiting: 0, published: 0, setAside: 0 });
  });

  test('a sweep does not take for published what was acknowledged on a connection that ended meanwhile', async () => {
    await change(older);
    const connection = { number: 1 };
    const sent: number[] = [];
    const swept: PublishedKind = {
      name: kind,
      owns: () => true,
      read: async (ids) => ids.map((one) => ({ id: one, version: 1, recordVersion: 1, text: '1 {}' })),
      keyOf: (one) => one,
      format: 1,
      field: 'record',
    };
    const sweep = createSweep({
      pool,
      kind: swept,
      publisher: {
        async publish() {
          sent.push(connection.number);
          connection.number = 2;
        },
        confirm: async () => false,
      },
      connection,
      serially: (send) => send(),
      onRewritten: () => undefined,
      logger: createLogger('test', 'silent'),
    });
    await makeDue();
    await sweep();
    expect(await countUnpublished(pool)).toEqual({ waiting: 1, published: 0, setAside: 0 });
    await sweep();
    expect(await countUnpublished(pool)).toEqual({ waiting: 0, published: 1, setAside: 0 });
    expect(sent).toEqual([1, 2]);
  });
});

test('the same id in two kinds is two rows: each is claimed, marked and published again for its own kind', async () => {
  const rows = ['code', 'gs1'].map((kind) => ({ kind, id: 'same', version: 1 }));
  await inTransaction(pool, (tx) => addUnpublished(tx, [...rows, { ...rows[0]!, version: 3 }]));
  await makeDue();
  expect(await claimDue(pool, 'code', 10)).toEqual([{ ...rows[0], version: 3, state: 'waiting' }]);
  expect(await claimDue(pool, 'gs1', 10)).toEqual([{ ...rows[1], state: 'waiting' }]);
  await markPublished(pool, [{ ...rows[0]!, version: 3 }, rows[1]!]);
  await publishAgain(pool, 'gs1');
  const { rows: states } = await pool.query('SELECT kind, state FROM unpublished ORDER BY kind');
  expect(states).toEqual([
    { kind: 'code', state: 'published' },
    { kind: 'gs1', state: 'waiting' },
  ]);
});
