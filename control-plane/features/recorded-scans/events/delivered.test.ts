/** Up to when scans are settled, whatever the clocks say. */
import { expect, test } from 'vitest';
import { createClickHouse } from '#shared/clickhouse.ts';
import { foldersCompleteAfterMs, scanFoldersKey } from '#shared/delivered-scans.ts';
import { createLogger } from '#shared/logger.ts';
import { createRedis, untilReady } from '#shared/redis.ts';
import { afterFile, redisUrl, sharedTestClickHouse } from '../../../../deploy/testing/index.ts';
import { redisTime } from './clocks.ts';
import { createDelivered } from './delivered.ts';

const redis = createRedis(
  redisUrl(),
  { name: 'test', commandTimeoutMs: 10_000 },
  createLogger('test', 'silent'),
);
const clickhouse = createClickHouse(await sharedTestClickHouse(), 'test', 30_000);
afterFile(async () => {
  redis.disconnect();
  await clickhouse.close();
});
await untilReady(redis);

const clickhouseNow = async (): Promise<number> => {
  const found = await clickhouse.query({
    query: 'SELECT toUnixTimestamp64Milli(now64(3)) AS ms',
    format: 'JSONEachRow',
  });
  return Number((await found.json<{ ms: string }>())[0]!.ms);
};

/** The real one, by whose clock it is later. */
const redisAhead = (aheadMs: number) => ({
  hgetall: (key: string) => redis.hgetall(key),
  async time(): Promise<[number, number]> {
    const ms = (await redisTime(redis)) + aheadMs;
    return [Math.floor(ms / 1000), (ms % 1000) * 1000];
  },
});

/** A redirector writes that it has delivered everything up to now, by the clock of Redis. */
const deliverAll = async (aheadMs: number): Promise<void> => {
  const nowMs = (await redisTime(redis)) + aheadMs;
  await redis.hset(scanFoldersKey, 'since', `${nowMs - 2 * foldersCompleteAfterMs}`);
  await redis.hset(scanFoldersKey, 'folder', `${nowMs} ${nowMs} 1`);
};

test.each([-20_000, 0, 20_000, 200_000])(
  'with the clock of Redis %i ms ahead, what is settled is before the present of ClickHouse, by a second or little more',
  async (aheadMs) => {
    const delivered = createDelivered(redisAhead(aheadMs) as never, clickhouse);
    /** On a busy machine the answers, and with them what is settled, may be late. */
    const behindMs = async (): Promise<number> => {
      const beganMs = await clickhouseNow();
      await deliverAll(aheadMs);
      const settledMs = await delivered.settled();
      expect(settledMs).toBeLessThan(await clickhouseNow());
      return beganMs - settledMs;
    };
    await expect.poll(behindMs).toBeLessThan(5_000);
  },
);

test('while Redis or ClickHouse cannot be asked, what is settled is a minute old', async () => {
  await deliverAll(0);
  const away = () => Promise.reject(new Error('away'));
  const [without, withOther] = [
    createDelivered({ hgetall: away, time: away } as never, clickhouse),
    createDelivered(redis, { query: away } as never),
  ];
  for (const { settled } of [without, withOther]) {
    const settledMs = await settled();
    expect(Date.now() - settledMs).toBeGreaterThanOrEqual(60_000);
  }
});
