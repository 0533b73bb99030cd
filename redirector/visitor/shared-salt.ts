/**
 * The salt of a day, which all processes share and none writes to a disk. Redis keeps only the name of the day's salt,
 * which says nothing of it. A process that does not hold the salt of that name asks the others (salt-exchange.ts). Where
 * nobody answers, since no process that had the salt is left and the machine's memory has it no more (salt-memory.ts), a
 * new one takes its place.
 */
import { randomBytes } from 'node:crypto';
import type { Result } from 'ioredis';
import type { Logger } from '#shared/logger.ts';
import type { Redis } from '#shared/redis.ts';
import { createSaltExchange } from './salt-exchange.ts';
import type { NamedSalt, SaltMemory } from './salt-memory.ts';

const nameKey = (day: number): string => `visitor-salt-name:${day}`;
/** Scans of a day may be a little late. */
const nameLifetimeS = 25 * 3600;

export interface SharedSalt {
  /**
   * The day's salt, the same for all processes that can reach each other. The salt of another day is erased.
   * @throws when Redis is away
   */
  of(day: number): Promise<Buffer>;
  close(): void;
}

// KEYS: the day's name. ARGV: the name that nobody answers to, the new one, its lifetime in seconds.
const renameScript = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'EX', ARGV[3])
return 1`;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    renameSalt(
      keyCount: number,
      key: string,
      from: string,
      to: string,
      lifetimeS: number,
    ): Result<0 | 1, Context>;
  }
}

/**
 * @param redis for commands
 * @param subscriber a connection of its own, which does nothing else
 * @param signingKey proves that a message is from a process of ours
 * @param memory keeps the salt over a restart
 */
export const createSharedSalt = (
  redis: Redis,
  subscriber: Redis,
  signingKey: Buffer,
  memory: SaltMemory,
  logger: Logger,
): SharedSalt => {
  let held: NamedSalt | undefined;
  const exchange = createSaltExchange(redis, subscriber, signingKey, () => held, logger);
  redis.defineCommand('renameSalt', { lua: renameScript });

  const hold = (day: number, name: string, salt: Buffer): Buffer => {
    held = { day, name, salt };
    memory.write(held);
    return salt;
  };

  const forgetOtherThan = (day: number): void => {
    if (!held || held.day === day) return;
    held.salt.fill(0);
    held = undefined;
    memory.erase();
  };

  return {
    async of(day) {
      forgetOtherThan(day);
      held ??= memory.read(day);
      const ownName = held?.name ?? randomBytes(16).toString('hex');
      const name = await redis.set(nameKey(day), ownName, 'EX', nameLifetimeS, 'NX', 'GET');
      if (name === null || name === ownName) return held?.salt ?? hold(day, ownName, randomBytes(16));
      const salt = await exchange.ask(day, name);
      if (salt) return hold(day, name, salt);
      const newName = randomBytes(16).toString('hex');
      if ((await redis.renameSalt(1, nameKey(day), name, newName, nameLifetimeS)) === 0)
        throw new Error('another process has just named a new visitor salt');
      return hold(day, newName, randomBytes(16));
    },
    close() {
      exchange.close();
      held?.salt.fill(0);
      held = undefined;
    },
  };
};
