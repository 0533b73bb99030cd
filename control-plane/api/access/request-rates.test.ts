import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { createLogger } from '#shared/logger.ts';
import { createRedis, untilReady } from '#shared/redis.ts';
import { afterFile, redisUrl } from '../../../deploy/testing/index.ts';
import { createRequestRates, type RequestRates } from './request-rates.ts';
import { withinWindow } from './testing/within-window.ts';

const logger = createLogger('test', 'silent');

const connect = async () => {
  const redis = createRedis(redisUrl(), { name: 'test', commandTimeoutMs: 60_000 }, logger);
  afterFile(() => redis.disconnect());
  await untilReady(redis);
  return redis;
};

const admitted = async (takes: Promise<{ allowed: boolean }>[]): Promise<number> =>
  (await Promise.all(takes)).filter(({ allowed }) => allowed).length;

/** @returns how many of sixty consecutive requests are allowed */
const allowedOneByOne = async (rates: RequestRates, id: string, limit: number): Promise<number> => {
  let allowed = 0;
  for (let n = 0; n < 60; n++) if ((await rates.take(id, limit)).allowed) allowed++;
  return allowed;
};

describe('one rate for a subscription', () => {
  test.each([5, 10, 30, 100, 500])(
    'never allows more than %i in a window, however many processes ask at once',
    async (limit) => {
      const processes = [await connect(), await connect(), await connect()].map(createRequestRates);
      const count = await withinWindow((number) => {
        const id = `sub_${limit}_${number}`;
        return admitted(Array.from({ length: limit * 3 }, (_, n) => processes[n % 3]!.take(id, limit)));
      });
      expect(count).toBe(limit);
    },
  );

  test('a single process gets exactly the limit, in any order of requests', async () => {
    const rates = createRequestRates(await connect());
    const allowed = await withinWindow((number) => allowedOneByOne(rates, `sub_lone_${number}`, 30));
    expect(allowed).toBe(30);
  });

  test('reports the remaining requests and the end of the window, and starts over after it', async () => {
    const rates = createRequestRates(await connect());
    const takeSix = async (id: string) => {
      const taken = [];
      for (let n = 0; n < 6; n++) taken.push(await rates.take(id, 5));
      return { id, taken };
    };
    const { id, taken } = await withinWindow((number) => takeSix(`sub_new_${number}`));
    expect(taken[0]).toEqual({
      allowed: true,
      noun: 'request',
      sender: undefined,
      limit: 5,
      windowSeconds: 1,
      remaining: 4,
      resetSeconds: 1,
    });
    expect(taken.map(({ remaining }) => remaining)).toEqual([4, 3, 2, 1, 0, 0]);
    expect(taken[5]).toMatchObject({ allowed: false });
    await sleep(1_050);
    expect(await rates.take(id, 5)).toMatchObject({ allowed: true, remaining: 4 });
  });

  test('a flood beyond the limit does not reach Redis', async () => {
    const redis = await connect();
    const rates = createRequestRates(redis);
    const commands = vi.spyOn(redis, 'sendCommand');
    const asked = await withinWindow(async (number) => {
      const before = commands.mock.calls.length;
      for (let n = 0; n < 2_000; n++) await rates.take(`sub_flood_${number}`, 5);
      return commands.mock.calls.length - before;
    });
    // Five leases of one, each a script that Redis may not know yet.
    expect(asked).toBeGreaterThanOrEqual(5);
    expect(asked).toBeLessThanOrEqual(10);
  });
});

test('without Redis each process keeps the limit by itself, and no request waits', async () => {
  const away = createRedis(
    // Nothing listens there.
    'redis://127.0.0.1:1',
    { name: 'test', commandTimeoutMs: 60_000 },
    logger,
  );
  afterFile(() => away.disconnect());
  const rates = createRequestRates(away);
  // A request that waits for an answer would wait a minute.
  expect(await withinWindow((number) => allowedOneByOne(rates, `sub_alone_${number}`, 10))).toBe(10);
});
