/**
 * The visitor's hash: what tells two visitors of one day apart, and nothing else. It is keyed by a salt that all
 * redirectors share for one UTC day and that nobody keeps: afterwards no address can be tested against it.
 */
import { randomBytes } from 'node:crypto';
import type { Agent } from '#shared/agents.ts';
import type { Logger } from '#shared/logger.ts';
import type { Redis } from '#shared/redis.ts';
import type { Client } from './clients.ts';
import { type SipKey, sipHash24, type Word64 } from './siphash.ts';

const dayMs = 86_400_000;
/** Scans of a day may be a little late; its salt is gone an hour after the day. */
const saltLifetimeS = 25 * 3600;
const retryMs = 5000;

export interface Visitors {
  /** @param out is where the hash is put */
  hash(client: Client, agent: Agent, nowMs: number, out: Word64): void;
  /** Resolves once the salt is the shared one: a start waits for it a little, so that no visitor counts twice. */
  readonly shared: Promise<void>;
  close(): void;
}

const toKey = (salt: Buffer): SipKey =>
  [0, 4, 8, 12].map((offset) => salt.readInt32LE(offset)) as unknown as SipKey;

/** The day's salt: the first redirector to ask has made it. */
const sharedSalt = async (redis: Redis, day: number): Promise<Buffer> => {
  const key = `visitor-salt:${day}`;
  await redis.set(key, randomBytes(16).toString('hex'), 'EX', saltLifetimeS, 'NX');
  const salt = await redis.get(key);
  if (salt === null) throw new Error(`${key} vanished`);
  return Buffer.from(salt, 'hex');
};

/**
 * Until Redis has answered, a salt of this process's own is used: then a visitor may count once for each process,
 * which is the most that can be said without a shared secret.
 */
export const createVisitors = (redis: Redis, logger: Logger): Visitors => {
  let day = -1;
  let key: SipKey = toKey(randomBytes(16));
  let isShared = false;
  const firstShared = Promise.withResolvers<void>();
  let asking = false;
  let lastAskedMs = 0;
  const message: [number, number, number, number, number, number] = [0, 0, 0, 0, 0, 0];

  const ask = (askedDay: number, nowMs: number): void => {
    asking = true;
    lastAskedMs = nowMs;
    sharedSalt(redis, askedDay)
      .then(
        (salt) => {
          if (askedDay !== day) return;
          key = toKey(salt);
          isShared = true;
          firstShared.resolve();
        },
        (error) => logger.debug({ err: error }, 'visitor salt is local: redis did not answer'),
      )
      .finally(() => {
        asking = false;
      });
  };

  const keepSalt = (nowMs: number): void => {
    const today = Math.floor(nowMs / dayMs);
    if (today !== day) {
      day = today;
      isShared = false;
      lastAskedMs = 0;
      key = toKey(randomBytes(16));
    }
    if (!isShared && !asking && nowMs - lastAskedMs >= retryMs) ask(day, nowMs);
  };

  const onReady = (): void => {
    lastAskedMs = 0;
    keepSalt(Date.now());
  };
  redis.on('ready', onReady);
  keepSalt(Date.now());
  // So that midnight's first scan finds its salt.
  const timer = setInterval(() => keepSalt(Date.now()), 1000);
  timer.unref();

  return {
    hash(client, agent, nowMs, out) {
      if (nowMs >= (day + 1) * dayMs) keepSalt(nowMs);
      message[0] = client.word0;
      message[1] = client.word1;
      message[2] = client.word2;
      message[3] = client.word3;
      message[4] = agent.hashLow;
      message[5] = agent.hashHigh;
      sipHash24(key, message, out);
    },
    shared: firstShared.promise,
    close() {
      clearInterval(timer);
      redis.off('ready', onReady);
    },
  };
};
