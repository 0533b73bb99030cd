/** Kinds and things that cannot be read cost themselves: sweeps of several kinds, with a real PostgreSQL and Redis. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLogger } from '#shared/logger.ts';
import { createRedis, untilReady } from '#shared/redis.ts';
import { afterFile, createTestDatabase, redisUrl } from '../../deploy/testing/index.ts';
import { createBackground } from '../jobs/background.ts';
import { createPool } from '../platform/db/pool.ts';
import { inTransaction } from '../platform/db/transaction.ts';
import { createDocumentKinds, documentsChanged } from './documents.ts';
import { createKinds, type PublishedKind } from './kind.ts';
import { createPublisher } from './publisher.ts';
import { createPublishing, type Publishing } from './publishing.ts';
import { addUnpublished } from './queue.ts';

const logger = createLogger('test', 'silent');
const pool = createPool(await createTestDatabase(), 'test', logger);
afterFile(() => pool.end());
const redis = createRedis(redisUrl(), { name: 'test', commandTimeoutMs: 5_000 }, logger);
afterFile(() => redis.disconnect());
await untilReady(redis);

const kindOf = (name: string, read: PublishedKind['read']): PublishedKind => ({
  name,
  owns: (id) => id.startsWith(name),
  read,
  keyOf: (id) => `test:${id}`,
  format: 1,
  field: 'record',
});

const textOf = (id: string) => ({ id, version: 1, recordVersion: 1, text: `1 ${JSON.stringify({ id })}` });
const sound = (name: string) => kindOf(name, async (ids) => ids.map(textOf));

const background = createBackground(logger);
const released = Promise.withResolvers<never[]>();
const open: Publishing[] = [];
const sent: string[] = [];
/** Texts that were sent and not acknowledged, now and at most. */
const underWay = { now: 0, max: 0 };
const publishingOf = (...all: PublishedKind[]) => {
  const publisher = createPublisher(redis);
  const publishing = createPublishing({
    pool,
    redis,
    kinds: { all },
    publisher: {
      ...publisher,
      async publish(kind, one) {
        sent.push(one.id);
        underWay.max = Math.max(underWay.max, ++underWay.now);
        await publisher.publish(kind, one).finally(() => underWay.now--);
      },
    },
    background,
    logger,
  });
  open.push(publishing);
  return publishing;
};

const queue = (...ids: string[]) =>
  inTransaction(pool, (tx) =>
    addUnpublished(
      tx,
      ids.map((id) => ({ kind: id.split(' ')[0]!, id, version: 1 })),
    ),
  );
const statesOf = async () => {
  const { rows } = await pool.query('SELECT id, state, problem FROM unpublished ORDER BY id');
  return Object.fromEntries(rows.map(({ id, state, problem }) => [id, problem ?? state]));
};

beforeEach(async () => {
  sent.length = 0;
  underWay.max = 0;
  await pool.query('DELETE FROM unpublished');
  await redis.flushdb();
});
afterEach(() => Promise.all(open.splice(0).map((publishing) => publishing.close())));
afterFile(async () => {
  released.resolve([]);
  await background.close();
});

describe('a kind that cannot be read', () => {
  test.each<[string, PublishedKind['read']]>([
    ['because its table is missing', async () => (await pool.query('SELECT FROM no_such_table')).rows],
    ['because its database is away', () => Promise.reject(new Error('Connection terminated unexpectedly'))],
    ['because its read never ends', () => released.promise],
  ])(
    '%s holds up no other, in the sweep and right after the commit, and its changes wait',
    async (_, read) => {
      const publishing = publishingOf(sound('first'), kindOf('poison', read), sound('second'));
      await queue('poison 1', 'first 1', 'second 1', 'poison 2');
      await expect.poll(statesOf).toEqual({
        'first 1': 'published',
        'second 1': 'published',
        'poison 1': 'waiting',
        'poison 2': 'waiting',
      });
      // Later sweeps, too.
      await queue('first 2', 'second 2');
      await expect.poll(statesOf).toMatchObject({ 'first 2': 'published', 'second 2': 'published' });
      await expect.poll(() => publishing.statistics).toMatchObject({ waiting: 2, setAside: 0 });
      void publishing.publish(['poison 1']);
      await publishing.publish(['first 3', 'second 3']);
      expect(await redis.exists('test:first 3', 'test:second 3')).toBe(2);
    },
  );

  test('is published by itself once it can be read', async () => {
    let isDown = true;
    const kind = kindOf('late', async (ids) => {
      if (isDown) await pool.query('SELECT FROM no_such_table');
      return ids.map(textOf);
    });
    const publishing = publishingOf(kind);
    await queue('late 1');
    await expect.poll(() => publishing.statistics.waiting).toBe(1);
    isDown = false;
    await expect.poll(statesOf).toEqual({ 'late 1': 'published' });
  });
});

test('kinds with many changes take turns at Redis, and let the few changes of another in between', async () => {
  publishingOf(sound('many'), sound('more'), sound('few'));
  const idsOf = (name: string) => Array.from({ length: 1_500 }, (_, n) => `${name} ${n}`);
  await queue(...idsOf('many'), ...idsOf('more'), 'few 1');
  await expect.poll(async () => new Set(Object.values(await statesOf()))).toEqual(new Set(['published']));
  expect(sent.indexOf('few 1')).toBeLessThan(1_500);
  // As many as of one kind alone.
  expect(underWay.max).toBe(100);
});

test('one thing that fails the read of its kind is set aside with its error, and the others of the read are published', async () => {
  const reads: number[] = [];
  publishingOf(
    kindOf('odd', async (ids) => {
      reads.push(ids.length);
      if (ids.includes('odd 37')) throw new TypeError('no links');
      return ids.map(textOf);
    }),
  );
  const ids = Array.from({ length: 100 }, (_, n) => `odd ${n}`);
  await queue(...ids);
  await expect.poll(statesOf).toEqual({
    ...Object.fromEntries(ids.map((id) => [id, 'published'])),
    'odd 37': 'TypeError: no links',
  });
  // By halves rather than one by one.
  expect(reads.length).toBeLessThan(20);
});

test('rows of a kind that this process does not know are left to a process that does', async () => {
  const publishing = publishingOf(sound('known'));
  await queue('unknown 1', 'known 1');
  await expect.poll(statesOf).toEqual({ 'known 1': 'published', 'unknown 1': 'waiting' });
  publishingOf(sound('unknown'));
  await expect.poll(statesOf).toMatchObject({ 'unknown 1': 'published' });
  expect(publishing.statistics.setAside).toBe(0);
});

test('two kinds of one name, and a kind of documents that no schema lists, are refused', async () => {
  const kinds = createKinds();
  kinds.add(sound('twin'));
  expect(() => kinds.add(sound('twin'))).toThrow("the published kind 'twin' is added twice");
  const source = { name: 'unlisted', prefix: 'unlisted:', isIdShaped: () => true, build: async () => [] };
  expect(() => createDocumentKinds(pool, kinds).add({ ...source, schema: {} as never })).toThrow(
    "schemas/documents.ts does not list the kind of documents 'unlisted'",
  );
  const changing = inTransaction(pool, (tx) => documentsChanged(tx, [{ id: 'unlisted:1', version: 1 }]));
  await expect(changing).rejects.toThrow("no kind of documents has the prefix of the id 'unlisted:1'");
});
