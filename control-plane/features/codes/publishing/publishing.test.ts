import { cp, rm } from 'node:fs/promises';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import { Redis } from 'ioredis';
import type { QueryConfig } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type CodeRecord,
  parseRecord,
  recordFormat,
  recordKey,
  recordStream,
  timelineKey,
  versionOn,
} from '#schemas/code-record.ts';
import { sampleRecord } from '#schemas/testing/sample-record.ts';
import { createLogger } from '#shared/logger.ts';
import { createRedis, reconnect, untilReady } from '#shared/redis.ts';
import { afterFile, redisUrl, startTestRedis, type TestRedis } from '../../../../deploy/testing/index.ts';
import type { Pool } from '../../../db/pool.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { createBackground } from '../../../jobs/background.ts';
import {
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../../testing/control-plane.ts';
import { createDocumentPublisher } from '../../documents/publisher.ts';
import { createDocumentPublishing } from '../../documents/publishing.ts';
import { documentsChanged } from '../../documents/queue.ts';
import { findCodesForRedirect } from '../store/find.ts';
import { createPublishing } from './publishing.ts';
import { createRecordPublisher } from './records.ts';
import { beginTimeline } from './timeline.ts';
import { addUnpublished, countUnpublished, retrySetAside } from './unpublished-codes.ts';

const record = (version: number, id = 'abcdefghi'): CodeRecord =>
  sampleRecord({ id, version, destination: `https://example.com/${version}` });

const held = async (redis: Redis, id: string): Promise<CodeRecord | undefined> => {
  const text = await redis.get(recordKey(id));
  return text === null ? undefined : parseRecord(text);
};

const announced = async (redis: Redis): Promise<CodeRecord[]> =>
  (await redis.xrange(recordStream, '-', '+'))
    .filter(([, [name]]) => name === 'record')
    .map(([, [, text = '']]) => parseRecord(text));

const unpublished = async (plane: TestControlPlane): Promise<number> => {
  return (await countUnpublished(plane.pool)).waiting;
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

  test('in the format of a later release is not replaced by the same version in this one, but by a newer one', async () => {
    const later = `3 ${recordFormat + 1} {"id":"later"}`;
    await redis.set(recordKey('later'), later);
    await publisher.fill([record(3, 'later')]);
    await publisher.publish(record(3, 'later'));
    expect(await redis.get(recordKey('later'))).toBe(later);
    await publisher.publish(record(4, 'later'));
    expect(await held(redis, 'later')).toEqual(record(4, 'later'));
  });

  test('that is confirmed is written where an older one is, and nowhere else', async () => {
    expect(await publisher.confirm(record(3, 'confirmed'))).toBe(false);
    expect(await held(redis, 'confirmed')).toBeUndefined();
    await publisher.publish(record(2, 'confirmed'));
    expect(await publisher.confirm(record(3, 'confirmed'))).toBe(true);
    expect(await publisher.confirm(record(3, 'confirmed'))).toBe(false);
    expect(await publisher.confirm(record(2, 'confirmed'))).toBe(false);
    const versions = (await announced(redis))
      .filter(({ id }) => id === 'confirmed')
      .map(({ version }) => version);
    expect(versions).toEqual([2, 3]);
  });

  test('of an earlier timeline is not written once a later one has begun; of the later one, over any version', async () => {
    await publisher.publish(record(900, 'timeline'));
    await redis.set(timelineKey, 5);
    await expect(publisher.publish(record(901, 'timeline'))).rejects.toThrow('later timeline');
    await publisher.fill([record(902, 'timeline')]);
    expect(await held(redis, 'timeline')).toEqual(record(900, 'timeline'));
    await publisher.publish(record(versionOn(5, 1), 'timeline'));
    expect(await held(redis, 'timeline')).toEqual(record(versionOn(5, 1), 'timeline'));
    await redis.del(timelineKey);
  });

  test('replaces any other value', async () => {
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

  test('no longer waits once it is published', async () => {
    const code = await own.createCode();
    // The sweep has no part in it.
    await plane.pool.query(
      `CREATE FUNCTION never_due() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.due_at = 'infinity'; RETURN NEW; END $$;
       CREATE TRIGGER never_due BEFORE INSERT OR UPDATE ON unpublished_codes FOR EACH ROW EXECUTE FUNCTION never_due()`,
    );
    for (const name of ['a', 'b', 'c']) await own.call('PUT', `/api/qr/codes/${code.id}`, { name });
    await expect.poll(() => unpublished(plane)).toBe(0);
    await plane.pool.query('DROP TRIGGER never_due ON unpublished_codes');
  });

  test('that others make at the same time ends with the newest record', async () => {
    const code = await own.createCode();
    const changes = 20;
    await Promise.all(
      Array.from({ length: changes }, (_, n) =>
        own.call('PUT', `/api/qr/codes/${code.id}`, { destination: `https://example.com/${n}` }),
      ),
    );
    const { rows } = await plane.pool.query('SELECT version::int, destination FROM codes WHERE id = $1', [
      code.id,
    ]);
    expect(rows[0].version).toBe(1 + changes);
    // Where Redis took too long for one of them, the sweep publishes it.
    await expect.poll(() => held(redis, code.id)).toMatchObject(rows[0]);
  });

  test('is published by the sweep where the process ended before', async () => {
    const code = await own.createCode();
    // As the transaction of such a change leaves it.
    await plane.pool.query('UPDATE codes SET destination = $2, version = version + 1 WHERE id = $1', [
      code.id,
      'https://example.com/after-crash',
    ]);
    await plane.pool.query('INSERT INTO unpublished_codes (code_id, version) VALUES ($1, 2)', [code.id]);
    await expect
      .poll(() => held(redis, code.id))
      .toMatchObject({ version: 2, destination: 'https://example.com/after-crash' });
  });

  test('that cannot be read is set aside and logged, and those after it are published; an operator has it tried again', async () => {
    const [broken, gone, odd, sound] = [
      await own.createCode(),
      await own.createCode(),
      await own.createCode(),
      await own.createCode(),
    ];
    const change = (id: string, set: string) =>
      plane.pool.query(`UPDATE codes SET version = version + 1, ${set} WHERE id = $1`, [id]);
    await change(broken.id, `routing_rules = '[{"destination": 5}]'`);
    await change(odd.id, `destination = 'https://example.com/odd'`);
    await change(sound.id, `destination = 'https://example.com/sound'`);
    await plane.pool.query('DELETE FROM codes WHERE id = $1', [gone.id]);
    // Something else is where the record belongs.
    await redis.del(recordKey(odd.id));
    await redis.hset(recordKey(odd.id), 'a', 'b');
    for (const { id } of [broken, gone, odd, sound])
      await plane.pool.query('INSERT INTO unpublished_codes (code_id, version) VALUES ($1, 2)', [id]);
    await expect
      .poll(() => held(redis, sound.id))
      .toMatchObject({ destination: 'https://example.com/sound' });
    const problems = async () => {
      const { rows } = await plane.pool.query(
        'SELECT code_id, problem FROM unpublished_codes WHERE problem IS NOT NULL',
      );
      return Object.fromEntries(rows.map((row) => [row.code_id, row.problem]));
    };
    await expect.poll(problems).toEqual({
      [broken.id]: expect.stringContaining('Error'),
      [gone.id]: 'there is no code with this id',
      [odd.id]: expect.stringContaining('WRONGTYPE'),
    });
    const metrics = async () => String((await plane.internal('GET', '/metrics')).body);
    await expect.poll(metrics).toContain('waymark_outbox_set_aside 3');
    await plane.pool.query('UPDATE codes SET routing_rules = NULL WHERE id = $1', [broken.id]);
    await redis.del(recordKey(odd.id));
    expect((await retrySetAside(plane.pool)).sort()).toEqual([broken.id, gone.id, odd.id].sort());
    for (const { id } of [broken, odd])
      await expect.poll(() => held(redis, id)).toMatchObject({ version: 2 });
    await expect.poll(async () => Object.keys(await problems())).toEqual([gone.id]);
    await plane.pool.query('DELETE FROM unpublished_codes WHERE code_id = $1', [gone.id]);
  });

  test('that is set aside is published by the next change of the code', async () => {
    const code = await own.createCode();
    await plane.pool.query(
      `INSERT INTO unpublished_codes (code_id, version, state, problem) VALUES ($1, 1, 'set_aside', 'once')`,
      [code.id],
    );
    await own.call('PUT', `/api/qr/codes/${code.id}`, { destination: 'https://example.org/' });
    expect(await held(redis, code.id)).toMatchObject({ version: 2 });
    const { rows } = await plane.pool.query('SELECT problem FROM unpublished_codes WHERE code_id = $1', [
      code.id,
    ]);
    expect(rows).toEqual([{ problem: null }]);
  });

  test('is kept for a minute after it was published, and then confirmed', async () => {
    const code = await own.createCode();
    await own.call('PUT', `/api/qr/codes/${code.id}`, { destination: 'https://example.org/kept' });
    const rows = async () => {
      const text = `SELECT state, extract(epoch FROM due_at - changed_at)::float8 AS kept FROM unpublished_codes WHERE code_id = $1`;
      return (await plane.pool.query(text, [code.id])).rows;
    };
    await expect.poll(rows).toMatchObject([{ state: 'published' }]);
    const [{ kept }] = await rows();
    expect(kept).toBeGreaterThanOrEqual(60);
    expect(kept).toBeLessThan(120);
    // Redis has an older copy, and nobody noticed that another one took over.
    await redis.set(recordKey(code.id), `1 ${JSON.stringify(record(1, code.id))}`);
    await plane.pool.query('UPDATE unpublished_codes SET due_at = now() WHERE code_id = $1', [code.id]);
    await expect.poll(() => held(redis, code.id)).toMatchObject({ version: 2 });
    await expect.poll(rows).toEqual([]);
  });

  test('that cannot be read is looked up as such, and costs the others of the lookup nothing', async () => {
    const [broken, sound] = [await own.createCode(), await own.createCode()];
    await plane.pool.query(`UPDATE codes SET routing_rules = '5' WHERE id = $1`, [broken.id]);
    const { status, body } = await plane.internal(
      'GET',
      `/internal/codes?format=${recordFormat + 1}&ids=${broken.id},${sound.id}`,
    );
    expect(status).toBe(200);
    const texts = body as string[];
    expect(texts).toHaveLength(2);
    const textOf = ({ id }: { id: string }) => texts.find((text) => text.includes(id))!;
    expect(() => parseRecord(textOf(broken))).toThrow(expect.objectContaining({ id: broken.id }));
    // Whatever later format the redirector could read: this release answers in its own.
    expect(parseRecord(textOf(sound))).toMatchObject({ id: sound.id });
  });

  test('redirectors look up records that they do not hold, several ids at once', async () => {
    const codes = [await own.createCode(), await own.createCode()];
    const ids = codes.map(({ id }) => id);
    await redis.del(...ids.map(recordKey));
    const answer = await plane.internal('GET', `/internal/codes?ids=${ids.join(',')},111111111,not-an-id,`);
    expect(answer.status).toBe(200);
    const found = (answer.body as string[]).map((text) => parseRecord(text));
    expect(found.map(({ id }) => id).sort()).toEqual([...ids].sort());
    expect(found.every(({ version, active }) => version === 1 && active)).toBe(true);
    await expect.poll(() => redis.exists(...ids.map(recordKey))).toBe(2);
  });

  test('redirectors compare the versions that they hold, of many codes at once', async () => {
    const codes = [await own.createCode(), await own.createCode()];
    await own.call('PUT', `/api/qr/codes/${codes[0]!.id}`, { destination: 'https://example.org/2' });
    const ids = [codes[1]!.id, '111111111', 'not an id', codes[0]!.id, '\0', codes[1]!.id];
    const { status, body } = await plane.internal('POST', '/internal/codes/versions', {
      ids: ids.join(','),
    });
    expect(status).toBe(200);
    const { timeline } = (await plane.pool.query('SELECT timeline FROM record_timeline')).rows[0];
    expect(body).toEqual({ timeline, versions: [1, 0, 0, 2, 0, 1] });
  });

  test('a comparison of too many versions, or of none, or without the token, is refused', async () => {
    const compare = (body: unknown, headers = {}) =>
      plane.internal('POST', '/internal/codes/versions', body, headers);
    expect((await compare({ ids: Array(2_000).fill('111111111').join(',') })).status).toBe(200);
    expect((await compare({ ids: Array(2_001).fill('111111111').join(',') })).status).toBe(400);
    for (const odd of [{}, { ids: ['111111111'] }, { ids: 5 }, [], { ids: '1', more: 1 }])
      expect((await compare(odd)).status).toBe(400);
    expect((await compare({ ids: 'x'.repeat(40_000) })).status).toBe(413);
    expect((await compare({ ids: '' })).body).toMatchObject({ versions: [0] });
    for (const authorization of ['', 'Bearer nonsense', `Bearer ${own.apiKey}`])
      expect((await compare({ ids: '111111111' }, { authorization })).status).toBe(401);
  });

  test('a lookup of nothing finds nothing, and one without the token is refused', async () => {
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

  test('while it is away every operation answers, and the record arrives by itself once it is back', async () => {
    const code = await own.createCode();
    await server.stop();

    const put = async (destination: string) => {
      const answer = await own.call('PUT', `/api/qr/codes/${code.id}`, { destination });
      expect(answer).toMatchObject({ status: 200, body: { destination } });
    };
    // Redis is away for as long as these take.
    await put('https://example.com/first');
    await put('https://example.com/second');
    await own.createCode();
    expect((await own.call('GET', `/api/qr/codes/${code.id}`)).status).toBe(200);
    expect(await unpublished(plane)).toBe(1);
    expect(await plane.internal('GET', '/health/ready')).toMatchObject({
      status: 200,
      body: { unhealthy: { redis: expect.any(String) } },
    });
    await server.startAgain();
    await expect
      .poll(() => held(redis, code.id))
      .toMatchObject({ destination: 'https://example.com/second' });
    await expect.poll(() => unpublished(plane)).toBe(0);
  });

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
    await expect.poll(() => held(redis, code.id)).toMatchObject({ version: 2 });
  });

  test('a real failover to an older copy: the change that it lost is there again in seconds, and announced', async () => {
    const code = await own.createCode();
    const data = path.join(server.folder, 'appendonlydir');
    const copy = path.join(server.folder, 'copy');
    await cp(data, copy, { recursive: true });
    await own.call('PUT', `/api/qr/codes/${code.id}`, { destination: 'https://example.org/newer' });
    await expect.poll(() => unpublished(plane)).toBe(0);
    await server.stop();
    await rm(data, { recursive: true });
    await cp(copy, data, { recursive: true });
    await server.startAgain();
    await expect.poll(() => held(redis, code.id)).toMatchObject({ destination: 'https://example.org/newer' });
    const versions = (await announced(redis)).filter(({ id }) => id === code.id);
    expect(versions.at(-1)).toMatchObject({ version: 2 });
  });

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
    await plane.pool.query('INSERT INTO unpublished_codes (code_id, version) VALUES ($1, 1)', [code.id]);
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

/** So much of the time that nobody used is made good. */
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
  test('takes many large records a few at a time: what it acknowledged is not sent again', async () => {
    const server = await startTestRedis();
    const slow = await startSlowWay(server.port, 2_000_000);
    const plane = await startTestControlPlane({ redisUrl: slow.url });
    const own = await plane.workspace();
    // All at once they would take 3 s, and a command is given up after half a second.
    const codes = 120;
    const recordChars = 50_000;
    await plane.pool.query(
      `INSERT INTO codes (id, workspace_id, data_type, destination, routing_rules)
       SELECT 'Large' || (1110 + n), $1, 'url', 'https://example.com/',
              jsonb_build_array(jsonb_build_object('id', 'r', 'condition', '{"country": ["DE"]}'::jsonb,
                'destination', 'https://example.com/' || repeat('x', $2)))
       FROM generate_series(1, $3) AS n`,
      [own.workspaceId, recordChars, codes],
    );
    await plane.pool.query(
      `INSERT INTO unpublished_codes (code_id, version) SELECT id, 1 FROM codes WHERE id LIKE 'Large%'`,
    );
    await expect.poll(() => unpublished(plane), { timeout: 100_000 }).toBe(0);
    const redis = new Redis(server.url);
    expect(await redis.keys('code:Large*')).toHaveLength(codes);
    redis.disconnect();
    // Each once, and some chunks again.
    expect(slow.passed()).toBeLessThan(2 * codes * recordChars);
    await plane.close();
  });

  test('a change that was acknowledged on a connection before this one is not taken for published', async () => {
    const server = await startTestRedis();
    const plane = await startTestControlPlane({ redisUrl: server.url });
    const own = await plane.workspace();
    const ids = [(await own.createCode()).id, (await own.createCode()).id];
    const codes = await findCodesForRedirect(plane.pool, ids);
    await plane.close();

    const logger = createLogger('test', 'silent');
    const redis = createRedis(server.url, { name: 'test', commandTimeoutMs: 5_000 }, logger);
    afterFile(() => redis.disconnect());
    await untilReady(redis);
    const held = holdStatements(plane.pool, [
      'mark-published-unpublished_codes',
      'claim-due-unpublished_codes',
    ]);
    const background = createBackground(logger);
    const marked: Promise<unknown>[] = [];
    const publishing = createPublishing({
      pool: held.pool,
      redis,
      publisher: createRecordPublisher(redis),
      background: {
        ...background,
        start(what, work) {
          if (what.startsWith('marking')) marked.push(work);
          background.start(what, work);
        },
      },
      logger,
    });
    for (const code of codes) await inTransaction(plane.pool, (tx) => addUnpublished(tx, [code]));
    // While the first is being marked, the second is acknowledged; then the connection is another one.
    for (const code of codes) await publishing.publishChanged(code);
    expect(marked).toHaveLength(2);
    await reconnect(redis);
    await untilReady(redis);
    held.release('mark-published-unpublished_codes');
    await Promise.all(marked);
    const { rows } = await plane.pool.query('SELECT state FROM unpublished_codes WHERE code_id = $1', [
      codes[1]!.id,
    ]);
    expect(rows).toEqual([{ state: 'waiting' }]);

    held.release('claim-due-unpublished_codes');
    await expect.poll(() => unpublished(plane)).toBe(0);
    await publishing.close();
    await background.close();
  });

  test('a document that was acknowledged on a connection before this one is not taken for published', async () => {
    const server = await startTestRedis();
    const plane = await startTestControlPlane({ redisUrl: server.url });
    await plane.close();
    const logger = createLogger('test', 'silent');
    const redis = createRedis(server.url, { name: 'test', commandTimeoutMs: 5_000 }, logger);
    afterFile(() => redis.disconnect());
    await untilReady(redis);
    const held = holdStatements(plane.pool, ['claim-due-unpublished_documents']);
    const background = createBackground(logger);
    const document = { id: 'batch_lost', version: 1 };
    const read = async () =>
      new Map([[document.id, { version: 1, record: { ...document, text: '{}' }, chars: 2 }]]);
    const publisher = createDocumentPublisher(redis);
    let reconnects = true;
    const publishing = createDocumentPublishing({
      pool: held.pool,
      redis,
      kinds: { add: () => undefined, read },
      publisher: {
        ...publisher,
        async publish(one) {
          await publisher.publish(one);
          if (!reconnects) return;
          await reconnect(redis);
          await untilReady(redis);
        },
      },
      background,
      logger,
    });
    const stateAfterPublish = async () => {
      await inTransaction(plane.pool, (tx) => documentsChanged(tx, [document]));
      await publishing.publish([document.id]);
      const { rows } = await plane.pool.query('SELECT state FROM unpublished_documents');
      return rows;
    };
    expect(await stateAfterPublish()).toEqual([{ state: 'waiting' }]);
    reconnects = false;
    expect(await stateAfterPublish()).toEqual([{ state: 'published' }]);
    await publishing.close();
    held.release('claim-due-unpublished_documents');
    await background.close();
  });
});
