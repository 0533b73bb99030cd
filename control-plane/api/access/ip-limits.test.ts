/** The limiter by address and by subscription, also while Redis stalls or has lost its counts. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { describe, expect, test } from 'vitest';
import { createLogger } from '#shared/logger.ts';
import { createRedis, untilReady } from '#shared/redis.ts';
import { afterFile } from '../../../deploy/testing/local.ts';
import { startTestRedis } from '../../../deploy/testing/redis.ts';
import { createIpLimiter, ipLimits } from './ip-limits.ts';

const server = await startTestRedis();
const operator = new Redis(server.url);
afterFile(() => operator.disconnect());
const { requests } = ipLimits.healthProbe;

const startLimiter = async () => {
  const redis = createRedis(
    server.url,
    { name: 'test', commandTimeoutMs: 200 },
    createLogger('test', 'silent'),
  );
  afterFile(() => redis.disconnect());
  await untilReady(redis);
  return createIpLimiter(redis);
};

const allowedOf = async (
  limiter: Awaited<ReturnType<typeof startLimiter>>,
  address: string,
  count: number,
) => {
  let allowed = 0;
  for (let n = 0; n < count; n++) if ((await limiter.take('healthProbe', address)).allowed) allowed++;
  return allowed;
};

/** Redis answers nothing until `work` is done. */
const whileStalled = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  server.stall();
  try {
    return await work();
  } finally {
    server.resume();
  }
};

describe('a Redis that stalls in the middle of a window', () => {
  test('starts no new limit in a process that knew the count', async () => {
    const limiter = await startLimiter();
    const address = '192.0.2.1';
    expect(await allowedOf(limiter, address, requests - 20)).toBe(requests - 20);
    expect(await whileStalled(() => allowedOf(limiter, address, 30))).toBe(20);
    expect(await allowedOf(limiter, address, 10)).toBe(0);
  });

  test('gives back none of the requests counted without it', async () => {
    const limiter = await startLimiter();
    const address = '192.0.2.2';
    expect(await allowedOf(limiter, address, 10)).toBe(10);
    expect(await whileStalled(() => allowedOf(limiter, address, requests - 30))).toBe(requests - 30);
    // After a failure, Redis is not asked for this long.
    await sleep(1_100);
    expect(await allowedOf(limiter, address, 30)).toBe(20);
  });

  test('leaves a new address its whole limit', async () => {
    const limiter = await startLimiter();
    expect(await whileStalled(() => allowedOf(limiter, '192.0.2.3', requests + 10))).toBe(requests);
  });
});

test('planes share the call count of a subscription', async () => {
  const [one, other] = [await startLimiter(), await startLimiter()];
  const take = async (limiter: typeof one, id: string) => (await limiter.takeCall('bulk', id, 5)).remaining;
  expect([await take(one, 'sub_1'), await take(other, 'sub_1'), await take(one, 'sub_1')]).toEqual([4, 3, 2]);
  expect(await take(other, 'sub_2')).toBe(4);
  expect((await other.take('bulk', '192.0.2.5')).remaining).toBe(4);
});

test('a Redis that has lost its counts starts no new limit in a process that knew them', async () => {
  const limiter = await startLimiter();
  const address = '192.0.2.4';
  expect(await allowedOf(limiter, address, requests - 5)).toBe(requests - 5);
  await operator.call('FLUSHALL');
  expect(await allowedOf(limiter, address, 10)).toBe(5);
});
