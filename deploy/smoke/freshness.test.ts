/**
 * A redirector never serves anything older than the bound, whatever happens to the change stream, Redis and
 * PostgreSQL.
 */
import { cp, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createRedis, type Redis, untilReady } from '#shared/redis.ts';
import { secretKey, startTestControlPlane } from '../../control-plane/testing/control-plane.ts';
import { createInstance } from '../../redirector/testing/instance.ts';
import {
  logger,
  phone,
  startTestRedirector,
  type TestRedirector,
} from '../../redirector/testing/redirector.ts';
import { afterFile } from '../testing/local.ts';
import { startTestRedis } from '../testing/redis.ts';

const first = 'https://example.com/first';
const second = 'https://example.org/second';

const server = await startTestRedis({ durable: true });
const plane = await startTestControlPlane({ redisUrl: server.url });
const own = await plane.workspace();
const redis = createRedis(server.url, { name: 'test', commandTimeoutMs: 10_000 }, logger);
afterFile(() => redis.disconnect());
await untilReady(redis);

/** The settings of both planes, and of each redirector. */
const common = {
  REDIS_URL: server.url,
  SECRET_KEY: secretKey,
  CONTROL_PLANE_INTERNAL_URL: plane.internalUrl,
};

/** Closed after the test: other tests count the reads of Redis. */
const startRedirector = async (environment: Record<string, string> = {}): Promise<TestRedirector> => {
  const waymark = await startTestRedirector({ ...common, ...environment });
  onTestFinished(() => waymark.redirector.close());
  await waymark.connected();
  return waymark;
};

const createCodes = async (count: number): Promise<string[]> => {
  const codes = await Promise.all(Array.from({ length: count }, () => own.createCode({ data: first })));
  return codes.map(({ id }) => id);
};

const change = async (id: string, destination: string): Promise<void> => {
  expect((await own.call('PUT', `/api/qr/codes/${id}`, { destination })).status).toBe(200);
};

/** Changes rows without notifying anyone. */
const changeUnannounced = (ids: readonly string[]) =>
  plane.pool.query('UPDATE codes SET destination = $1, version = version + 1 WHERE id = ANY($2)', [
    second,
    ids,
  ]);

const location = async (waymark: TestRedirector, id: string): Promise<string | null> =>
  (await waymark.scan(id)).headers.get('location');

/** Waits until they are held. A lookup that takes too long is answered with 503. */
const untilHeld = async (waymark: TestRedirector, ids: readonly string[]): Promise<void> => {
  for (const id of ids) await expect.poll(() => location(waymark, id)).toBe(first);
};

const metric = async ({ redirector }: TestRedirector, name: string): Promise<number> => {
  const text = await redirector.metrics.metrics();
  return Number(new RegExp(`^waymark_redirector_${name} (\\S+)$`, 'm').exec(text)?.[1]);
};

/** How many records the redirector requested from the control plane. */
const loadsOf = async ({ redirector }: TestRedirector): Promise<number> => {
  const text = await redirector.metrics.metrics();
  const pattern = /^waymark_redirector_record_loads_total\{source="control-plane"\} (\d+)$/m;
  return Number(pattern.exec(text)?.[1]);
};

/** How often records were read from Redis. */
const readsOf = async (redis: Redis): Promise<number> =>
  Number(/cmdstat_mget:calls=(\d+)/.exec(await redis.info('commandstats'))?.[1] ?? 0);

test('while the change stream is followed, a scan of a held code does not read Redis, however old the record is', async () => {
  const freshS = 1;
  const waymark = await startRedirector({ RECORD_FRESH_S: String(freshS) });
  const ids = await createCodes(20);
  await untilHeld(waymark, ids);
  let round = 0;
  /** Reads of Redis while old records are scanned, and one of them changes. */
  const readsOfRound = async (): Promise<number> => {
    await sleep(freshS * 1200);
    const before = await readsOf(redis);
    for (let time = 0; time < 3; time++)
      await Promise.all(ids.map(async (id) => expect(await location(waymark, id)).not.toBeNull()));
    const destination = `https://example.org/${round++}`;
    await change(ids[0]!, destination);
    await expect.poll(() => location(waymark, ids[0]!)).toBe(destination);
    return (await readsOf(redis)) - before;
  };
  // On a busy machine a read of the stream may be late: then it briefly counts as not followed.
  await expect.poll(readsOfRound).toBe(0);
});

test('while the change stream is cut, a change takes effect within the bound, and the stream is followed again later', async () => {
  // Without these it would take up to a minute, longer than the test waits.
  const waymark = await startRedirector({ RECORD_FRESH_S: '1', RECORD_STALE_MAX_S: '3' });
  const [id] = (await createCodes(1)) as [string];
  await untilHeld(waymark, [id]);
  await redis.acl('SETUSER', 'default', '-xread');
  try {
    await expect.poll(() => waymark.redirector.health().changes).toBe(false);
    await change(id, second);
    await expect.poll(() => location(waymark, id)).toBe(second);
  } finally {
    await redis.acl('SETUSER', 'default', '+xread');
  }
  await waymark.connected();
  await change(id, first);
  await expect.poll(() => location(waymark, id)).toBe(first);
});

test('a change that only PostgreSQL has takes effect within the bound, in each worker', async () => {
  const workers = 2;
  const ids = await createCodes(10);
  const instance = await createInstance({ ...common, RECORD_FRESH_S: '4', RECORD_STALE_MAX_S: '4' });
  const redirector = await instance.start({ REDIRECTOR_WORKERS: String(workers) });
  await expect.poll(() => redirector.complete()).toBe(true);
  /** From as many addresses, each over its own connection, which the kernel spreads over the workers. */
  const destinations = async (): Promise<Set<string | null>> => {
    const answers = Array.from({ length: 60 }, (_, n) =>
      fetch(`${instance.url}/r/${ids[n % ids.length]}`, {
        redirect: 'manual',
        headers: { 'user-agent': phone, connection: 'close', 'x-forwarded-for': `10.0.0.${n}` },
      }),
    );
    return new Set((await Promise.all(answers)).map(({ headers }) => headers.get('location')));
  };
  // The first worker that is asked has each of the codes; all workers should have most of them.
  const held = async () => [await destinations(), await redirector.metric('records')];
  await expect.poll(held).toEqual([new Set([first]), workers * ids.length]);
  // The write to Redis and the entry on the stream are lost.
  await changeUnannounced(ids);
  // The default bound is longer than the test waits.
  await expect.poll(destinations, { interval: 200 }).toEqual(new Set([second]));
  expect(await redirector.metric('record_mismatches_total')).toBeGreaterThan(0);
  redirector.kill('SIGTERM');
  expect(await redirector.exited).toBe(0);
});

test('with a control plane that cannot compare versions, held codes are revalidated when they are scanned', async () => {
  const waymark = await startTestRedirector({ RECORD_FRESH_S: '1', RECORD_STALE_MAX_S: '1' });
  waymark.controlPlane.comparesVersions = false;
  await waymark.connected();
  const record = await waymark.published();
  await expect.poll(async () => (await waymark.scan(record.id)).status).toBe(302);
  const changed = { ...record, version: 2, destination: second };
  // Both have it: on a busy machine Redis may not answer in time, and then the control plane is asked.
  waymark.controlPlane.records.set(record.id, changed);
  await waymark.redis.set(`code:${record.id}`, `2 ${JSON.stringify(changed)}`);
  await expect.poll(() => location(waymark, record.id)).toBe(second);
  const logged = () => waymark.logged().filter(({ msg }) => String(msg).includes('cannot compare versions'));
  // On a busy machine the first questions may end before the control plane has answered that it cannot.
  await expect.poll(logged).toHaveLength(1);
  const failures = () => metric(waymark, 'record_check_failures_total');
  const before = await failures();
  await expect.poll(failures).toBeGreaterThan(before + 1);
  expect(logged()).toHaveLength(1);
});

test('after a failover to an older copy, everything held is checked in the background, so that no scan waits', async () => {
  const waymark = await startRedirector();
  const ids = await createCodes(30);
  await untilHeld(waymark, ids);
  const data = path.join(server.folder, 'appendonlydir');
  const copy = path.join(server.folder, 'copy');
  await cp(data, copy, { recursive: true });
  for (const id of ids) await change(id, 'https://example.org/lost');
  await expect.poll(() => location(waymark, ids.at(-1)!)).toBe('https://example.org/lost');
  await server.stop();
  // The change is too old to be published again.
  await changeUnannounced(ids);
  await plane.pool.query('DELETE FROM unpublished');
  const [checked, loaded] = [await metric(waymark, 'record_checks_total'), await loadsOf(waymark)];
  await rm(data, { recursive: true });
  await cp(copy, data, { recursive: true });
  await server.startAgain();
  await expect
    .poll(() => metric(waymark, 'record_checks_total'))
    .toBeGreaterThanOrEqual(checked + ids.length);
  await expect.poll(() => loadsOf(waymark)).toBeGreaterThanOrEqual(loaded + ids.length);
  await waymark.connected();
  await expect.poll(() => metric(waymark, 'changes_gaps_total')).toBeGreaterThan(0);
  await expect.poll(() => metric(waymark, 'records_loading')).toBe(0);
  const waited = await metric(waymark, 'record_misses_total');
  for (const id of ids) await expect.poll(() => location(waymark, id)).toBe(second);
  expect(await metric(waymark, 'record_misses_total')).toBe(waited);
});
