/** What a redirector serves is never older than the bound, whatever becomes of the change stream, Redis and PostgreSQL. */
import { cp, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { createRedis, type Redis, untilReady } from '#shared/redis.ts';
import { secretKey, startTestControlPlane } from '../../control-plane/testing/control-plane.ts';
import { createInstance } from '../../redirector/testing/instance.ts';
import {
  logger,
  phone,
  startTestRedirector,
  type TestRedirector,
} from '../../redirector/testing/redirector.ts';
import { afterFile, startTestRedis } from '../testing/index.ts';

const first = 'https://example.com/first';
const second = 'https://example.org/second';

/** Both planes on a Redis of their own. */
const startBoth = async (environment: Record<string, string> = {}, options = { durable: false }) => {
  const server = await startTestRedis(options);
  const plane = await startTestControlPlane({ redisUrl: server.url });
  const waymark = await startTestRedirector({
    REDIS_URL: server.url,
    SECRET_KEY: secretKey,
    CONTROL_PLANE_INTERNAL_URL: plane.internalUrl,
    ...environment,
  });
  await waymark.connected();
  const redis = createRedis(server.url, { name: 'test', commandTimeoutMs: 2000 }, logger);
  afterFile(() => redis.disconnect());
  await untilReady(redis);
  const own = await plane.workspace();
  const change = async (id: string, destination: string): Promise<void> => {
    expect((await own.call('PUT', `/api/qr/codes/${id}`, { destination })).status).toBe(200);
  };
  return { server, plane, waymark, redis, own, change };
};

const location = async (waymark: TestRedirector, id: string): Promise<string | null> =>
  (await waymark.scan(id)).headers.get('location');

const metric = async ({ redirector }: TestRedirector, name: string): Promise<number> => {
  const text = await redirector.metrics.metrics();
  return Number(new RegExp(`^waymark_redirector_${name} (\\S+)$`, 'm').exec(text)?.[1]);
};

/** How often Redis was asked for records. */
const readsOf = async (redis: Redis): Promise<number> =>
  Number(/cmdstat_mget:calls=(\d+)/.exec(await redis.info('commandstats'))?.[1] ?? 0);

test('while the change stream is followed, a scan of a held code asks Redis nothing, however old the record is', async () => {
  const { waymark, redis, own, change } = await startBoth({ RECORD_FRESH_S: '1' });
  const codes = await Promise.all(Array.from({ length: 20 }, () => own.createCode({ data: first })));
  for (const { id } of codes) expect(await location(waymark, id)).toBe(first);
  await sleep(1200);
  const before = await readsOf(redis);
  for (let round = 0; round < 5; round++) {
    await Promise.all(codes.map(async ({ id }) => expect(await location(waymark, id)).toBe(first)));
    await sleep(50);
  }
  expect(await readsOf(redis)).toBe(before);
  await change(codes[0]!.id, second);
  await vi.waitFor(async () => expect(await location(waymark, codes[0]!.id)).toBe(second));
  expect(await readsOf(redis)).toBe(before);
}, 30_000);

test('while the change stream is cut, a change takes effect within the bound, and it is followed again later', async () => {
  const { waymark, redis, own, change } = await startBoth({ RECORD_FRESH_S: '1', RECORD_STALE_MAX_S: '3' });
  const { id } = await own.createCode({ data: first });
  expect(await location(waymark, id)).toBe(first);
  await redis.acl('SETUSER', 'default', '-xread');
  await vi.waitFor(() => expect(waymark.redirector.health().changes).toBe(false), { timeout: 5000 });
  await change(id, second);
  await vi.waitFor(async () => expect(await location(waymark, id)).toBe(second), { timeout: 6000 });
  await redis.acl('SETUSER', 'default', '+xread');
  await waymark.connected();
  await change(id, first);
  await vi.waitFor(async () => expect(await location(waymark, id)).toBe(first), { timeout: 6000 });
}, 30_000);

test('a change that only PostgreSQL has takes effect within the bound, in each of four workers', async () => {
  const server = await startTestRedis();
  const plane = await startTestControlPlane({ redisUrl: server.url });
  const own = await plane.workspace();
  const codes = await Promise.all(Array.from({ length: 10 }, () => own.createCode({ data: first })));
  const instance = await createInstance({
    REDIS_URL: server.url,
    SECRET_KEY: secretKey,
    CONTROL_PLANE_INTERNAL_URL: plane.internalUrl,
    RECORD_FRESH_S: '4',
    RECORD_STALE_MAX_S: '4',
  });
  const redirector = await instance.start({ REDIRECTOR_WORKERS: '4' });
  await vi.waitFor(async () => expect(await redirector.complete()).toBe(true), { timeout: 30_000 });
  /** Over connections of their own, which the kernel spreads over the workers, from as many addresses. */
  const destinations = async (): Promise<(string | null)[]> => {
    const answers = Array.from({ length: 100 }, (_, n) =>
      fetch(`${instance.url}/r/${codes[n % codes.length]!.id}`, {
        redirect: 'manual',
        headers: { 'user-agent': phone, connection: 'close', 'x-forwarded-for': `10.0.0.${n}` },
      }),
    );
    return (await Promise.all(answers)).map(({ headers }) => headers.get('location'));
  };
  expect(new Set(await destinations())).toEqual(new Set([first]));
  // The first worker that is asked has each of the codes; all of them are to have most.
  await vi.waitFor(async () => {
    await destinations();
    expect(await redirector.metric('records')).toBe(4 * codes.length);
  }, 10_000);
  // The write to Redis and the entry on the stream are lost.
  await plane.pool.query('UPDATE codes SET destination = $1, version = version + 1', [second]);
  await vi.waitFor(async () => expect(new Set(await destinations())).toEqual(new Set([second])), {
    timeout: 12_000,
    interval: 200,
  });
  expect(await redirector.metric('record_mismatches_total')).toBe(4 * codes.length);
  redirector.kill('SIGTERM');
  expect(await redirector.exited).toBe(0);
}, 90_000);

test('after a failover to an older copy everything held is checked in the background, so that no scan waits', async () => {
  const { server, plane, waymark, own, change } = await startBoth({}, { durable: true });
  const codes = await Promise.all(Array.from({ length: 30 }, () => own.createCode({ data: first })));
  for (const { id } of codes) expect(await location(waymark, id)).toBe(first);
  const data = path.join(server.folder, 'appendonlydir');
  const copy = path.join(server.folder, 'copy');
  await cp(data, copy, { recursive: true });
  for (const { id } of codes) await change(id, 'https://example.org/lost');
  await vi.waitFor(async () =>
    expect(await location(waymark, codes[29]!.id)).toBe('https://example.org/lost'),
  );
  await server.stop();
  // Nobody was told of it, and the change is too old to be published again.
  await plane.pool.query('UPDATE codes SET destination = $1, version = version + 1', [second]);
  await plane.pool.query('DELETE FROM unpublished_codes');
  const before = await metric(waymark, 'record_checks_total');
  await rm(data, { recursive: true });
  await cp(copy, data, { recursive: true });
  await server.startAgain();
  await vi.waitFor(
    async () => expect(await metric(waymark, 'record_checks_total')).toBeGreaterThanOrEqual(before + 30),
    { timeout: 15_000 },
  );
  await waymark.connected();
  await vi.waitFor(async () => expect(await metric(waymark, 'changes_gaps_total')).toBe(1));
  await sleep(500);
  const waited = await metric(waymark, 'record_misses_total');
  for (const { id } of codes) expect(await location(waymark, id)).toBe(second);
  expect(await metric(waymark, 'record_misses_total')).toBe(waited);
}, 60_000);

test('with a control plane that cannot compare versions, held codes are revalidated as they are scanned', async () => {
  const waymark = await startTestRedirector({ RECORD_FRESH_S: '1', RECORD_STALE_MAX_S: '1' });
  waymark.controlPlane.comparesVersions = false;
  await waymark.connected();
  const record = await waymark.published();
  expect((await waymark.scan(record.id)).status).toBe(302);
  const changed = { ...record, version: 2, destination: second };
  await waymark.redis.set(`code:${record.id}`, `2 ${JSON.stringify(changed)}`);
  await vi.waitFor(async () => expect(await location(waymark, record.id)).toBe(second), { timeout: 5000 });
  await vi.waitFor(
    async () => expect(await metric(waymark, 'record_check_failures_total')).toBeGreaterThan(1),
    {
      timeout: 5000,
    },
  );
  const told = waymark.logged().filter(({ msg }) => String(msg).includes('cannot compare versions'));
  expect(told).toHaveLength(1);
}, 20_000);
