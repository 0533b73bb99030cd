/** How far other clocks are ahead of ClickHouse's, which says when a scan was recorded. */
import type { ClickHouseClient } from '#shared/clickhouse.ts';
import type { Redis } from '#shared/redis.ts';

/** Negative: behind it. */
export interface ClocksAhead {
  redisMs: number;
  /** The clock of this process. */
  ownMs: number;
}

/** Between two measurements. */
const measuredForMs = 10_000;

/** Redis's time. */
export const redisTime = async (redis: Pick<Redis, 'time'>): Promise<number> => {
  const [seconds, microseconds] = await redis.time();
  return Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000);
};

/**
 * @returns asks at most every ten seconds. A clock may be less far ahead than it says, by the time that ClickHouse and Redis took to
 *   answer, and is never further ahead. It throws if one of the two cannot be asked
 */
export const createClocks = (
  redis: Pick<Redis, 'time'>,
  clickhouse: Pick<ClickHouseClient, 'query'>,
): (() => Promise<ClocksAhead>) => {
  let measured: Promise<ClocksAhead> | undefined;
  let measuredAtMs = 0;

  /** ClickHouse is asked first: what passes until the other clocks are read makes them seem further ahead. */
  const measure = async (): Promise<ClocksAhead> => {
    const found = await clickhouse.query({
      query: 'SELECT toUnixTimestamp64Milli(now64(3)) AS ms',
      format: 'JSONEachRow',
    });
    const [row] = await found.json<{ ms: string | number }>();
    const clickhouseMs = Number(row!.ms);
    return { ownMs: Date.now() - clickhouseMs, redisMs: (await redisTime(redis)) - clickhouseMs };
  };

  return () => {
    if (measured && performance.now() - measuredAtMs < measuredForMs) return measured;
    measuredAtMs = performance.now();
    const asked = measure();
    measured = asked;
    asked.catch(() => {
      if (measured === asked) measured = undefined;
    });
    return asked;
  };
};
