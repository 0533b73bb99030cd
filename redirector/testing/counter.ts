/** Counters of caps, set as by a rebuild. */
import type { Redis } from '#shared/redis.ts';
import { createCapScripts } from '../limits/cap-scripts.ts';

/** Sets a missing counter, in the current history of Redis. */
export const setCounter = async (redis: Redis, key: string, count: number): Promise<void> => {
  const scripts = createCapScripts(redis, { leaseMs: 1, openMs: 1 });
  await scripts.restore(key, count, await scripts.history());
};
