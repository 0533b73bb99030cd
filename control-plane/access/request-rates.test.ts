import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterAll, describe, expect, test } from 'vitest';
import { createLogger } from '#shared/logger.ts';
import { createRedis, untilReady } from '#shared/redis.ts';
import { afterFile, freePort, redisUrl } from '../../deploy/testing/index.ts';
import { createRequestRates } from './request-rates.ts';

const logger = createLogger('test', 'silent');

const connect = async () => {
  const redis = createRedis(redisUrl(), { name: 'test', commandTimeoutMs: 1_000 }, logger);
  afterFile(() => redis.disconnect());
  await untilReady(redis);
  return redis;
};

const admitted = async (takes: Promise<{ allowed: boolean }>[]): Promise<number> =>
  (await Promise.all(takes)).filter(({ allowed }) => allowed).length;

describe('one rate for a subscription', () => {
  test.each([5, 10, 30, 100, 500])(
    'never lets more than %i through in a window, however many processes ask at once',
    async (limit) => {
      const processes = [await connect(), await connect(), await connect()].map(createRequestRates);
      const id = `sub_${limit}`;
      const takes = Array.from({ length: limit * 3 }, (_, n) => processes[n % 3]!.take(id, limit));
      const count = await admitted(takes);
      // A window may have ended meanwhile, on a slow machine.
      expect(count % limit).toBe(0);
      expect(count / limit).toBeLessThanOrEqual(2);
      expect(count).toBeGreaterThan(0);
    },
  );

  test('a lone process gets exactly the limit, in whatever order it asks', async () => {
    const rates = createRequestRates(await connect());
    let allowed = 0;
    for (let n = 0; n < 60; n++) if ((await rates.take('sub_lone', 30)).allowed) allowed++;
    expect(allowed).toBe(30);
  });

  test('says what is left and when the window ends, and begins anew after it', async () => {
    const rates = createRequestRates(await connect());
    expect(await rates.take('sub_new', 5)).toEqual({
      allowed: true,
      noun: 'request',
      byAddress: false,
      limit: 5,
      windowSeconds: 1,
      remaining: 4,
      resetSeconds: 1,
    });
    for (let n = 3; n >= 0; n--) expect((await rates.take('sub_new', 5)).remaining).toBe(n);
    expect(await rates.take('sub_new', 5)).toMatchObject({ allowed: false, remaining: 0 });
    await sleep(1_050);
    expect(await rates.take('sub_new', 5)).toMatchObject({ allowed: true, remaining: 4 });
  });

  test('a flood beyond the limit asks Redis nothing', async () => {
    const redis = await connect();
    const watch = new Redis(redisUrl());
    afterAll(() => watch.disconnect());
    const rates = createRequestRates(redis);
    const commands = async () =>
      Number(/total_commands_processed:(\d+)/.exec(await watch.info('stats'))?.[1]);
    const before = await commands();
    for (let n = 0; n < 2_000; n++) await rates.take('sub_flood', 5);
    // Five leases of one, perhaps of two windows, each a script of four commands, and other tests' own.
    expect((await commands()) - before).toBeLessThan(500);
  });
});

test('without Redis each process keeps the limit by itself, and nobody waits', async () => {
  const away = createRedis(
    `redis://127.0.0.1:${await freePort()}`,
    { name: 'test', commandTimeoutMs: 200 },
    logger,
  );
  afterFile(() => away.disconnect());
  const rates = createRequestRates(away);
  const startedMs = performance.now();
  let allowed = 0;
  for (let n = 0; n < 50; n++) if ((await rates.take('sub_alone', 10)).allowed) allowed++;
  expect(allowed).toBe(10);
  expect(performance.now() - startedMs).toBeLessThan(500);
});
