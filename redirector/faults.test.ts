/** Faults in and around a redirector: processes really killed, really stopped, disks really full. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { capKey, recordStream } from '#schemas/code-record.ts';
import { createRedis, untilReady } from '#shared/redis.ts';
import { migrateClickHouse } from '../control-plane/platform/db/migrate.ts';
import type { Part } from '../deploy/embedded/child/part.ts';
import { startClickHouse } from '../deploy/embedded/parts/clickhouse.ts';
import {
  afterFile,
  createTestClickHouse,
  freePort,
  startTestRedis,
  temporaryFolder,
} from '../deploy/testing/index.ts';
import { startRelay } from '../deploy/testing/relay.ts';
import { setCounter } from './testing/counter.ts';
import { createInstance, patient } from './testing/instance.ts';
import { type Load, startLoad, totalsFor, totalsOf, untilCounted } from './testing/load.ts';
import { createRecord, logger, phone, startTestRedirector } from './testing/redirector.ts';

const ownClickHouse = async () => {
  const options = {
    home: await temporaryFolder(),
    port: await freePort(),
    password: 'secret',
    database: 'faults',
  };
  let part: Part = await startClickHouse(options);
  afterFile(() => part.stop());
  const { url } = part;
  await migrateClickHouse(url, { scanRetentionDays: 400 });
  return {
    url,
    kill: async () => {
      process.kill(part.pid, 'SIGKILL');
      await part.exited;
    },
    start: async () => {
      part = await startClickHouse(options);
    },
  };
};

/** Resolves once `count` more scans are acknowledged. */
const moreScans = async (load: Load, count: number): Promise<void> => {
  const before = load.acknowledged;
  await vi.waitFor(() => expect(load.acknowledged).toBeGreaterThan(before + count), patient);
};

test('a restarted redirector with everything else down serves its snapshot', async () => {
  const redis = await startTestRedis();
  const first = await startTestRedirector({ REDIS_URL: redis.url });
  const records = Array.from({ length: 20 }, () => createRecord());
  for (const record of records) {
    await first.publish(record);
    expect((await first.scan(record.id)).status).toBe(302);
  }
  await first.redirector.close();
  await redis.stop();
  first.controlPlane.away = true;
  const second = await startTestRedirector(
    {
      REDIS_URL: redis.url,
      DATA_DIR: first.config.dataDir,
      CONTROL_PLANE_INTERNAL_URL: first.controlPlane.url,
    },
    { waitForRedis: false },
  );
  for (const record of records) {
    expect((await second.scan(record.id)).headers.get('location')).toBe(record.destination);
  }
  expect((await second.scan(createRecord().id)).status).toBe(503);
});

test('a restarted redirector whose sources answer serves no snapshot record that has changed since', async () => {
  const first = await startTestRedirector();
  const record = createRecord();
  await first.publish(record);
  expect((await first.scan(record.id)).status).toBe(302);
  await first.redirector.close();
  const changed = { ...record, version: 2, destination: 'https://example.org/while-away' };
  await first.publish(changed);
  const second = await startTestRedirector({
    DATA_DIR: first.config.dataDir,
    CONTROL_PLANE_INTERNAL_URL: first.controlPlane.url,
  });
  expect((await second.scan(record.id)).headers.get('location')).toBe(changed.destination);
});

test('a Redis that does not answer delays no held code, and no record is served beyond its maximum staleness', async () => {
  const redis = await startTestRedis();
  const waymark = await startTestRedirector({
    REDIS_URL: redis.url,
    RECORD_FRESH_S: '1',
    RECORD_STALE_MAX_S: '2',
  });
  await waymark.connected();
  const record = createRecord();
  await waymark.publish(record);
  await waymark.scan(record.id);
  redis.stall();
  try {
    const tookMs: number[] = [];
    for (let i = 0; i < 20; i++) {
      const startedMs = performance.now();
      expect((await waymark.scan(record.id)).status).toBe(302);
      tookMs.push(performance.now() - startedMs);
    }
    // Each would wait for 250 ms, Redis's timeout.
    expect(tookMs.filter((ms) => ms < 250).length).toBeGreaterThan(10);
    const changed = { ...record, version: 2, destination: 'https://example.org/changed' };
    waymark.controlPlane.records.set(record.id, changed);
    await sleep(2000);
    expect((await waymark.scan(record.id)).headers.get('location')).toBe(changed.destination);
    // A code that is not held is looked up in the control plane.
    const other = createRecord();
    waymark.controlPlane.records.set(other.id, other);
    expect((await waymark.scan(other.id)).status).toBe(302);
  } finally {
    redis.resume();
  }
  await waymark.connected();
});

test('after Redis comes back empty every held record is revalidated once, and changes are followed again', async () => {
  const redis = await startTestRedis();
  const waymark = await startTestRedirector({ REDIS_URL: redis.url });
  await waymark.connected();
  const record = createRecord();
  await waymark.publish(record);
  await waymark.scan(record.id);
  await redis.stop();
  // Changed while no redirector could hear of it.
  const changed = { ...record, version: 2, destination: 'https://example.org/while-away' };
  waymark.controlPlane.records.set(record.id, changed);
  await redis.startAgain();
  const location = async () => (await waymark.scan(record.id)).headers.get('location');
  await expect.poll(location).toBe(changed.destination);
  await untilReady(waymark.redis);
  await waymark.publish({ ...changed, version: 3, destination: 'https://example.org/after' });
  await expect.poll(location).toBe('https://example.org/after');
  expect(await waymark.redis.xlen(recordStream)).toBeGreaterThan(0);
});

test('ClickHouse killed midway, twice: no acknowledged scan is lost, none is counted twice', async () => {
  const clickhouse = await ownClickHouse();
  const waymark = await startTestRedirector({ CLICKHOUSE_URL: clickhouse.url, TRUSTED_PROXIES: '127.0.0.1' });
  const record = createRecord();
  await waymark.publish(record);
  const load = startLoad(waymark.url, record.id, { clients: 16 });
  for (let round = 0; round < 2; round++) {
    // In several segments.
    await moreScans(load, 300);
    await sleep(1000);
    await clickhouse.kill();
    await moreScans(load, 100);
    await clickhouse.start();
  }
  await moreScans(load, 100);
  const { acknowledged } = await load.stop();
  expect(await untilCounted(clickhouse.url, acknowledged)).toBe(acknowledged);
  await waymark.redirector.close();
  expect(await totalsOf(clickhouse.url)).toEqual(totalsFor(acknowledged));
});

test('a redirector of one process killed under load: every acknowledged scan is recorded once', async () => {
  // A scan that waits too long for the disk is acknowledged from memory, which a kill loses.
  const instance = await createInstance({ REDIRECTOR_WORKERS: '1', SPOOL_WRITE_TIMEOUT_MS: '60000' });
  const record = createRecord();
  await instance.publish(record);
  const killed = await instance.start();
  const load = startLoad(instance.url, record.id, { clients: 16 });
  await moreScans(load, 500);
  killed.kill('SIGKILL');
  const { acknowledged } = await load.stop();
  await killed.exited;
  const last = await instance.start();
  await untilCounted(instance.clickhouseUrl, acknowledged);
  last.kill('SIGTERM');
  expect(await last.exited).toBe(0);
  const counted = await totalsOf(instance.clickhouseUrl);
  // Scans stored but not yet answered at the kill are recorded as well.
  expect(counted.raw).toBeLessThanOrEqual(acknowledged + 16);
  expect(counted).toEqual(totalsFor(counted.raw));
});

test('a redirector killed while Redis stalls uses up no slot of a cap: the phone that retries is let through, once', async () => {
  const redis = await startTestRedis();
  const instance = await createInstance({ REDIS_URL: redis.url, REDIRECTOR_WORKERS: '1' });
  const connection = createRedis(redis.url, { name: 'test', commandTimeoutMs: 2000 }, logger);
  afterFile(() => connection.disconnect());
  await untilReady(connection);
  const record = createRecord({ cap: { max: 1, epoch: 1 } });
  await setCounter(connection, capKey(record.id, 1), 0);
  instance.controlPlane.records.set(record.id, record);
  const scan = (init: RequestInit = {}) =>
    fetch(`${instance.url}/r/${record.id}`, {
      redirect: 'manual',
      headers: { 'user-agent': phone },
      ...init,
    });
  /** A phone retries while it gets 503. */
  const untilDecided = async (init?: RequestInit): Promise<number> => {
    for (;;) {
      const { status } = await scan(init);
      if (status !== 503) return status;
      await sleep(100);
    }
  };
  const first = await instance.start();
  // The code is held now, so that the scan reaches the cap.
  expect(await untilDecided({ method: 'HEAD' })).toBe(302);
  redis.stall();
  const lost = scan().then(
    ({ status }) => status,
    () => 'no answer',
  );
  await sleep(200);
  first.kill('SIGKILL');
  await first.exited;
  // Or 503, on a machine where 200 ms were longer than a phone waits.
  expect(['no answer', 503]).toContain(await lost);
  redis.resume();
  const second = await instance.start();
  expect(await untilDecided()).toBe(302);
  expect(await untilDecided()).toBe(410);
  second.kill('SIGTERM');
  expect(await second.exited).toBe(0);
});

const canMount = process.platform === 'linux' && process.getuid?.() === 0;

test.skipIf(!canMount)(
  'a full disk: redirects continue, and every scan arrives once there is room again',
  async () => {
    const folder = path.join(await temporaryFolder(), 'small');
    fs.mkdirSync(folder);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', folder]);
    afterFile(() => execFileSync('umount', ['-l', folder]));
    const clickhouseUrl = await createTestClickHouse();
    const clickhouse = await startRelay(clickhouseUrl);
    const waymark = await startTestRedirector({
      DATA_DIR: folder,
      CLICKHOUSE_URL: clickhouse.url,
      // Slow writes on a busy machine are not the subject.
      SPOOL_WRITE_TIMEOUT_MS: '60000',
      TRUSTED_PROXIES: '127.0.0.1',
    });
    const record = createRecord();
    await waymark.publish(record);
    clickhouse.cut();
    const load = startLoad(waymark.url, record.id, { clients: 16 });
    const metrics = () => waymark.redirector.metrics.metrics();
    await expect.poll(metrics, patient).toMatch(/spool_memory_bytes [1-9]\d{4}/);
    const { acknowledged } = await load.stop();
    expect(acknowledged).toBeGreaterThan(2000);
    expect(await metrics()).toContain('scans_dropped_total{reason="disk_error"} 0');
    clickhouse.mend();
    expect(await untilCounted(clickhouseUrl, acknowledged)).toBe(acknowledged);
  },
);
