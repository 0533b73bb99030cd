/**
 * The visitor's hash: it tells two visitors of one day apart, and nothing else. It is keyed by a salt that all
 * redirectors share for one UTC day (shared-salt.ts): afterwards no address can be tested against the hash.
 */
import { randomBytes } from 'node:crypto';
import { alignedInterval } from '#shared/aligned-interval.ts';
import type { Logger } from '#shared/logger.ts';
import type { Redis } from '#shared/redis.ts';
import type { UserAgent } from '#shared/user-agent.ts';
import type { ClientAddress } from './client-addresses.ts';
import type { SharedSalt } from './shared-salt.ts';
import { type SipKey, sipHash24, type Word64 } from './siphash.ts';

const dayMs = 86_400_000;
const retryMs = 5000;
/** How often the shared salt is read again: Redis may have lost it, and other processes may have created a new one. */
const confirmMs = 60_000;

export interface VisitorHasher {
  /** @param out receives the hash */
  hash(address: ClientAddress, userAgent: UserAgent, nowMs: number, out: Word64): void;
  /** Resolves once the salt is the shared one. A start waits a little for it, so that no visitor counts twice. */
  readonly shared: Promise<void>;
  close(): void;
}

const toKey = (salt: Buffer): SipKey =>
  [0, 4, 8, 12].map((offset) => salt.readInt32LE(offset)) as unknown as SipKey;

/**
 * Until Redis has answered, this process uses a salt of its own: a visitor may then count once per process, which is
 * the best count possible without a shared salt.
 * @param now the clock, in ms
 */
export const createVisitorHasher = (
  redis: Redis,
  sharedSalt: SharedSalt,
  logger: Logger,
  now: () => number = Date.now,
): VisitorHasher => {
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
    sharedSalt
      .of(askedDay)
      .then(
        (salt) => {
          if (askedDay !== day) return;
          key = toKey(salt);
          isShared = true;
          firstShared.resolve();
        },
        (error) => logger.debug({ err: error }, 'visitor salt is local: Redis did not answer'),
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
    if (!asking && nowMs - lastAskedMs >= (isShared ? confirmMs : retryMs)) ask(day, nowMs);
  };

  const onReady = (): void => {
    lastAskedMs = 0;
    keepSalt(now());
  };
  redis.on('ready', onReady);
  keepSalt(now());
  // Even without scans, the salt of a past day is erased and the next one requested.
  const stop = alignedInterval(() => keepSalt(now()), 1000);

  return {
    hash(address, userAgent, nowMs, out) {
      if (nowMs >= (day + 1) * dayMs) keepSalt(nowMs);
      message[0] = address.word0;
      message[1] = address.word1;
      message[2] = address.word2;
      message[3] = address.word3;
      message[4] = userAgent.hashLow;
      message[5] = userAgent.hashHigh;
      sipHash24(key, message, out);
    },
    shared: firstShared.promise,
    close() {
      stop();
      redis.off('ready', onReady);
    },
  };
};
