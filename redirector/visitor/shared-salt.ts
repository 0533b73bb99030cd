/**
 * The salt of a day, which all redirectors share and which nobody has when the day (UTC) is over. Redis holds it until then, for
 * processes that start. It is random: a salt that is derived from SECRET_KEY could be made again at any time. What Redis appends to
 * its file would outlive the day, so the process that makes the next salt has Redis rewrite the file without the last one.
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
   * @throws when Redis is away
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

/** @param visitorKey derived from SECRET_KEY: with what Redis holds alone, no address can be tested against a hash */
export const createSharedSalt = (redis: Redis, visitorKey: Buffer, logger: Logger): SharedSalt => {
  /** Of this process: if Redis has lost the day's salt, the first process that asks puts it there again. */
  let held = { day: -1, salt: '' };

  /** In pipelines of its own: an automatic one (ioredis) fails in a callback at a script that a start defines while it is open. */
  const forgetSaltOf = async (day: number): Promise<void> => {
    const persistence = await lastOf(redis.pipeline().del(saltKey(day)).info('persistence'));
    if (String(persistence).includes('aof_enabled:1')) await lastOf(redis.pipeline().bgrewriteaof());
  };

  return {
    async of(day) {
      if (held.day !== day) held = { day, salt: randomBytes(16).toString('hex') };
      const { salt } = held;
      const found = await redis.set(saltKey(day), salt, 'PXAT', (day + 1) * dayMs, 'NX', 'GET');
      if (found === null)
        forgetSaltOf(day - 1).catch((error) =>
          logger.warn(
            { err: error },
            "redis does not rewrite its file: yesterday's visitor salt stays in it",
          ),
        );
      else if (!saltShape.test(found)) throw new Error(`${saltKey(day)} in redis is no salt`);
      else if (held.day === day) held = { day, salt: found };
      return hmacSha256(visitorKey, found ?? salt).subarray(0, 16);
    },
  };
};
