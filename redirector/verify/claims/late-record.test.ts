/** A claim that is recorded too late to be answered. */
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createRedis, untilReady } from '#shared/redis.ts';
import { afterFile } from '../../../deploy/testing/local.ts';
import { startTestRedis } from '../../../deploy/testing/redis.ts';
import { joinMembership } from '../../instance/membership.ts';
import { createClaims } from './claims.ts';

const logger = pino({ level: 'silent' });

const options = {
  itemsMax: 10,
  waitMs: 60_000,
  waitingMax: 10,
  leaseMs: 60_000,
  keptMs: 60_000,
  deviceMs: 60_000,
  marginMs: 500,
  pollMs: 200,
  abandonedAfterMs: 60_000,
  barrierTimeoutMs: 60_000,
  epochWaitMs: 60_000,
  undeliveredMsMax: 60_000,
};

test('a claim recorded too late is not answered as authentic, and stays claimed', async () => {
  const { url } = await startTestRedis();
  const redis = createRedis(url, { name: 'test', commandTimeoutMs: 2000 }, logger);
  afterFile(() => redis.disconnect());
  await untilReady(redis);
  const membership = joinMembership(redis, () => [], logger, {
    key: 'verifiers',
    waitedForMs: 60_000,
    completeAfterMs: 100,
  });
  afterFile(() => membership.close());
  const claimAfter = async (itemId: string, answerWithinMs: number, recordedAfterMs: number) => {
    const source = async (id: string) => ({ id, batchId: 'batch', scanCount: 0 });
    const claims = createClaims({ ...options, answerWithinMs }, redis, membership, source, logger);
    afterFile(() => claims.close());
    const claimant = { first: { atMs: Date.now(), country: 'DE' }, device: 'device' };
    const claiming = await claims.claim(itemId, claimant, async () => true);
    if (claiming.kind !== 'first') throw new Error(`the claim is ${claiming.kind}`);
    await sleep(recordedAfterMs);
    const isFirst = claiming.claim.end(true);
    await expect.poll(() => redis.hget(`serial:${itemId}`, 'state')).toBe('claimed');
    return isFirst;
  };
  // In this order, because the first claim waits `answerWithinMs` for its epoch.
  expect(await claimAfter('late', 50, 100)).toBe(false);
  expect(await claimAfter('early', 60_000, 0)).toBe(true);
});
