/** The admin command for verifications. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ClientError } from '#shared/errors.ts';
import { createLogger } from '#shared/logger.ts';
import { createRedis, untilReady } from '#shared/redis.ts';
import type { AdminContext, Verb } from '../../../framework/verb.ts';
import { type RestoredClaims, restoreClaims } from './restore-claims.ts';

const connectTimeoutMs = 2_000;
const commandTimeoutMs = 10_000;

/** Claims again what Redis knows to be claimed. @throws {ClientError} UNAVAILABLE, or INVALID_REQUEST if no Redis is configured */
export const restoreFromRedis = async ({ settings, pool, outbox }: AdminContext): Promise<RestoredClaims> => {
  if (settings.redisUrl === undefined) throw new ClientError('INVALID_REQUEST', 'REDIS_URL must be set');
  const redis = createRedis(
    settings.redisUrl,
    { name: 'waymark-admin', commandTimeoutMs, pipelining: true },
    createLogger('admin', 'silent', 'stderr'),
  );
  try {
    await Promise.race([untilReady(redis), sleep(connectTimeoutMs, undefined, { ref: false })]);
    if (redis.status !== 'ready')
      throw new ClientError('UNAVAILABLE', 'Redis does not answer: see REDIS_URL');
    return await restoreClaims(pool, outbox, redis);
  } finally {
    redis.disconnect();
  }
};

export const verificationVerbs: Readonly<Record<string, Verb>> = {
  'restore-claims': {
    synopsis: '',
    help: [
      'to be run after a restore of PostgreSQL: items that Redis knows to be claimed are claimed again,',
      'which are all that were scanned in the last day',
    ],
    flags: [],
    run: async (_, context) => [await restoreFromRedis(context)],
  },
};
