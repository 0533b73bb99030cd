/**
 * The salt of a day, shared by all redirectors and gone everywhere once the day (UTC) is over. Until then Redis holds
 * it for processes that start. It is random: a salt derived from SECRET_KEY could be derived again at any time. Redis's
 * append-only file would outlive the day, so the process that creates the next salt has Redis rewrite the file without
 * the last one.
 */
import { randomBytes } from 'node:crypto';
import type { ChainableCommander } from 'ioredis';
import type { Logger } from '#shared/logger.ts';
import type { Redis } from '#shared/redis.ts';
import { hmacSha256 } from '#shared/signing.ts';

export interface SharedSalt {
  /**
   * @param day in days since 1970 (UTC)
   * @returns 16 bytes, the same for all processes with the same Redis and SECRET_KEY
   * @throws if Redis is down
   */
  of(day: number): Promise<Buffer>;
}

const dayMs = 86_400_000;
const saltShape = /^[0-9a-f]{32}$/;

const saltKey = (day: number): string => `visitor-salt:${day}`;

/** The answer to the last command of a pipeline. @throws what Redis refuses */
const lastOf = async (pipeline: ChainableCommander): Promise<unknown> => {
  let last: unknown;
  for (const [error, answer] of (await pipeline.exec()) ?? []) {
    if (error) throw error;
    last = answer;
  }
  return last;
};

/**
 * @param visitorKey derived from SECRET_KEY, so that the data in Redis is not enough to test an address against a hash
 */
export const createSharedSalt = (redis: Redis, visitorKey: Buffer, logger: Logger): SharedSalt => {
  /** This process's copy: if Redis has lost the day's salt, the first process that asks stores it again. */
  let held = { day: -1, salt: '' };

  /** The day whose salt Redis's file still holds, as far as this process knows; tried again whenever the salt is asked for. */
  let unforgotten: number | undefined;
  let warnedOf: number | undefined;

  /** In pipelines of its own: an automatic one (ioredis) fails in a callback at a script that a start defines while it is open. */
  const forget = async (day: number): Promise<void> => {
    try {
      const persistence = await lastOf(redis.pipeline().del(saltKey(day)).info('persistence'));
      if (String(persistence).includes('aof_enabled:1')) await lastOf(redis.pipeline().bgrewriteaof());
      unforgotten = undefined;
    } catch (error) {
      if (warnedOf === day) return;
      warnedOf = day;
      const fields = { err: error, redis: 'visitor salt' };
      logger.warn(fields, "Redis does not rewrite its file: yesterday's visitor salt stays in it");
    }
  };

  return {
    async of(day) {
      if (held.day !== day) held = { day, salt: randomBytes(16).toString('hex') };
      const { salt } = held;
      const found = await redis.set(saltKey(day), salt, 'PXAT', (day + 1) * dayMs, 'NX', 'GET');
      if (found === null) unforgotten = day - 1;
      else if (!saltShape.test(found)) throw new Error(`${saltKey(day)} in Redis is not a salt`);
      else if (held.day === day) held = { day, salt: found };
      if (unforgotten !== undefined) void forget(unforgotten);
      return hmacSha256(visitorKey, found ?? salt).subarray(0, 16);
    },
  };
};
