import { randomUUID } from 'node:crypto';
import { cp, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type CodeRecord, capKey } from '#schemas/code-record.ts';
import { sampleRecord } from '#schemas/testing/sample-record.ts';
import { createRedis, type Redis, untilReady } from '#shared/redis.ts';
import { afterFile, redisUrl, startTestRedis, type TestRedis } from '../../deploy/testing/index.ts';
import { joinMembership } from '../instance/membership.ts';
import { setCounter } from '../testing/counter.ts';
import { createCapScripts } from './cap-scripts.ts';
import { type CapOptions, type CappedRecord, createCaps } from './caps.ts';

const logger = pino({ level: 'silent' });

const record = (id: string, max: number, epoch = 1): CappedRecord =>
  sampleRecord({ id, cap: { max, epoch } });

/** Longer than anything takes, even on a busy machine. */
const patientMs = 60_000;
const times = { takeWaitMs: patientMs, waitingMax: 1000, leaseMs: patientMs, openMs: patientMs };
/** Shorter than in production, where the times allow for many processes. */
const membershipOptions = { key: 'redirectors', waitedForMs: 300_000, everyMs: 100, completeAfterMs: 1000 };

const connect = async (url: string, commandTimeoutMs = 2000): Promise<Redis> => {
  const redis = createRedis(url, { name: 'test', commandTimeoutMs }, logger);
  afterFile(() => redis.disconnect());
  await untilReady(redis);
  return redis;
};

/** A process: caps over a Redis, with scans in ClickHouse and scans still to be delivered. */
const startProcess = async (
  url: string,
  recorded: (record: CodeRecord) => number,
  waitedMs: () => number = () => 0,
  changes: Partial<CapOptions> = {},
) => {
  const redis = await connect(url, changes.takeWaitMs);
  const id = randomUUID();
  const lines = () => [{ id, living: true, waitedMs: waitedMs() }];
  const membership = joinMembership(redis, lines, logger, membershipOptions);
  onTestFinished(() => membership.close());
  const rebuilding = { rebuildWaitMs: patientMs, rebuildTimeoutMs: patientMs };
  const options = { ...times, spentMax: 100, ...rebuilding, ...changes };
  let asked = 0;
  const count = (record: CodeRecord) => {
    asked++;
    return Promise.resolve(recorded(record));
  };
  return { redis, caps: createCaps(options, redis, membership, count, logger), asked: () => asked };
};

let url: string;
let redis: Redis;
beforeEach(async () => {
  url = redisUrl();
  redis ??= await connect(url);
  await redis.flushdb();
});

const never = () => Promise.reject(new Error('must not be asked'));

test('a cap lets exactly as many scans through as it allows, across processes and under concurrency', async () => {
  const processes = await Promise.all([1, 2, 3].map(() => startProcess(url, () => 0)));
  const code = record('concurrent', 100);
  await setCounter(redis, capKey('concurrent', 1), 0);
  const answers = await Promise.all(
    Array.from({ length: 300 }, (_, index) => processes[index % 3]!.caps.take(code, true)),
  );
  expect(answers.filter((answer) => answer === 'taken')).toHaveLength(100);
  expect(answers.filter((answer) => answer === 'capped')).toHaveLength(200);
  expect(await redis.get(capKey('concurrent', 1))).toBe('100');
});

test('a confirmation whose answer is late is asked for again: a rebuild may have counted the scans in the meantime', async () => {
  const { redis: own, caps } = await startProcess(url, never as never);
  await setCounter(redis, capKey('late', 1), 0);
  const confirm = own.confirmScans.bind(own);
  const asked = vi.spyOn(own, 'confirmScans').mockImplementationOnce(async (...question) => {
    const answers = await confirm(...question);
    await sleep(700);
    return answers;
  });
  expect(await caps.take(record('late', 5), true)).toBe('taken');
  expect(asked).toHaveBeenCalledTimes(2);
  expect(await redis.get(capKey('late', 1))).toBe('1');
});

test('bots take nothing, are let through before the cap is reached, and not after', async () => {
  const { caps } = await startProcess(url, () => 0);
  const code = record('bots', 1);
  await setCounter(redis, capKey('bots', 1), 0);
  expect(await caps.take(code, false)).toBe('taken');
  expect(await caps.take(code, true)).toBe('taken');
  expect(await caps.take(code, false)).toBe('capped');
});

test('a cap known to be reached is not asked for again until it is raised', async () => {
  const { caps } = await startProcess(url, () => 0);
  await setCounter(redis, capKey('spent', 1), 5);
  expect(caps.isSpent(record('spent', 5))).toBe(false);
  expect(await caps.take(record('spent', 5), true)).toBe('capped');
  expect(caps.isSpent(record('spent', 5))).toBe(true);
  expect(caps.isSpent(record('spent', 6))).toBe(false);
  expect(caps.isSpent(record('spent', 5, 2))).toBe(false);
});

describe('a counter that is missing', () => {
  test('is rebuilt from the recorded scans, before anything is let through', async () => {
    const { caps, asked } = await startProcess(url, () => 7);
    const code = record('rebuilt', 10);
    const answers = await Promise.all(Array.from({ length: 10 }, () => caps.take(code, true)));
    expect(answers.filter((answer) => answer === 'taken')).toHaveLength(3);
    expect(asked()).toBe(1);
    expect(await redis.get(capKey('rebuilt', 1))).toBe('10');
  });

  test('waits until every process has delivered the scans it answered', async () => {
    let recorded = 5;
    let undeliveredSinceMs: number | undefined = Date.now();
    const waitedMs = () => (undeliveredSinceMs === undefined ? 0 : 1 + Date.now() - undeliveredSinceMs);
    const { caps } = await startProcess(url, () => recorded);
    await startProcess(url, never as never, waitedMs);
    const taking = caps.take(record('waits', 9), true);
    // Longer than a rebuild takes that need not wait.
    await sleep(3000);
    expect(await redis.get(capKey('waits', 1))).toBeNull();
    // Now the other process has delivered two more scans.
    recorded = 7;
    undeliveredSinceMs = undefined;
    expect(await taking).toBe('taken');
    expect(await redis.get(capKey('waits', 1))).toBe('8');
  });

  test('counts the scans answered in the moment before it was missed', async () => {
    let recorded = 5;
    let undeliveredSinceMs: number | undefined;
    const waitedMs = () => (undeliveredSinceMs === undefined ? 0 : Date.now() - undeliveredSinceMs);
    const { caps } = await startProcess(url, () => recorded);
    await startProcess(url, never as never, waitedMs);
    // Every process is known: the rebuild waits only for the answers.
    await sleep(1500);
    const taking = caps.take(record('moment', 9), true);
    await sleep(300);
    // Answered just before by the other process, and only now sent to ClickHouse.
    undeliveredSinceMs = Date.now() - 400;
    await sleep(2000);
    recorded = 6;
    undeliveredSinceMs = undefined;
    expect(await taking).toBe('taken');
    expect(await redis.get(capKey('moment', 1))).toBe('7');
  });

  test('lets no scan through if it cannot be rebuilt', async () => {
    const mine = await connect(url);
    const membership = joinMembership(mine, () => [{ id: 'mine', living: true, waitedMs: 0 }], logger);
    onTestFinished(() => membership.close());
    const options = { ...times, spentMax: 9, rebuildWaitMs: 300, rebuildTimeoutMs: 600 };
    const caps = createCaps(options, mine, membership, never, logger);
    expect(await caps.take(record('unbuilt', 9), true)).toBe('unknown');
    expect(await redis.get(capKey('unbuilt', 1))).toBeNull();
  });
});

test('with Redis down a capped code is unknown, never open and never capped by a guess', async () => {
  const server = await startTestRedis();
  const { caps, redis: mine } = await startProcess(server.url, () => 0, undefined, { takeWaitMs: 1500 });
  const code = record('down', 5);
  await setCounter(mine, capKey('down', 1), 0);
  await expect.poll(() => caps.take(code, true)).toBe('taken');
  server.stall();
  expect(await caps.take(code, true)).toBe('unknown');
  server.resume();
  await server.stop();
  expect(await caps.take(code, true)).toBe('unknown');
});

describe('a Redis that stalls', () => {
  const key = capKey('stalled', 1);
  const code = record('stalled', 1);

  test.each([
    [
      'is stopped',
      (server: TestRedis) => {
        server.stall();
        setTimeout(server.resume, 700);
      },
    ],
    ['pauses its clients', (_: TestRedis, other: Redis) => other.client('PAUSE', 700, 'ALL')],
  ])('uses up no slot when it %s: a take sent again is the same take', async (_, stall) => {
    const server = await startTestRedis();
    const { caps, redis: mine } = await startProcess(server.url, () => 0);
    mine.options.commandTimeout = 250;
    const other = await connect(server.url);
    await setCounter(other, key, 0);
    await stall(server, other);
    expect(await caps.take(code, true)).toBe('taken');
    expect(await caps.take(code, true)).toBe('capped');
    expect(await other.get(key)).toBe('1');
  });

  test('for longer than a phone waits gives the slot back, and the phone gets it when it tries again', async () => {
    const server = await startTestRedis();
    const { caps } = await startProcess(
      server.url,
      () => 0,
      () => 0,
      { takeWaitMs: 200 },
    );
    const other = await startProcess(server.url, () => 0);
    await setCounter(other.redis, key, 0);
    server.stall();
    expect(await caps.take(code, true)).toBe('unknown');
    expect(caps.isSpent(code)).toBe(false);
    await sleep(300);
    server.resume();
    // At any process.
    expect(await other.caps.take(code, true)).toBe('taken');
    expect(await other.caps.take(code, true)).toBe('capped');
    await expect.poll(() => caps.take(code, true)).toBe('capped');
    expect(await other.redis.get(key)).toBe('1');
  });

  test('repeatedly still lets exactly as many scans through as the cap allows, however many arrive', {
    timeout: 300_000,
  }, async () => {
    const server = await startTestRedis();
    const max = 20;
    const busyCode = record('stalled', max);
    const processes = await Promise.all(
      [1, 2, 3].map(() =>
        startProcess(
          server.url,
          () => 0,
          () => 0,
          { takeWaitMs: 150 },
        ),
      ),
    );
    await setCounter(await connect(server.url), key, 0);
    let phones = true;
    const unknown = () => processes.reduce((sum, { caps }) => sum + caps.statistics.unknown, 0);
    const stalling = (async () => {
      // The first stall lasts until a take has run into it.
      server.stall();
      await expect.poll(unknown).toBeGreaterThan(0);
      server.resume();
      // The pauses between stalls grow, so that a slow machine finishes too.
      for (let stall = 1; phones; stall++) {
        server.stall();
        await sleep(20 + Math.random() * 300);
        server.resume();
        await sleep(Math.random() * (60 + 4 * stall));
      }
    })();
    /** Tries again whenever it is asked to. */
    const phone = async (index: number): Promise<string> => {
      for (let attempt = index; ; attempt++) {
        const answer = await processes[attempt % 3]!.caps.take(busyCode, true);
        if (answer !== 'unknown') return answer;
        await sleep(20);
      }
    };
    const answers = await Promise.all(Array.from({ length: 60 }, (_, index) => phone(index)));
    phones = false;
    await stalling;
    expect(answers.filter((answer) => answer === 'taken')).toHaveLength(max);
    await expect.poll(() => processes[0]!.redis.get(key).catch(() => null)).toBe(String(max));
  });

  test('a slot reserved for another phone is neither taken nor lost: the next phone is asked to try again', async () => {
    const { caps } = await startProcess(
      url,
      () => 0,
      () => 0,
      { takeWaitMs: 150 },
    );
    await setCounter(redis, key, 0);
    const endsAt = (endsMs: number) => redis.zadd(`${key}:reserved`, endsMs, 'of a process that died');
    await endsAt(Date.now() + patientMs);
    expect(await caps.take(code, true)).toBe('unknown');
    expect(caps.isSpent(code)).toBe(false);
    await endsAt(Date.now() - 1);
    await expect.poll(() => caps.take(code, true)).toBe('taken');
  });

  test('scans beyond the waiting limit are asked to try again at once', async () => {
    const server = await startTestRedis();
    const { caps, redis: mine } = await startProcess(
      server.url,
      () => 0,
      () => 0,
      { waitingMax: 5 },
    );
    await setCounter(mine, key, 0);
    server.stall();
    const takes = Array.from({ length: 8 }, () => caps.take(record('stalled', 100), true));
    expect(await Promise.all(takes.slice(5))).toEqual(['unknown', 'unknown', 'unknown']);
    server.resume();
    expect(await Promise.all(takes.slice(0, 5))).toEqual(Array(5).fill('taken'));
  });
});

test('a Redis restarted from an older copy reopens no cap and loses no slot', {
  timeout: 300_000,
}, async () => {
  const server = await startTestRedis({ durable: true });
  const codes = [record('older-a', 100), record('older-b', 20)] as const;
  const recorded = new Map(codes.map(({ id }) => [id, 0]));
  const begin = () => startProcess(server.url, ({ id }) => recorded.get(id)!);
  const processes = [await begin(), await begin()];

  /** Scans of phones that try again when asked to, at any process. */
  const scan = async (code: CappedRecord, phones: number) => {
    const phone = async (index: number): Promise<string> => {
      for (let attempt = index; ; attempt++) {
        const answer = await processes[attempt % processes.length]!.caps.take(code, true);
        if (answer === 'taken') recorded.set(code.id, recorded.get(code.id)! + 1);
        if (answer !== 'unknown') return answer;
        await sleep(50);
      }
    };
    const answers = await Promise.all(Array.from({ length: phones }, (_, index) => phone(index)));
    return answers.filter((answer) => answer === 'taken').length;
  };

  const [a, b] = codes;
  expect([await scan(a, 20), await scan(b, 5)]).toEqual([20, 5]);
  // In the copy: a slot of a dead process, and a slot that is given back later.
  const [key, other] = [capKey(a.id, 1), await connect(server.url)];
  // Each write is in the file before its reply; with `everysec`, a write may wait for a sync under way.
  await other.config('SET', 'appendfsync', 'always');
  const scripts = createCapScripts(other, { leaseMs: 60_000, openMs: 60_000 });
  for (const token of ['died', 'returned']) await scripts.reserve([{ key, token, max: 100, counts: true }]);
  await scripts.confirm([{ key, token: 'returned', max: 100, counts: true }]);
  const data = path.join(server.folder, 'appendonlydir');
  const copy = path.join(server.folder, 'copy');
  await cp(data, copy, { recursive: true });
  await scripts.release([
    { key, token: 'died', back: true },
    { key, token: 'returned', back: true },
  ]);
  expect([await scan(a, 60), await scan(b, 20)]).toEqual([60, 15]);

  server.stall();
  await rm(data, { recursive: true });
  await cp(copy, data, { recursive: true });
  await server.kill();
  await server.startAgain();
  // A process that does not remember that a cap is reached.
  processes.push(await begin());
  await expect.poll(() => other.get(key).catch(() => null)).toBe('21');
  expect([await scan(a, 40), await scan(b, 10)]).toEqual([20, 0]);
  expect([...recorded.values()]).toEqual([100, 20]);
});
