/** Publishing while Redis is away, slow or behind, with real servers. */
import { cp, rm } from 'node:fs/promises';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import { Redis } from 'ioredis';
import type { QueryConfig } from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { recordKey, recordStream } from '#schemas/code-record.ts';
import { createLogger } from '#shared/logger.ts';
import { createRedis, reconnect, untilReady } from '#shared/redis.ts';
import { afterFile } from '../../deploy/testing/local.ts';
import { startTestRedis, type TestRedis } from '../../deploy/testing/redis.ts';
import { createCodeKind } from '../features/codes/publishing.ts';
import { gs1DocumentSource } from '../features/gs1/documents.ts';
import { createBackground } from '../jobs/background.ts';
import type { Pool } from '../platform/db/pool.ts';
import { inTransaction } from '../platform/db/transaction.ts';
import { startTestControlPlane, type TestControlPlane, type Workspace } from '../testing/control-plane.ts';
import { toPublishedKind } from './documents.ts';
import { createPublisher } from './publisher.ts';
import { createPublishing } from './publishing.ts';
import { addUnpublished, countUnpublished } from './queue.ts';
import { announcedVersions, heldVersion, queueRow, subjectKinds } from './testing/subjects.ts';
import { beginTimeline } from './timeline.ts';

const unpublished = async ({ pool }: Pick<TestControlPlane, 'pool'>): Promise<number> =>
  (await countUnpublished(pool)).waiting;

describe('a Redis that goes away, stalls, or forgets', () => {
  let server: TestRedis;
  let redis: Redis;
  let plane: TestControlPlane;
  let own: Workspace;
  beforeAll(async () => {
    server = await startTestRedis({ durable: true });
    redis = new Redis(server.url);
    // It is away now and then; that is the purpose.
    redis.on('error', () => undefined);
    afterFile(() => redis.disconnect());
    plane = await startTestControlPlane({ redisUrl: server.url });
    own = await plane.workspace();
  });

  test.each(subjectKinds)(
    'while it is away every operation on a $noun answers, and the change arrives by itself once it is back',
    async ({ open }) => {
      const subject = open(plane, own);
      const id = await subject.create();
      await expect.poll(() => unpublished(plane)).toBe(0);
      await server.stop();

      // Redis is away for as long as these take.
      expect(await subject.change(id)).toBe(200);
      expect(await subject.change(id)).toBe(200);
      const code = await own.createCode();
      expect((await own.call('GET', `/api/qr/codes/${code.id}`)).status).toBe(200);
      expect(await unpublished(plane)).toBe(1);
      expect(await plane.internal('GET', '/health/ready')).toMatchObject({
        status: 200,
        body: { unhealthy: { redis: expect.any(String) } },
      });
      await server.startAgain();
      const version = await subject.versionOf(id);
      await expect.poll(() => heldVersion(redis, subject.keyOf(id))).toBe(version);
      await expect.poll(() => unpublished(plane)).toBe(0);
    },
  );

  test('while it does not answer it holds no request for long', async () => {
    const code = await own.createCode();
    server.stall();
    try {
      const startedMs = performance.now();
      const answer = await own.call('PUT', `/api/qr/codes/${code.id}`, { name: 'slow' });
      expect(answer.status).toBe(200);
      // Without a limit it would wait for as long as Redis does not answer.
      expect(performance.now() - startedMs).toBeLessThan(15_000);
    } finally {
      server.resume();
    }
    await expect.poll(() => heldVersion(redis, recordKey(code.id))).toBe(2);
  });

  test.each(subjectKinds)(
    'a real failover to an older copy: the change of a $noun that it lost is there again in seconds, and announced',
    async ({ field, open }) => {
      const subject = open(plane, own);
      const id = await subject.create();
      const data = path.join(server.folder, 'appendonlydir');
      const copy = path.join(server.folder, 'copy');
      await cp(data, copy, { recursive: true });
      await subject.change(id);
      const version = await subject.versionOf(id);
      await expect.poll(() => unpublished(plane)).toBe(0);
      await server.stop();
      await rm(data, { recursive: true });
      await cp(copy, data, { recursive: true });
      await rm(copy, { recursive: true });
      await server.startAgain();
      await expect.poll(() => heldVersion(redis, subject.keyOf(id))).toBe(version);
      expect((await announcedVersions(redis, field, id)).at(-1)).toBe(version);
    },
  );

  test('a timeline that has begun is announced once, and again to a Redis that has forgotten it', async () => {
    const timeline = await beginTimeline(plane.pool);
    const timelines = async () =>
      (await redis.xrange(recordStream, '-', '+'))
        .filter(([, [name]]) => name === 'timeline')
        .map(([, [, number]]) => Number(number));
    await expect.poll(timelines).toEqual([timeline]);
    // A later sweep, which looks at the timeline before it publishes.
    const code = await own.createCode();
    await redis.del(recordKey(code.id));
    await queueRow(plane, 'code', code.id, 1);
    await expect.poll(() => redis.exists(recordKey(code.id))).toBe(1);
    expect(await timelines()).toEqual([timeline]);
    await redis.flushdb();
    await expect.poll(timelines).toEqual([timeline]);
    // Restored to before it began: a later one begins by itself.
    await plane.pool.query('UPDATE record_timeline SET timeline = 0');
    await expect.poll(async () => (await timelines()).at(-1)).toBeGreaterThan(timeline);
    await plane.close();
    await server.stop();
  });
});

describe('without Redis and without ClickHouse', () => {
  test('a control plane starts without Redis and without ClickHouse', async () => {
    const plane = await startTestControlPlane({
      redisUrl: 'redis://127.0.0.1:1',
      clickhouseUrl: 'http://127.0.0.1:1/waymark',
    });
    const own = await plane.workspace();
    const code = await own.createCode();
    expect((await own.call('DELETE', `/api/qr/codes/${code.id}`)).status).toBe(200);
    await plane.close();
  });
});

/** A pool whose statements of these names wait until they are released, as those of a slow database do. */
const holdStatements = (real: Pool, names: string[]) => {
  const gates = new Map(names.map((name) => [name, Promise.withResolvers<void>()]));
  const query = async (statement: QueryConfig, values?: unknown[]) => {
    await gates.get(statement.name ?? '')?.promise;
    return real.query(statement, values);
  };
  const pool: Pool = Object.create(real, { query: { value: query } });
  return { pool, release: (name: string) => gates.get(name)?.resolve() };
};

/** This much unused time is made good. */
const latenessMsMax = 200;

/** Passes bytes on to a Redis, so many a second: a timer that is late makes the next pause shorter. */
const startSlowWay = async (target: number, bytesPerSecond: number) => {
  let passed = 0;
  let freeAtMs = 0;
  const server = net.createServer((client) => {
    const upstream = net.connect(target, '127.0.0.1');
    for (const socket of [client, upstream]) socket.on('error', () => {});
    upstream.pipe(client);
    client.on('close', () => upstream.destroy());
    client.on('data', (bytes) => {
      passed += bytes.length;
      upstream.write(bytes);
      client.pause();
      const nowMs = performance.now();
      freeAtMs = Math.max(freeAtMs, nowMs - latenessMsMax) + (bytes.length / bytesPerSecond) * 1000;
      setTimeout(() => client.resume(), freeAtMs - nowMs);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterFile(() => server.close());
  return { url: `redis://:secret@127.0.0.1:${(server.address() as AddressInfo).port}`, passed: () => passed };
};

describe('a Redis that is slow, or has lost what it acknowledged', () => {
  test('takes many large texts of two kinds a few at a time: what it acknowledged is not sent again', async () => {
    const server = await startTestRedis();
    const slow = await startSlowWay(server.port, 2_000_000);
    const plane = await startTestControlPlane({ redisUrl: slow.url });
    const own = await plane.workspace();
    // All at once they would take 4 s, and a command is given up after half a second.
    const [codes, documents] = [120, 40];
    const textChars = 50_000;
    await plane.pool.query(
      `INSERT INTO codes (id, workspace_id, data_type, destination, routing_rules)
       SELECT 'Large' || (1110 + n), $1, 'url', 'https://example.com/',
              jsonb_build_array(jsonb_build_object('id', 'r', 'condition', '{"country": ["DE"]}'::jsonb,
                'destination', 'https://example.com/' || repeat('x', $2)))
       FROM generate_series(1, $3) AS n`,
      [own.workspaceId, textChars, codes],
    );
    await plane.pool.query(
      `WITH keys AS (
         INSERT INTO gs1_keys (key, workspace_id, entries) SELECT '01/0950600' || (1000000 + n), $1, 1
         FROM generate_series(1, $3) AS n RETURNING key
       )
       INSERT INTO gs1_entries (id, workspace_id, key, path, item_description, links)
       SELECT 'gs1_' || key, $1, key, '/' || key, repeat('x', $2), '[]' FROM keys`,
      [own.workspaceId, textChars, documents],
    );
    await plane.pool.query(
      `INSERT INTO unpublished (kind, id, version) SELECT 'code', id, 1 FROM codes WHERE id LIKE 'Large%'
       UNION ALL SELECT 'gs1', 'gs1:' || key, 1 FROM gs1_keys`,
    );
    await expect.poll(() => unpublished(plane), { timeout: 100_000 }).toBe(0);
    expect(await countUnpublished(plane.pool)).toMatchObject({ setAside: 0 });
    const redis = new Redis(server.url);
    expect(await redis.keys('code:Large*')).toHaveLength(codes);
    expect(await redis.keys('document:gs1:*')).toHaveLength(documents);
    redis.disconnect();
    // Each once, and some chunks again.
    expect(slow.passed()).toBeLessThan(2 * (codes + documents) * textChars);
    await plane.close();
  });

  test.each(subjectKinds)(
    'a change of a $noun that was acknowledged on a connection before this one is not taken for published',
    async ({ kind: name, open }) => {
      const server = await startTestRedis();
      const plane = await startTestControlPlane({ redisUrl: server.url });
      const subject = open(plane, await plane.workspace());
      const ids = [await subject.create(), await subject.create()];
      await expect.poll(() => unpublished(plane)).toBe(0);
      await plane.close();

      const logger = createLogger('test', 'silent');
      const redis = createRedis(server.url, { name: 'test', commandTimeoutMs: 5_000 }, logger);
      afterFile(() => redis.disconnect());
      await untilReady(redis);
      const held = holdStatements(plane.pool, ['mark-published', 'claim-due']);
      const background = createBackground(logger);
      const marked: Promise<unknown>[] = [];
      const all = [createCodeKind(plane.pool), toPublishedKind(plane.pool, gs1DocumentSource)];
      const publishing = createPublishing({
        pool: held.pool,
        redis,
        kinds: { all },
        publisher: createPublisher(redis),
        background: {
          ...background,
          start(what, work) {
            if (what.startsWith('marking')) marked.push(work);
            background.start(what, work);
          },
        },
        logger,
      });
      for (const id of ids) {
        const row = { kind: name, id, version: 1 };
        await inTransaction(plane.pool, (tx) => addUnpublished(tx, [row]));
      }
      // While the first is being marked, the second is acknowledged; then the connection is another one.
      for (const id of ids) await publishing.publish([id]);
      expect(marked).toHaveLength(2);
      await reconnect(redis);
      await untilReady(redis);
      held.release('mark-published');
      await Promise.all(marked);
      const { rows } = await plane.pool.query('SELECT state FROM unpublished WHERE id = $1', [ids[1]]);
      expect(rows).toEqual([{ state: 'waiting' }]);

      held.release('claim-due');
      await expect.poll(() => unpublished(plane)).toBe(0);
      await publishing.close();
      await background.close();
    },
  );
});
