import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLogger } from '#shared/logger.ts';
import { createApiCalls, type NewCalls, periodKey } from './api-calls.ts';
import { type Principal, unrestricted } from './authentication.ts';
import { plans } from './plans.ts';

const principalOf = (subscriptionId: string, apiCalls: number | null): Principal => ({
  keyId: 'key_1',
  workspaceId: 'ws_1',
  subscriptionId,
  ...unrestricted,
  role: 'owner',
  status: 'active',
  terms: { ...plans.free, quotas: { ...plans.free.quotas, apiCalls } },
});

/** The counts of all processes, by subscription and period; can be switched to fail. */
const createCounts = () => {
  const used = new Map<string, number>();
  const state = { away: false };
  const add = async (calls: readonly NewCalls[]) => {
    if (state.away) throw new Error('away');
    return new Map(
      calls.map((each) => {
        const key = periodKey(each);
        used.set(key, (used.get(key) ?? 0) + each.calls);
        return [key, used.get(key)!];
      }),
    );
  };
  return { used, state, add };
};

const logger = createLogger('test', 'silent');

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2027-01-31T23:50:00Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

/** @returns how many of the calls were allowed */
const callTimes = async (count: (principal: Principal) => Promise<void>, principal: Principal, n: number) => {
  let allowed = 0;
  for (let call = 0; call < n; call++) {
    await count(principal).then(
      () => allowed++,
      () => {},
    );
  }
  return allowed;
};

test('a used-up quota stays used up, however long calls are refused or absent', async () => {
  const counts = createCounts();
  const apiCalls = createApiCalls(counts.add, logger);
  const principal = principalOf('sub_1', 10);
  expect(await callTimes(apiCalls.count, principal, 15)).toBe(10);
  await vi.advanceTimersByTimeAsync(2_000);
  for (let second = 0; second < 130; second++) {
    expect(await callTimes(apiCalls.count, principal, 1)).toBe(0);
    await vi.advanceTimersByTimeAsync(1_000);
  }
  await vi.advanceTimersByTimeAsync(130_000);
  expect(await callTimes(apiCalls.count, principal, 5)).toBe(0);
  expect(counts.used).toEqual(new Map([['sub_1 2027-01-01', 10]]));
  await apiCalls.close();
});

test('a process that has just started knows the counts of others', async () => {
  const counts = createCounts();
  const first = createApiCalls(counts.add, logger);
  expect(await callTimes(first.count, principalOf('sub_1', 10), 8)).toBe(8);
  await first.close();
  const second = createApiCalls(counts.add, logger);
  const racing = Array.from({ length: 8 }, () => second.count(principalOf('sub_1', 10)));
  const answers = await Promise.allSettled(racing);
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  await second.close();
});

test('a new month starts at zero at midnight UTC; unsettled calls of the old month are not lost', async () => {
  const counts = createCounts();
  const apiCalls = createApiCalls(counts.add, logger);
  const principal = principalOf('sub_1', 10);
  expect(await callTimes(apiCalls.count, principal, 12)).toBe(10);
  await vi.advanceTimersByTimeAsync(9 * 60_000 + 59_000);
  await expect(apiCalls.count(principal)).rejects.toMatchObject({
    code: 'PLAN_LIMIT_REACHED',
    retryAfterSeconds: 1,
    fields: { used: 10 },
  });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(new Date().toISOString()).toBe('2027-02-01T00:00:00.000Z');
  expect(await callTimes(apiCalls.count, principal, 4)).toBe(4);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(counts.used).toEqual(
    new Map([
      ['sub_1 2027-01-01', 10],
      ['sub_1 2027-02-01', 4],
    ]),
  );
  vi.setSystemTime(Date.parse('2027-02-28T23:59:59.900Z'));
  expect(await callTimes(apiCalls.count, principal, 3)).toBe(3);
  vi.setSystemTime(Date.parse('2027-03-01T00:00:00.100Z'));
  expect(await callTimes(apiCalls.count, principal, 20)).toBe(10);
  await apiCalls.close();
  expect(counts.used).toEqual(
    new Map([
      ['sub_1 2027-01-01', 10],
      ['sub_1 2027-02-01', 7],
      ['sub_1 2027-03-01', 10],
    ]),
  );
});

test('during a database outage calls are allowed, and counted afterwards', async () => {
  const counts = createCounts();
  counts.state.away = true;
  const apiCalls = createApiCalls(counts.add, logger);
  expect(await callTimes(apiCalls.count, principalOf('sub_1', 10), 12)).toBe(10);
  await vi.advanceTimersByTimeAsync(90_000);
  counts.state.away = false;
  await vi.advanceTimersByTimeAsync(2_000);
  expect(counts.used).toEqual(new Map([['sub_1 2027-01-01', 10]]));
  await apiCalls.close();
});

test('calls without a limit are counted, too', async () => {
  const counts = createCounts();
  const apiCalls = createApiCalls(counts.add, logger);
  expect(await callTimes(apiCalls.count, principalOf('sub_1', null), 50)).toBe(50);
  await apiCalls.close();
  expect(counts.used).toEqual(new Map([['sub_1 2027-01-01', 50]]));
});
