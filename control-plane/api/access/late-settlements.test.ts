/** Settlements and leases whose answers are late or lost. */
import net, { type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLogger } from '#shared/logger.ts';
import { createRedis, untilReady } from '#shared/redis.ts';
import { afterFile, createTestDatabase, redisUrl } from '../../../deploy/testing/index.ts';
import { addApiCalls } from '../../features/tenancy/quota-usage.ts';
import { createWorkspace } from '../../features/tenancy/store.ts';
import { createPool } from '../../platform/db/pool.ts';
import { createApiCalls } from './api-calls.ts';
import { unrestricted } from './authentication.ts';
import { plans } from './plans.ts';
import { createRequestRates } from './request-rates.ts';
import { withinWindow } from './testing/within-window.ts';

const logger = createLogger('test', 'silent');

const startTenant = async () => {
  const pool = createPool(await createTestDatabase(), 'test', logger, 2);
  afterFile(() => pool.end());
  const { subscriptionId, workspaceId } = await createWorkspace(pool, 'test', 'growth');
  const used = async () => {
    const { rows } = await pool.query(
      `SELECT sum(used)::int AS used FROM quota_usage WHERE capability = 'apiCalls'`,
    );
    return rows[0].used;
  };
  return { pool, subscriptionId, workspaceId, used };
};

test('API calls are not added again if their settlement succeeded but its answer was lost', async () => {
  const { pool, subscriptionId, workspaceId, used } = await startTenant();
  let lost = 0;
  let isLosing = true;
  const apiCalls = createApiCalls(async (calls, settlement) => {
    const answer = await addApiCalls(pool, calls, settlement);
    if (settlement && isLosing) {
      lost++;
      throw new Error('Query read timeout');
    }
    return answer;
  }, logger);
  const principal = {
    keyId: 'key_1',
    workspaceId,
    subscriptionId,
    ...unrestricted,
    role: 'owner' as const,
    status: 'active' as const,
    terms: plans.growth,
  };
  for (let call = 0; call < 7; call++) await apiCalls.count(principal);
  await expect.poll(() => lost).toBeGreaterThan(0);
  // Further calls arrive before the answer does.
  for (let call = 0; call < 3; call++) await apiCalls.count(principal);
  const lostBefore = lost;
  await expect.poll(() => lost).toBeGreaterThan(lostBefore);
  expect(await used()).toBe(7);
  isLosing = false;
  await expect.poll(used).toBe(10);
  await apiCalls.close();
  expect(await used()).toBe(10);
});

test('a settlement sent twice at the same time adds once, and another process’s settlement adds to it', async () => {
  const { pool, subscriptionId, used } = await startTenant();
  const calls = [{ subscriptionId, periodStart: '2027-01-01', calls: 5 }];
  await Promise.all([1, 2].map(() => addApiCalls(pool, calls, { settler: 'one', number: 1 })));
  expect(await used()).toBe(5);
  await addApiCalls(pool, calls, { settler: 'two', number: 1 });
  const answer = await addApiCalls(pool, calls, { settler: 'one', number: 2 });
  expect([await used(), [...answer.values()]]).toEqual([15, [15]]);
  // An overtaken settlement.
  await addApiCalls(pool, calls, { settler: 'one', number: 1 });
  expect(await used()).toBe(15);
});

/** Forwards requests at once, and answers late. */
const startLateAnswers = async (target: URL, delayMs: () => number): Promise<string> => {
  const server = net.createServer((client) => {
    const upstream = net.connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) socket.on('error', () => {});
    client.pipe(upstream);
    client.on('close', () => upstream.destroy());
    upstream.on('data', (bytes) => setTimeout(() => client.write(bytes), delayMs()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterFile(() => server.close());
  const url = new URL(target);
  url.port = String((server.address() as AddressInfo).port);
  return url.href;
};

test('requests leased in one window are not served in the next, however late the answer came', async () => {
  let delayMs = 0;
  const late = await startLateAnswers(new URL(redisUrl()), () => delayMs);
  const connect = async (url: string) => {
    const redis = createRedis(url, { name: 'test', commandTimeoutMs: 60_000 }, logger);
    afterFile(() => redis.disconnect());
    await untilReady(redis);
    return createRequestRates(redis);
  };
  const [slow, quick] = [await connect(late), await connect(redisUrl())];
  const limit = 400;
  const more = await withinWindow(async (number) => {
    const id = `sub_late_${number}`;
    delayMs = 700;
    // Leases a twentieth, and takes one of it.
    expect((await slow.take(id, limit)).allowed).toBe(true);
    delayMs = 0;
    // Its window is over; another process uses up the next one.
    await sleep(400);
    const taken = await Promise.all(Array.from({ length: limit }, () => quick.take(id, limit)));
    expect(taken.filter(({ allowed }) => allowed)).toHaveLength(limit);
    return Promise.all(Array.from({ length: 10 }, () => slow.take(id, limit)));
    // The delay and the wait precede the tested window.
  }, 2_090);
  expect(more.filter(({ allowed }) => allowed)).toHaveLength(0);
});
