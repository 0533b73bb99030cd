import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type CodeRecord, parseRecord, recordKey, recordStream } from '#schemas/code-record.ts';
import { startRedis } from '../../../deploy/embedded/redis.ts';
import { freePort, redisUrl, temporaryFolder } from '../../../deploy/testing/index.ts';
import { startTestControlPlane, type TestControlPlane, type Workspace } from '../../testing.ts';
import { createRecordPublisher } from './records.ts';

const record = (version: number, id = 'abcdefghi'): CodeRecord => ({
  id,
  workspaceId: 'ws_1',
  version,
  active: true,
  destination: `https://example.com/${version}`,
});

const held = async (redis: Redis, id: string): Promise<CodeRecord | undefined> => {
  const text = await redis.get(recordKey(id));
  return text === null ? undefined : parseRecord(text);
};

const announced = async (redis: Redis): Promise<CodeRecord[]> =>
  (await redis.xrange(recordStream, '-', '+')).map(([, fields]) => parseRecord(fields[1] ?? ''));

const unpublished = async (plane: TestControlPlane): Promise<number> => {
  const { rows } = await plane.pool.query('SELECT count(*)::int AS codes FROM unpublished_codes');
  return rows[0].codes;
};

describe('the record in Redis', () => {
  const redis = new Redis(redisUrl());
  const other = new Redis(redisUrl());
  const publisher = createRecordPublisher(redis);
  afterAll(() => {
    redis.disconnect();
    other.disconnect();
  });

  test('is replaced by a newer version and never by an older one; only the newer is announced', async () => {
    await publisher.publish(record(2, 'order'));
    await publisher.publish(record(1, 'order'));
    expect(await held(redis, 'order')).toEqual(record(2, 'order'));
    await publisher.publish(record(10, 'order'));
    await publisher.publish(record(9, 'order'));
    expect(await held(redis, 'order')).toEqual(record(10, 'order'));
    const versions = (await announced(redis))
      .filter(({ id }) => id === 'order')
      .map(({ version }) => version);
    expect(versions).toEqual([2, 10]);
  });

  test('is the newest one after concurrent publishes in any order', async () => {
    const publishers = [publisher, createRecordPublisher(other)];
    const versions = Array.from({ length: 300 }, (_, n) => ((n * 101) % 300) + 1);
    await Promise.all(versions.map((version, n) => publishers[n % 2]?.publish(record(version, 'race'))));
    expect(await held(redis, 'race')).toEqual(record(300, 'race'));
  });

  test('of the same version is announced again: it may be held because it was looked up', async () => {
    await publisher.fill([record(3, 'filled')]);
    expect((await announced(redis)).some(({ id }) => id === 'filled')).toBe(false);
    await publisher.publish(record(3, 'filled'));
    expect((await announced(redis)).some(({ id }) => id === 'filled')).toBe(true);
  });

  test('that was looked up does not replace a newer one either', async () => {
    await publisher.publish(record(5, 'looked-up'));
    await publisher.fill([record(4, 'looked-up')]);
    expect(await held(redis, 'looked-up')).toEqual(record(5, 'looked-up'));
  });

  test('replaces whatever else stands there', async () => {
    await redis.set(recordKey('junk'), 'junk');
    await publisher.publish(record(1, 'junk'));
    expect(await held(redis, 'junk')).toEqual(record(1, 'junk'));
  });

  test('lives an hour, give or take a tenth', async () => {
    const ttls = [];
    for (const random of [0, 0.5, 0.999]) {
      await createRecordPublisher(redis, () => random).publish(record(1, `ttl${random}`));
      ttls.push(await redis.ttl(recordKey(`ttl${random}`)));
    }
    expect(ttls[0]).toBeCloseTo(3240, -1);
    expect(ttls[1]).toBeCloseTo(3600, -1);
    expect(ttls[2]).toBeCloseTo(3960, -1);
  });
});

describe('a change of a code', () => {
  const redis = new Redis(redisUrl());
  let plane: TestControlPlane;
  let own: Workspace;

  beforeAll(async () => {
    plane = await startTestControlPlane();
    own = await plane.workspace();
  });
  afterAll(() => redis.disconnect());

  test('is in Redis when the answer arrives', async () => {
    const code = await own.createCode({ data: 'https://example.com/ü' });
    const created = {
      id: code.id,
      workspaceId: own.workspaceId,
      version: 1,
      active: true,
      destination: 'https://example.com/%C3%BC',
    };
    expect(await held(redis, code.id)).toEqual(created);
    await own.call('PUT', `/api/qr/codes/${code.id}`, { destination: 'https://example.org/' });
    const moved = { ...created, version: 2, destination: 'https://example.org/' };
    expect(await held(redis, code.id)).toEqual(moved);
    await own.call('DELETE', `/api/qr/codes/${code.id}`);
    expect(await held(redis, code.id)).toEqual({ ...moved, version: 3, active: false });
    const versions = (await announced(redis))
      .filter(({ id }) => id === code.id)
      .map(({ version }) => version);
    expect(versions).toEqual([1, 2, 3]);
  });

  test('leaves nothing behind in the outbox', async () => {
    const code = await own.createCode();
    for (const name of ['a', 'b', 'c']) await own.call('PUT', `/api/qr/codes/${code.id}`, { name });
    await vi.waitFor(async () => expect(await unpublished(plane)).toBe(0), { timeout: 1_000 });
  });

  test('that others make at the same time ends with the newest record', async () => {
    const code = await own.createCode();
    await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        own.call('PUT', `/api/qr/codes/${code.id}`, { destination: `https://example.com/${n}` }),
      ),
    );
    const { rows } = await plane.pool.query('SELECT version::int, destination FROM codes WHERE id = $1', [
      code.id,
    ]);
    expect(await held(redis, code.id)).toMatchObject(rows[0]);
    expect(rows[0].version).toBe(41);
  });

  test('is published by the sweep where the process ended before it could', async () => {
    const code = await own.createCode();
    // What the transaction of such a change leaves.
    await plane.pool.query('UPDATE codes SET destination = $2, version = version + 1 WHERE id = $1', [
      code.id,
      'https://example.com/after-crash',
    ]);
    await plane.pool.query('INSERT INTO unpublished_codes (code_id, version) VALUES ($1, 2)', [code.id]);
    await vi.waitFor(
      async () =>
        expect(await held(redis, code.id)).toMatchObject({
          version: 2,
          destination: 'https://example.com/after-crash',
        }),
      { timeout: 5_000 },
    );
  });

  test('redirectors look up what they do not hold, several ids at once', async () => {
    const codes = [await own.createCode(), await own.createCode()];
    const ids = codes.map(({ id }) => id);
    await redis.del(...ids.map(recordKey));
    const answer = await plane.internal('GET', `/internal/codes?ids=${ids.join(',')},111111111,not-an-id,`);
    expect(answer.status).toBe(200);
    const found = (answer.body as string[]).map((text) => parseRecord(text));
    expect(found.map(({ id }) => id).sort()).toEqual([...ids].sort());
    expect(found.every(({ version, active }) => version === 1 && active)).toBe(true);
    await vi.waitFor(async () => expect(await redis.exists(...ids.map(recordKey))).toBe(2), {
      timeout: 1_000,
    });
  });

  test('a look-up of nothing finds nothing, and one without the token is refused', async () => {
    expect((await plane.internal('GET', '/internal/codes')).body).toEqual([]);
    expect((await plane.internal('GET', `/internal/codes?ids=${'111111111,'.repeat(1_001)}`)).status).toBe(
      400,
    );
    for (const authorization of ['', 'Bearer nonsense', `Bearer ${own.apiKey}`]) {
      const refused = await plane.internal('GET', '/internal/codes?ids=111111111', undefined, {
        authorization,
      });
      expect(refused.status).toBe(401);
    }
  });
});

describe('while Redis is away', () => {
  test('every operation answers, and the record arrives by itself once Redis is back', async () => {
    const options = { home: await temporaryFolder(), port: await freePort(), password: 'x', durable: false };
    let server = await startRedis(options);
    const plane = await startTestControlPlane({ redisUrl: server.url });
    const own = await plane.workspace();
    const code = await own.createCode();
    await server.stop();

    const put = async (destination: string) => {
      const answer = await own.call('PUT', `/api/qr/codes/${code.id}`, { destination });
      expect(answer).toMatchObject({ status: 200, body: { destination } });
    };
    await put('https://example.com/first');
    const startedMs = performance.now();
    await put('https://example.com/second');
    expect(performance.now() - startedMs).toBeLessThan(1_000);
    await own.createCode();
    expect((await own.call('GET', `/api/qr/codes/${code.id}`)).status).toBe(200);
    expect(await unpublished(plane)).toBe(1);
    expect(await plane.internal('GET', '/health/ready')).toMatchObject({
      status: 200,
      body: { unhealthy: { redis: expect.any(String) } },
    });
    server = await startRedis(options);
    const redis = new Redis(server.url);
    await vi.waitFor(
      async () =>
        expect(await held(redis, code.id)).toMatchObject({ destination: 'https://example.com/second' }),
      { timeout: 8_000, interval: 50 },
    );
    await vi.waitFor(async () => expect(await unpublished(plane)).toBe(0), { timeout: 5_000 });
    redis.disconnect();
    await plane.close();
    await server.stop();
  }, 30_000);

  test('a Redis that stands still holds no request for long', async () => {
    const options = { home: await temporaryFolder(), port: await freePort(), password: 'x', durable: false };
    const server = await startRedis(options);
    const plane = await startTestControlPlane({ redisUrl: server.url });
    const own = await plane.workspace();
    const code = await own.createCode();
    process.kill(server.pid, 'SIGSTOP');
    try {
      const startedMs = performance.now();
      const answer = await own.call('PUT', `/api/qr/codes/${code.id}`, { name: 'slow' });
      expect(answer.status).toBe(200);
      expect(performance.now() - startedMs).toBeLessThan(1_500);
    } finally {
      process.kill(server.pid, 'SIGCONT');
    }
    const redis = new Redis(server.url);
    await vi.waitFor(async () => expect(await held(redis, code.id)).toMatchObject({ version: 2 }), {
      timeout: 8_000,
    });
    redis.disconnect();
    await plane.close();
    await server.stop();
  }, 30_000);

  test('a control plane starts without Redis and without ClickHouse', async () => {
    const port = await freePort();
    const plane = await startTestControlPlane({
      redisUrl: `redis://127.0.0.1:${port}`,
      clickhouseUrl: `http://127.0.0.1:${port}/waymark`,
    });
    const own = await plane.workspace();
    const code = await own.createCode();
    expect((await own.call('DELETE', `/api/qr/codes/${code.id}`)).status).toBe(200);
    await sleep(10);
    await plane.close();
  });
});
