import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';
import { capKey } from '#schemas/code-record.ts';
import { createRedis, type Redis, untilReady } from '#shared/redis.ts';
import { startRedis } from '../deploy/embedded/redis.ts';
import { afterFile, freePort, redisUrl, temporaryFolder } from '../deploy/testing/index.ts';
import { type CappedRecord, createCounters } from './counters.ts';
import { joinRegistry } from './registry.ts';

const logger = pino({ level: 'silent' });

const record = (id: string, max: number, epoch = 1): CappedRecord => ({
  id,
  workspaceId: 'ws_1',
  version: 1,
  active: true,
  destination: 'https://example.com/',
  cap: { max, epoch },
});

const connect = async (url: string): Promise<Redis> => {
  const redis = createRedis(url, { name: 'test', commandTimeoutMs: 500 }, logger);
  afterFile(() => redis.disconnect());
  await untilReady(redis);
  return redis;
};

/** A process: counters over a Redis, with scans that ClickHouse has and scans that it still waits for. */
const startProcess = async (url: string, recorded: () => number, waitedMs: () => number = () => 0) => {
  const redis = await connect(url);
  const registry = joinRegistry(redis, waitedMs, logger);
  afterFile(() => registry.close());
  const options = { spentMax: 100, rebuildWaitMs: 8000, rebuildTimeoutMs: 10_000 };
  let asked = 0;
  const count = () => {
    asked++;
    return Promise.resolve(recorded());
  };
  return { redis, counters: createCounters(options, redis, registry, count, logger), asked: () => asked };
};

let url: string;
let redis: Redis;
beforeEach(async () => {
  url = redisUrl();
  redis ??= await connect(url);
  await redis.flushdb();
});

const never = () => Promise.reject(new Error('must not be asked'));

test('a cap lets exactly as many scans through as it says, across processes and under concurrency', async () => {
  const processes = await Promise.all([1, 2, 3].map(() => startProcess(url, () => 0)));
  const code = record('concurrent', 100);
  await redis.set(capKey('concurrent', 1), 0);
  const answers = await Promise.all(
    Array.from({ length: 300 }, (_, index) => processes[index % 3]!.counters.take(code, true)),
  );
  expect(answers.filter((answer) => answer === 'taken')).toHaveLength(100);
  expect(answers.filter((answer) => answer === 'capped')).toHaveLength(200);
  expect(await redis.get(capKey('concurrent', 1))).toBe('100');
});

test('bots take nothing, are let through before the cap is reached, and not after', async () => {
  const { counters } = await startProcess(url, () => 0);
  const code = record('bots', 1);
  await redis.set(capKey('bots', 1), 0);
  expect(await counters.take(code, false)).toBe('taken');
  expect(await counters.take(code, true)).toBe('taken');
  expect(await counters.take(code, false)).toBe('capped');
});

test('a cap that is known to be reached needs nobody, until it is raised', async () => {
  const { counters } = await startProcess(url, () => 0);
  await redis.set(capKey('spent', 1), 5);
  expect(counters.isSpent(record('spent', 5))).toBe(false);
  expect(await counters.take(record('spent', 5), true)).toBe('capped');
  expect(counters.isSpent(record('spent', 5))).toBe(true);
  expect(counters.isSpent(record('spent', 6))).toBe(false);
  expect(counters.isSpent(record('spent', 5, 2))).toBe(false);
});

describe('a counter that is gone', () => {
  test('is rebuilt from what was recorded, before anything is let through', { timeout: 15_000 }, async () => {
    const { counters, asked } = await startProcess(url, () => 7);
    const code = record('rebuilt', 10);
    const answers = await Promise.all(Array.from({ length: 10 }, () => counters.take(code, true)));
    expect(answers.filter((answer) => answer === 'taken')).toHaveLength(3);
    expect(asked()).toBe(1);
    expect(await redis.get(capKey('rebuilt', 1))).toBe('10');
  });

  test('waits until every process has delivered what it answered', { timeout: 20_000 }, async () => {
    let recorded = 5;
    let waitedMs = 0;
    const undeliveredSinceMs = Date.now();
    const { counters } = await startProcess(url, () => recorded);
    await startProcess(url, never as never, () => waitedMs);
    waitedMs = 1;
    const growing = setInterval(() => {
      waitedMs = waitedMs && Date.now() - undeliveredSinceMs;
    }, 20);
    const taking = counters.take(record('waits', 9), true);
    await sleep(4500);
    expect(await redis.get(capKey('waits', 1))).toBeNull();
    // Now the other process has delivered two scans more.
    recorded = 7;
    waitedMs = 0;
    expect(await taking).toBe('taken');
    clearInterval(growing);
    expect(await redis.get(capKey('waits', 1))).toBe('8');
  });

  test('that cannot be rebuilt lets nobody through', async () => {
    const mine = await connect(url);
    const registry = joinRegistry(mine, () => 0, logger);
    afterFile(() => registry.close());
    const options = { spentMax: 9, rebuildWaitMs: 300, rebuildTimeoutMs: 600 };
    const counters = createCounters(options, mine, registry, never, logger);
    expect(await counters.take(record('unbuilt', 9), true)).toBe('unknown');
    expect(await redis.get(capKey('unbuilt', 1))).toBeNull();
  });
});

test('with Redis down a capped code is unknown, never open and never capped by a guess', async () => {
  const options = {
    home: await temporaryFolder(),
    port: await freePort(),
    password: 'secret',
    durable: false,
  };
  const part = await startRedis(options);
  const { counters, redis: mine } = await startProcess(part.url, () => 0);
  const code = record('down', 5);
  await mine.set(capKey('down', 1), 0);
  expect(await counters.take(code, true)).toBe('taken');
  process.kill(part.pid, 'SIGSTOP');
  expect(await counters.take(code, true)).toBe('unknown');
  process.kill(part.pid, 'SIGCONT');
  await part.stop();
  expect(await counters.take(code, true)).toBe('unknown');
});
