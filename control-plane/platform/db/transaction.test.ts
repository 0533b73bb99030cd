/** Transactions, on a real server; journeys to it are counted by a proxy between. */
import { once } from 'node:events';
import net from 'node:net';
import pg from 'pg';
import { from } from 'pg-copy-streams';
import { beforeEach, expect, test } from 'vitest';
import { createLogger } from '#shared/logger.ts';
import { afterFile, createTestDatabase } from '../../../deploy/testing/index.ts';
import { createPool, type Pool } from './pool.ts';
import { queryTogether } from './series.ts';
import { inTransaction, type Transaction } from './transaction.ts';

const url = await createTestDatabase();

let journeys = 0;
/** Each time that the client speaks after the server: what it sends meanwhile travels together. */
const countingProxy = async (target: URL): Promise<string> => {
  const server = net.createServer((client) => {
    const upstream = net.connect(Number(target.port), target.hostname);
    let isAnswered = true;
    client.on('data', (bytes) => {
      if (isAnswered) journeys++;
      isAnswered = false;
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      isAnswered = true;
      client.write(bytes);
    });
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const)
      from.on('close', () => to.destroy()).on('error', () => to.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterFile(() => void server.close());
  const through = new URL(target);
  through.port = String((server.address() as net.AddressInfo).port);
  return through.href;
};

const pool: Pool = createPool(await countingProxy(new URL(url)), 'test', createLogger('test', 'silent'), 1);
afterFile(() => pool.end());
await pool.query('CREATE TABLE things (id integer PRIMARY KEY)');

beforeEach(async () => {
  await pool.query('TRUNCATE things');
});

const insert = (id: unknown) => ({
  name: 'insert-thing',
  text: 'INSERT INTO things VALUES ($1)',
  values: [id],
});
const fail = { name: 'fail', text: 'SELECT 1 / $1::integer', values: [0] };

const ids = async (): Promise<number[]> =>
  (await pool.query<{ id: number }>('SELECT id FROM things ORDER BY id')).rows.map(({ id }) => id);

const journeysOf = async (work: (tx: Transaction) => Promise<unknown>): Promise<number> => {
  const before = journeys;
  await inTransaction(pool, work);
  return journeys - before;
};

test('BEGIN travels with the first statement, statements of one turn with each other, and those for the commit with it', async () => {
  const made = await journeysOf(async (tx) => {
    await tx.query(insert(1));
    await Promise.all([tx.query(insert(2)), tx.query('SELECT 1'), tx.query(insert(3))]);
    tx.queryAtCommit(insert(4));
    tx.queryAtCommit(insert(5));
  });
  expect([made, await ids()]).toEqual([3, [1, 2, 3, 4, 5]]);
});

test('a transaction without statements makes no journey', async () => {
  expect(await journeysOf(async () => {})).toBe(0);
});

test('statements that are asked for while others are under way wait, and run in their order', async () => {
  const found = await inTransaction(pool, async (tx) => {
    const first = tx.query(insert(1));
    await Promise.resolve();
    await Promise.resolve();
    const counts = [2, 3].map(async (id) => {
      await tx.query(insert(id));
      return (await tx.query<{ count: string }>('SELECT count(*) FROM things')).rows[0]!.count;
    });
    return [await first.then(({ command }) => command), ...(await Promise.all(counts))];
  });
  expect(found).toEqual(['INSERT', '3', '3']);
});

test('a statement after one that fails does not run, fails with the same error, and the connection is as good as before', async () => {
  const never = { name: 'never-parsed-before', text: 'INSERT INTO things VALUES (9) RETURNING id' };
  const failed = inTransaction(pool, async (tx) => {
    const results = await Promise.allSettled([tx.query(insert(1)), tx.query(fail), tx.query(never)]);
    expect(results).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: { code: '22012' } },
      { status: 'rejected', reason: { code: '22012' } },
    ]);
    throw new Error('undo');
  });
  await expect(failed).rejects.toThrow('undo');
  expect(await ids()).toEqual([]);
  // What was sent, and never prepared, is prepared now.
  const { rows } = await inTransaction(pool, (tx) => tx.query(never));
  expect(rows).toEqual([{ id: 9 }]);
  expect(pool.totalCount).toBe(1);
});

test('a series outside of a transaction stops at its first error', async () => {
  await expect(queryTogether(pool, [insert(1), fail, insert(2)])).rejects.toMatchObject({ code: '22012' });
  expect(await ids()).toEqual([]);
  const [one, two] = await queryTogether<[{ a: number }, { b: string }]>(pool, [
    { text: 'SELECT 1 AS a' },
    { text: 'SELECT $1 AS b', values: ['x'] },
  ]);
  expect([one.rows, two.rows]).toEqual([[{ a: 1 }], [{ b: 'x' }]]);
});

test('a first statement that fails leaves nothing, whatever comes after it', async () => {
  const work = inTransaction(pool, async (tx) => {
    await Promise.allSettled([tx.query(fail), tx.query(insert(1))]);
    await tx.query(insert(2));
  });
  await expect(work).rejects.toMatchObject({ code: '25P02' });
  expect(await ids()).toEqual([]);
});

test('the error of a statement says who asked', async () => {
  const divide = async (tx: Transaction) => void (await tx.query(fail));
  await expect(inTransaction(pool, divide)).rejects.toMatchObject({
    code: '22012',
    stack: expect.stringContaining('divide'),
  });
  const askBoth = async () => void (await queryTogether(pool, [insert(1), fail]));
  await expect(askBoth()).rejects.toMatchObject({ stack: expect.stringContaining('askBoth') });
});

test('statements for the commit are run also if there are no others', async () => {
  expect(await journeysOf(async (tx) => tx.queryAtCommit(insert(1)))).toBe(1);
  expect(await ids()).toEqual([1]);
});

test('a statement for the commit that fails undoes the transaction', async () => {
  const work = inTransaction(pool, async (tx) => {
    await tx.query(insert(1));
    tx.queryAtCommit(fail);
    tx.queryAtCommit(insert(2));
  });
  await expect(work).rejects.toMatchObject({ code: '22012' });
  expect(await ids()).toEqual([]);
});

test('a commit that PostgreSQL turns into a rollback is an error', async () => {
  const work = inTransaction(pool, async (tx) => {
    await tx.query(insert(1));
    await tx.query(fail).catch(() => {});
  });
  await expect(work).rejects.toThrow('PostgreSQL rolled the transaction back');
  expect(await ids()).toEqual([]);
});

test('a statement after the end of a transaction is refused', async () => {
  let kept: Transaction | undefined;
  const keep = async (tx: Transaction) => {
    kept = tx;
    await tx.query(insert(1));
  };
  await inTransaction(pool, keep);
  await expect(kept!.query(insert(2))).rejects.toThrow('the transaction is over');
  await inTransaction(pool, async (tx) => {
    await keep(tx);
    throw new Error('undo');
  }).catch(() => {});
  await expect(kept!.query(insert(3))).rejects.toThrow('the transaction is over');
  expect(await ids()).toEqual([1]);
});

test('a stream after the end of a transaction is refused', async () => {
  let kept: Transaction | undefined;
  await inTransaction(pool, async (tx) => {
    kept = tx;
    await tx.query(insert(1));
  });
  expect(() => kept!.query(from('COPY things FROM STDIN'))).toThrow('the transaction is over');
});

test('a statement beside the commit is refused', async () => {
  let late: Promise<unknown> | undefined;
  await inTransaction(pool, async (tx) => {
    await tx.query(insert(1));
    void Promise.resolve()
      .then(() => {})
      .then(() => {
        setImmediate(() => {
          late = tx.query(insert(2)).catch(({ message }: Error) => message);
        });
      });
  });
  await expect.poll(() => late).toBe('the transaction is over');
  expect(await ids()).toEqual([1]);
});

test('a value that cannot be sent fails the statements that travel with it, and the connection serves on', async () => {
  const circular: { self?: unknown } = {};
  circular.self = circular;
  const work = inTransaction(pool, async (tx) => {
    const results = await Promise.allSettled([
      tx.query(insert(1)),
      tx.query({ text: 'SELECT $1', values: [circular] }),
      tx.query(insert(2)),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    throw new Error('undo');
  });
  await expect(work).rejects.toThrow('undo');
  expect(await ids()).toEqual([]);
  expect(pool.totalCount).toBe(1);
});

test('a statement with a value that cannot be sent is prepared again when it can', async () => {
  const cast = (value: unknown) => ({
    name: 'cast-to-json',
    text: 'SELECT $1::json AS made',
    values: [value],
  });
  const circular: { self?: unknown } = {};
  circular.self = circular;
  const made = async () => (await inTransaction(pool, (tx) => tx.query(cast({ a: 1 })))).rows;
  await expect(inTransaction(pool, (tx) => tx.query(cast(circular)))).rejects.toThrow('circular');
  expect(await made()).toEqual([{ made: { a: 1 } }]);
  await expect(inTransaction(pool, (tx) => tx.query(cast(circular)))).rejects.toThrow('circular');
  expect(await made()).toEqual([{ made: { a: 1 } }]);
  expect(pool.totalCount).toBe(1);
});

test('each statement of a series has the time of one that is sent alone', async () => {
  const impatient = createPool(url, 'test', createLogger('test', 'silent'), 1);
  afterFile(() => impatient.end());
  Object.assign(impatient.options, { query_timeout: 3_000 });
  const sleep = (seconds: number) => ({ text: 'SELECT pg_sleep($1) AS slept', values: [seconds] });
  const each = (seconds: readonly number[]) =>
    inTransaction(impatient, (tx) => Promise.all(seconds.map((some) => tx.query(sleep(some)))));
  expect(await each([1, 1, 1, 1])).toHaveLength(4);
  await expect(each([60])).rejects.toThrow('Query read timeout');
  expect(await each([0])).toHaveLength(1);
});

const unreadable = { name: 'a-point', text: `SELECT '(1,2)'::point` };

test('a statement that was prepared behind a row that cannot be read is not prepared twice', async () => {
  pg.types.setTypeParser(600 as never, () => {
    throw new Error('no point');
  });
  const behind = { name: 'behind-a-point', text: 'SELECT 8 AS eight' };
  const failed = inTransaction(pool, (tx) =>
    Promise.all([tx.query(unreadable), tx.query(behind), tx.query(fail)]),
  );
  await expect(failed).rejects.toThrow('no point');
  expect((await inTransaction(pool, (tx) => tx.query(behind))).rows).toEqual([{ eight: 8 }]);
  expect(pool.totalCount).toBe(1);
});

test('a row that cannot be read fails its statement, and the connection serves on', async () => {
  pg.types.setTypeParser(600 as never, () => {
    throw new Error('no point');
  });
  const work = inTransaction(pool, async (tx) => {
    const results = await Promise.allSettled([tx.query(unreadable), tx.query(insert(1))]);
    expect(results).toMatchObject([
      { status: 'rejected', reason: { message: 'no point' } },
      { status: 'rejected', reason: { message: 'no point' } },
    ]);
    throw new Error('undo');
  });
  await expect(work).rejects.toThrow('undo');
  expect(await ids()).toEqual([]);
});

test('if the connection is lost, every statement under way fails, and the next transaction gets another one', async () => {
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  const work = inTransaction(pool, async (tx) => {
    const { rows } = await tx.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const both = Promise.allSettled([
      tx.query({ name: 'sleep', text: 'SELECT pg_sleep(30)' }),
      tx.query(insert(1)),
    ]);
    await other.query('SELECT pg_terminate_backend($1)', [rows[0]!.pid]);
    expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await tx.query(insert(2));
  });
  await expect(work).rejects.toThrow();
  await other.end();
  expect(await ids()).toEqual([]);
});
