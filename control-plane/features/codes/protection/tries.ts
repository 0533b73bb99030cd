/**
 * Wrong tries at a code's password: ten a minute for each sender and code, counted in Redis, and in memory while Redis is
 * away. How many a sender may try at all codes together, right or wrong, `ipLimits.unlock` says.
 */
import ipaddr from 'ipaddr.js';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { Redis } from '#shared/redis.ts';

const triesMax = 10;
const windowSeconds = 60;

export interface Tries {
  /**
   * Takes a try before it is looked at, so that many at once do not all pass.
   * @returns undefined, or the seconds to wait where there is none left
   */
  take(codeId: string, sender: string): Promise<number | undefined>;
  /** For a try that was right, or was not looked at. */
  giveBack(codeId: string, sender: string): Promise<void>;
}

/** IPv6 by its /64: whoever has one address of it has all of them. Anything that is no address is one sender. */
export const senderOf = (address: string): string => {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':');
};

export const createTries = (redis: Redis): Tries => {
  const limits = { points: triesMax, duration: windowSeconds, keyPrefix: 'unlock' };
  const limiter = new RateLimiterRedis({
    ...limits,
    storeClient: redis,
    rejectIfRedisNotReady: true,
    insuranceLimiter: new RateLimiterMemory(limits),
  });
  const keyOf = (codeId: string, sender: string) => `${codeId}:${sender}`;
  return {
    async take(codeId, sender) {
      try {
        await limiter.consume(keyOf(codeId, sender));
        return undefined;
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) return Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
        throw refusal;
      }
    },
    async giveBack(codeId, sender) {
      await limiter.reward(keyOf(codeId, sender));
    },
  };
};
