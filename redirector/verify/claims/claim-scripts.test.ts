/** The steps of a claim in Redis itself, if Redis may have lost keys between two of them. */
import { pino } from 'pino';
import { beforeEach, expect, test } from 'vitest';
import { createRedis, type Redis, untilReady } from '#shared/redis.ts';
import { afterFile } from '../../../deploy/testing/local.ts';
import { startTestRedis } from '../../../deploy/testing/redis.ts';
import { type ClaimScripts, createClaimScripts } from './claim-scripts.ts';

let redis: Redis;
let scripts: ClaimScripts;

beforeEach(async () => {
  if (!redis) {
    const { url } = await startTestRedis();
    redis = createRedis(url, { name: 'test', commandTimeoutMs: 2000 }, pino({ level: 'silent' }));
    afterFile(() => redis.disconnect());
    await untilReady(redis);
  }
  await redis.flushall();
  scripts = createClaimScripts(redis, { leaseMs: 60_000, keptMs: 60_000, deviceMs: 60_000 });
});

const beginEpoch = async (name: string): Promise<void> => {
  const history = await scripts.prepareEpoch(name);
  expect(await scripts.completeEpoch(name, history!)).toBe(true);
};

const item = { itemId: 'item', token: 'process:1' };
const claim = { batchId: 'batch', first: { atMs: 1, country: 'DE' }, device: 'device' };
const confirm = () => scripts.confirm([{ ...item, claim }]);

test('a reservation is confirmed only in the epoch that it was made in', async () => {
  await beginEpoch('one');
  expect(await scripts.reserve([item])).toEqual([{ kind: 'reserved' }]);
  await redis.del('serial:settled');
  expect(await confirm()).toEqual([false]);
  await beginEpoch('two');
  expect(await confirm()).toEqual([false]);
  expect(await scripts.reserve([item])).toEqual([{ kind: 'reserved' }]);
  expect(await confirm()).toEqual([true]);
});

test('an epoch does not begin if Redis may have lost keys while it was prepared', async () => {
  const history = (await scripts.prepareEpoch('one'))!;
  // Another replication id with the same keys, as after a takeover.
  await redis.replicaof('127.0.0.1', 1);
  await redis.replicaof('NO', 'ONE');
  expect(await redis.hexists('serial:settling', 'one')).toBe(1);
  expect(await scripts.completeEpoch('one', history)).toBe(false);
  expect(await scripts.reserve([item])).toEqual([{ kind: 'no epoch' }]);
  await beginEpoch('two');
  expect(await scripts.reserve([item])).toEqual([{ kind: 'reserved' }]);
});

test('no token gives a claimed item back, not even the one that claimed it', async () => {
  await beginEpoch('one');
  const { itemId, token } = item;
  const back = (by: string) => scripts.release([{ key: itemId, token: by, back: true }]);
  const known = { kind: 'claimed', claim: { ...claim, scanCount: 1 } };
  await scripts.reserve([item]);
  await confirm();
  expect(await back('process:2')).toEqual([0]);
  await scripts.release([{ key: itemId, token, back: false }]);
  for (const by of [token, 'process:2', '']) expect(await back(by)).toEqual([0]);
  expect(await scripts.reserve([{ itemId, token: 'process:2' }])).toEqual([known]);
  // The claim is known from PostgreSQL while the item is reserved.
  await redis.flushall();
  await beginEpoch('two');
  await scripts.reserve([item]);
  await scripts.count([{ itemId, claim: { ...claim, scanCount: 1, device: '' }, add: 0 }]);
  expect(await back(token)).toEqual([0]);
  expect(await scripts.reserve([item])).toEqual([{ ...known, claim: { ...known.claim, device: '' } }]);
});
