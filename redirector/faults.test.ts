/** Faults behind a redirector and under it: processes really killed, really stopped, disks really full. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { expect, test, vi } from 'vitest';
import { capKey, recordStream } from '#schemas/code-record.ts';
import { migrateClickHouse } from '../control-plane/db/migrate.ts';
import type { Part } from '../deploy/embedded/child/part.ts';
import { startClickHouse } from '../deploy/embedded/parts/clickhouse.ts';
import { afterFile, freePort, startTestRedis, temporaryFolder } from '../deploy/testing/index.ts';
import { setCounter } from './testing/counter.ts';
import { totalsFor, totalsOf } from './testing/load.ts';
import { createRecord, phone, startTestRedirector, type TestRedirector } from './testing/redirector.ts';

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

/** Scans over many connections until `signal` aborts, and counts the answers. */
const load = async (
  url: string,
  id: string,
  signal: AbortSignal,
  onAcknowledged = (_count: number): void => {},
): Promise<number> => {
  const agent = new Agent({ connections: 16, pipelining: 1 });
  let acknowledged = 0;
  const scan = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        // Each from an address of its own, below the limit of any.
        const address = `10.${Math.floor(Math.random() * 256)}.${Math.floor(Math.random() * 256)}.7`;
        const { statusCode, body } = await request(`${url}/r/${id}`, {
          dispatcher: agent,
          headers: { 'user-agent': phone, 'x-forwarded-for': address },
        });
        await body.dump();
        if (statusCode === 302) onAcknowledged(++acknowledged);
      } catch {
        await sleep(5); // not acknowledged
      }
    }
  };
  await Promise.all(Array.from({ length: 16 }, scan));
  await agent.destroy();
  return acknowledged;
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

test('a restarted redirector whose sources answer serves no record of its snapshot that has changed since', async () => {
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

test('a Redis that does not answer delays no held code, and no record is stale past the bound', async () => {
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
    const startedMs = performance.now();
    for (let i = 0; i < 20; i++) expect((await waymark.scan(record.id)).status).toBe(302);
    // Each would wait for 250 ms, the timeout of Redis' answer: 5 s.
    expect(performance.now() - startedMs).toBeLessThan(2500);
    const changed = { ...record, version: 2, destination: 'https://example.org/changed' };
    waymark.controlPlane.records.set(record.id, changed);
    await sleep(2000);
    expect((await waymark.scan(record.id)).headers.get('location')).toBe(changed.destination);
    // A code that is not held is asked of the control plane.
    const other = createRecord();
    waymark.controlPlane.records.set(other.id, other);
    expect((await waymark.scan(other.id)).status).toBe(302);
  } finally {
    redis.resume();
  }
  await waymark.connected();
}, 20_000);

test('a Redis that comes back empty costs one revalidation of every held record, and changes are followed again', async () => {
  const redis = await startTestRedis();
  const waymark = await startTestRedirector({ REDIS_URL: redis.url });
  await waymark.connected();
  const record = createRecord();
  await waymark.publish(record);
  await waymark.scan(record.id);
  await redis.stop();
  // Changed while no redirector could be told.
  const changed = { ...record, version: 2, destination: 'https://example.org/while-away' };
  waymark.controlPlane.records.set(record.id, changed);
  await redis.startAgain();
  await vi.waitFor(
    async () => expect((await waymark.scan(record.id)).headers.get('location')).toBe(changed.destination),
    { timeout: 5000 },
  );
  await waymark.publish({ ...changed, version: 3, destination: 'https://example.org/after' });
  await vi.waitFor(async () =>
    expect((await waymark.scan(record.id)).headers.get('location')).toBe('https://example.org/after'),
  );
  expect(await waymark.redis.xlen(recordStream)).toBeGreaterThan(0);
}, 20_000);

test('ClickHouse killed in the middle, twice: no acknowledged scan is lost, none is counted twice', async () => {
  const clickhouse = await ownClickHouse();
  const waymark = await startTestRedirector({ CLICKHOUSE_URL: clickhouse.url, TRUSTED_PROXIES: '127.0.0.1' });
  const record = createRecord();
  await waymark.publish(record);
  const stop = new AbortController();
  const loading = load(waymark.url, record.id, stop.signal);
  for (let round = 0; round < 2; round++) {
    await sleep(700);
    await clickhouse.kill();
    await sleep(300);
    await clickhouse.start();
  }
  await sleep(300);
  stop.abort();
  const acknowledged = await loading;
  expect(acknowledged).toBeGreaterThan(500);
  await waymark.redirector.close();
  expect(await totalsOf(clickhouse.url)).toEqual(totalsFor(acknowledged));
}, 40_000);

/** The redirector as a process of its own, so that it can be killed. */
const startProcess = async (waymark: TestRedirector): Promise<ChildProcess> => {
  const { config } = waymark;
  const child = spawn(process.execPath, ['redirector/main.ts'], {
    cwd: path.resolve(import.meta.dirname, '..'),
    stdio: 'ignore',
    env: {
      PATH: process.env.PATH,
      DATA_DIR: config.dataDir,
      RUNTIME_DIR: config.dataDir,
      HOST: '127.0.0.1',
      REDIRECTOR_PORT: String(config.redirector.port),
      REDIRECTOR_INTERNAL_PORT: String(config.redirector.internalPort),
      REDIRECTOR_WORKERS: '1',
      TRUSTED_PROXIES: '127.0.0.1',
      CONTROL_PLANE_INTERNAL_URL: waymark.controlPlane.url,
      CONTROL_PLANE_URL: waymark.controlPlane.url,
      DATABASE_URL: config.databaseUrl,
      REDIS_URL: config.redisUrl,
      CLICKHOUSE_URL: config.clickhouseUrl,
      SECRET_KEY: config.secretKey,
    },
  });
  afterFile(() => child.kill('SIGKILL'));
  await vi.waitFor(
    async () =>
      expect((await fetch(`http://127.0.0.1:${config.redirector.internalPort}/health/ready`)).status).toBe(
        200,
      ),
    { timeout: 30_000 },
  );
  return child;
};

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });

test('a redirector killed under load: every acknowledged scan is recorded once', async () => {
  const waymark = await startTestRedirector();
  await waymark.redirector.close();
  const record = createRecord();
  await waymark.publish(record);
  let acknowledged = 0;
  for (let round = 0; round < 2; round++) {
    const child = await startProcess(waymark);
    const stop = new AbortController();
    const loading = load(waymark.url, record.id, stop.signal, (count) => {
      if (count === 500) child.kill('SIGKILL');
    });
    await ended(child);
    stop.abort();
    acknowledged += await loading;
  }
  const last = await startProcess(waymark);
  last.kill('SIGTERM');
  await ended(last);
  const counted = await totalsOf(waymark.clickhouseUrl);
  expect(acknowledged).toBeGreaterThanOrEqual(1000);
  // Scans that were stored and not yet answered when it was killed are recorded as well.
  expect(counted.raw).toBeGreaterThanOrEqual(acknowledged);
  expect(counted.raw).toBeLessThanOrEqual(acknowledged + 2 * 16);
  expect(counted).toEqual(totalsFor(counted.raw));
}, 60_000);

test('a redirector killed while Redis stalls uses up no slot of a cap: the phone that tries again is let through, once', async () => {
  const redis = await startTestRedis();
  const waymark = await startTestRedirector({ REDIS_URL: redis.url });
  await waymark.redirector.close();
  const record = createRecord({ cap: { max: 1, epoch: 1 } });
  await setCounter(waymark.redis, capKey(record.id, 1), 0);
  await waymark.publish(record);
  // Held, so that the scan reaches the cap.
  const head = { method: 'HEAD' };
  const first = await startProcess(waymark);
  expect((await waymark.scan(record.id, head)).status).toBe(302);
  redis.stall();
  const lost = waymark.scan(record.id).catch(() => undefined);
  await sleep(200);
  first.kill('SIGKILL');
  await ended(first);
  expect(await lost).toBeUndefined();
  redis.resume();
  const second = await startProcess(waymark);
  const statuses: number[] = [];
  await vi.waitFor(
    async () => {
      statuses.push((await waymark.scan(record.id)).status);
      expect(statuses.at(-1)).toBe(302);
    },
    { timeout: 15_000, interval: 200 },
  );
  expect(statuses.slice(0, -1).filter((status) => status !== 503)).toEqual([]);
  expect((await waymark.scan(record.id)).status).toBe(410);
  second.kill('SIGTERM');
  await ended(second);
}, 60_000);

const canMount = process.platform === 'linux' && process.getuid?.() === 0;

test.skipIf(!canMount)(
  'a full disk: redirects go on, and once there is room again every scan arrives',
  async () => {
    const folder = path.join(await temporaryFolder(), 'small');
    fs.mkdirSync(folder);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', folder]);
    afterFile(() => execFileSync('umount', ['-l', folder]));
    const clickhouse = await ownClickHouse();
    const waymark = await startTestRedirector({
      DATA_DIR: folder,
      RUNTIME_DIR: folder,
      CLICKHOUSE_URL: clickhouse.url,
      // A write that is slow on a busy machine is not what this is about.
      SPOOL_WRITE_TIMEOUT_MS: '60000',
      TRUSTED_PROXIES: '127.0.0.1',
    });
    const record = createRecord();
    await waymark.publish(record);
    await clickhouse.kill();
    const stop = new AbortController();
    const loading = load(waymark.url, record.id, stop.signal);
    await vi.waitFor(
      async () => expect(await waymark.redirector.metrics.metrics()).toMatch(/spool_memory_bytes [1-9]\d{4}/),
      { timeout: 15_000 },
    );
    stop.abort();
    const acknowledged = await loading;
    expect(acknowledged).toBeGreaterThan(2000);
    expect(await waymark.redirector.metrics.metrics()).toContain(
      'scans_dropped_total{reason="disk_error"} 0',
    );
    await clickhouse.start();
    await vi.waitFor(async () => expect(await totalsOf(clickhouse.url)).toEqual(totalsFor(acknowledged)), {
      timeout: 15_000,
    });
  },
  60_000,
);
