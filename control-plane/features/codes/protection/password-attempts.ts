/**
 * Wrong attempts at a code's password: ten a minute per sender and code, counted in Redis, or in memory while Redis is
 * away. `ipLimits.unlock` limits a sender's attempts at all codes together, right or wrong.
 */
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { Redis } from '#shared/redis.ts';

const attemptsMax = 10;
const windowSeconds = 60;

export interface PasswordAttempts {
  /**
   * Takes an attempt before the password is checked, so that concurrent attempts do not all pass.
   * @returns undefined, or the seconds to wait if no attempt is left
   */
  take(codeId: string, sender: string): Promise<number | undefined>;
  /** For an attempt that was right, or whose password was not checked. */
  giveBack(codeId: string, sender: string): Promise<void>;
}

export const createPasswordAttempts = (redis: Redis): PasswordAttempts => {
  const limits = { points: attemptsMax, duration: windowSeconds, keyPrefix: 'unlock' };
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
