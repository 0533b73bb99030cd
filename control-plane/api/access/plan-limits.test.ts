import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { limitedAddress } from '#shared/networks.ts';
import { changeSubscription, createKey } from '../../features/tenancy/store.ts';
import {
  type Answer,
  errorBody,
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../testing/control-plane.ts';
import { ipLimits } from './ip-limits.ts';
import { plans, requireCapability, termsOf } from './plans.ts';

let plane: TestControlPlane;
let another: Promise<TestControlPlane> | undefined;
/** Another process on the same databases. */
const otherPlane = () => (another ??= startTestControlPlane({ databaseUrl: plane.databaseUrl }));

beforeAll(async () => {
  plane = await startTestControlPlane();
});

const limitsOf = (workspace: Workspace, limits: object) =>
  changeSubscription(plane.pool, workspace.workspaceId, { limits });

describe('the rate of a subscription', () => {
  test.each([
    ['free', 5],
    ['starter', 10],
    ['growth', 30],
    ['business', 100],
    ['enterprise', 500],
  ] as const)('of %s is %i requests a second', async (plan, rate) => {
    const { call } = await plane.workspace({ plan, limits: {} });
    const answer = await call('GET', '/api/qr/codes?limit=1');
    expect(answer.headers.get('ratelimit')).toBe(`limit=${rate}, remaining=${rate - 1}, reset=1`);
    expect(answer.headers.get('ratelimit-policy')).toBe(`${rate};w=1`);
    expect(answer.headers.get('retry-after')).toBeNull();
  });

  test('beyond it answers 429 with Retry-After, to all keys of the subscription', async () => {
    const { call, workspaceId } = await plane.workspace({ plan: 'free', limits: {} });
    const other = await createKey(plane.pool, { workspaceId, role: 'member', name: null });
    const callOther = plane.callWith(other?.apiKey);
    const startedMs = performance.now();
    const byKey = await Promise.all(
      [call, callOther].map((each) =>
        Promise.all(Array.from({ length: 20 }, () => each('GET', '/api/qr/codes?limit=1'))),
      ),
    );
    const answers = byKey.flat();
    const refused = answers.filter(({ status }) => status === 429);
    const allowed = answers.filter(({ status }) => status === 200).length;
    expect(allowed + refused.length).toBe(40);
    // Five per window of a second that has begun meanwhile: one window, unless the machine is busy. Then Redis may also
    // be late, and the process counts once more by itself.
    const elapsedMs = performance.now() - startedMs;
    const counts = (Math.floor(elapsedMs / 1000) + 1) * (elapsedMs < 200 ? 1 : 2);
    expect(allowed).toBeGreaterThanOrEqual(5);
    expect(allowed).toBeLessThanOrEqual(5 * counts);
    for (const ofKey of byKey) expect(ofKey.some(({ status }) => status === 429)).toBe(true);
    for (const { headers, body } of refused) {
      expect(headers.get('retry-after')).toBe('1');
      expect(headers.get('ratelimit')).toBe('limit=5, remaining=0, reset=1');
      expect(errorBody.parse(body)).toMatchObject({
        error: 'More than 5 requests in a second; try again in a second',
        code: 'RATE_LIMITED',
      });
    }
  });

  test('does not count requests without a key', async () => {
    const answer = await plane.callWith('wm_wrong')('GET', '/api/qr/codes');
    expect(answer.headers.get('ratelimit')).toBeNull();
  });

  test('holds for each process while Redis is away', async () => {
    // Nothing listens there.
    const alone = await startTestControlPlane({ redisUrl: 'redis://127.0.0.1:1' });
    const { call } = await alone.workspace({ plan: 'free', limits: {} });
    const startedMs = performance.now();
    const answers = await Promise.all(Array.from({ length: 40 }, () => call('GET', '/api/qr/codes?limit=1')));
    const windows = Math.floor((performance.now() - startedMs) / 1_000) + 1;
    const statuses = answers.map(({ status }) => status);
    const allowed = statuses.filter((status) => status === 200).length;
    expect(allowed).toBeGreaterThanOrEqual(5);
    expect(allowed).toBeLessThanOrEqual(5 * windows);
    expect(statuses.filter((status) => status === 429)).toHaveLength(40 - allowed);
    expect(statuses).toContain(429);
    await alone.close();
  });
});

describe('quotas', () => {
  const refusal = (limit: number) => ({
    error: `The quota is ${limit} dynamic QR codes: ${limit} ${limit === 1 ? 'is' : 'are'} used. A larger plan has a larger quota`,
    code: 'QUOTA_EXCEEDED',
    capability: 'dynamicQr',
    limit,
    used: limit,
  });

  test('dynamicQr is exact under concurrency, and its refusal says so in the header', async () => {
    const workspace = await plane.workspace({ limits: { requestsPerSecond: 1_000, dynamicQr: 10 } });
    await workspace.createCode();
    /** A busy machine may have no connection in time; then nothing is created. */
    const create = async (): Promise<Answer> => {
      const answer = await workspace.call('POST', '/api/qr/codes', { data: 'https://a.example/' });
      return answer.status === 503 ? await create() : answer;
    };
    const answers = await Promise.all(Array.from({ length: 25 }, create));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(16);
    expect(refused[0]?.headers.get('x-service-error-code')).toBe('PLAN_LIMIT_REACHED');
    expect(refused[0]?.headers.get('retry-after')).toBeNull();
    expect(refused[0]?.body).toMatchObject(refusal(10));
    const { rows } = await plane.pool.query('SELECT count(*)::int AS n FROM codes WHERE workspace_id = $1', [
      workspace.workspaceId,
    ]);
    expect(rows[0].n).toBe(10);
  });

  test('a create that is refused or fails uses nothing; deactivating gives nothing back', async () => {
    const workspace = await plane.workspace({ limits: { requestsPerSecond: 1_000, dynamicQr: 2 } });
    const create = (body: object = { data: 'https://a.example/' }) =>
      workspace.call('POST', '/api/qr/codes', body);
    expect((await create({ data: 'not a url' })).status).toBe(422);
    const code = await workspace.createCode();
    await workspace.createCode();
    await workspace.call('DELETE', `/api/qr/codes/${code.id}`);
    expect((await create()).status).toBe(429);
    await limitsOf(workspace, { dynamicQr: 3 });
    await expect.poll(async () => (await create()).status).toBe(201);
    expect((await create()).status).toBe(429);
  });

  test('codes created without a limit count once there is a limit', async () => {
    const workspace = await plane.workspace({ plan: 'enterprise' });
    for (let n = 0; n < 3; n++) await workspace.createCode();
    await limitsOf(workspace, { dynamicQr: 3 });
    const create = () => workspace.call('POST', '/api/qr/codes', { data: 'https://a.example/' });
    await expect.poll(async () => (await create()).status).toBe(429);
  });

  test('apiCalls beyond the quota are refused, even by a process that has counted none of them, with the time until the next month', async () => {
    const workspace = await plane.workspace({ limits: { requestsPerSecond: 1_000, apiCalls: 20 } });
    const list = () => workspace.call('GET', '/api/qr/codes?limit=1');
    const statuses = [];
    for (let n = 0; n < 25; n++) statuses.push((await list()).status);
    expect(statuses).toEqual([...Array(20).fill(200), ...Array(5).fill(429)]);
    const refused = await list();
    expect(refused.headers.get('x-service-error-code')).toBe('PLAN_LIMIT_REACHED');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.body).toMatchObject({ capability: 'apiCalls', limit: 20, used: 20 });
    const used = `SELECT used::int FROM quota_usage WHERE subscription_id = $1 AND capability = 'apiCalls'`;
    await expect
      .poll(async () => (await plane.pool.query(used, [workspace.subscriptionId])).rows)
      .toEqual([{ used: 20 }]);
    const call = (await otherPlane()).callWith(workspace.apiKey);
    await expect.poll(async () => (await call('GET', '/api/qr/codes?limit=1')).status).toBe(429);
  });
});

describe('a revoked key and a changed plan', () => {
  test('take effect on every process by notification, long before it rereads the key after 10 s', async () => {
    const other = await otherPlane();
    const workspace = await plane.workspace({ plan: 'growth', limits: {} });
    const calls = [workspace.call, other.callWith(workspace.apiKey)];
    const all = async (expected: (answer: { status: number; headers: Headers }) => void) =>
      vi.waitFor(
        async () => {
          for (const call of calls) expected(await call('GET', '/api/qr/codes?limit=1'));
        },
        { timeout: 8_000, interval: 20 },
      );
    await all(({ headers }) => expect(headers.get('ratelimit-policy')).toBe('30;w=1'));
    await changeSubscription(plane.pool, workspace.workspaceId, { plan: 'business' });
    await all(({ headers }) => expect(headers.get('ratelimit-policy')).toBe('100;w=1'));
    await changeSubscription(plane.pool, workspace.workspaceId, { status: 'cancelled' });
    await all(({ status }) => expect(status).toBe(403));
    await changeSubscription(plane.pool, workspace.workspaceId, { status: 'active' });
    await all(({ status }) => expect(status).toBe(200));
    await plane.pool.query('UPDATE api_keys SET revoked_at = now() WHERE workspace_id = $1', [
      workspace.workspaceId,
    ]);
    await all(({ status }) => expect(status).toBe(401));
  });
});

test('the guide describes the plans correctly', async () => {
  const guide = await readFile(new URL('../../admin/README.md', import.meta.url), 'utf8');
  for (const { plan, requestsPerSecond, quotas } of Object.values(plans)) {
    const caps = [quotas.apiCalls, quotas.dynamicQr, quotas.bulkOrders];
    const cells = [plan, requestsPerSecond, ...caps.map((cap) => cap?.toLocaleString('en') ?? 'no limit')];
    expect(guide).toContain(`| ${cells.join(' | ')} |`);
  }
});

describe('capabilities of plans', () => {
  const refusalOf = (plan: keyof typeof plans, capability: Parameters<typeof requireCapability>[1]) => {
    try {
      requireCapability(termsOf(plan, {}), capability);
      return undefined;
    } catch (error) {
      return error;
    }
  };

  test('landing pages and forms need Growth or higher, menus Business or higher, serialized batches Business', () => {
    for (const [capability, allowed] of [
      ['landingPages', ['growth', 'business', 'enterprise']],
      ['forms', ['growth', 'business', 'enterprise']],
      ['menus', ['business', 'enterprise']],
      ['serializedQR', ['business', 'enterprise']],
    ] as const) {
      const open = Object.values(plans).filter(({ plan }) => refusalOf(plan, capability) === undefined);
      expect(open.map(({ plan }) => plan)).toEqual(allowed);
    }
  });

  test('a refusal names the capability and the plans that have it', () => {
    expect(refusalOf('starter', 'menus')).toMatchObject({
      code: 'FEATURE_NOT_ON_PLAN',
      message: 'menus is not on the Starter plan; plans with it: Business, Enterprise',
      fields: { capability: 'menus', plans: ['business', 'enterprise'] },
    });
  });
});

describe('limits by address', () => {
  test('the health probe answers 120 times a minute, then 429', async () => {
    const probe = () => plane.callWith(undefined)('GET', '/api/health/ready');
    const first = await probe();
    expect([first.status, first.body]).toEqual([200, { status: 'ok' }]);
    const answers = await Promise.all(Array.from({ length: 124 }, probe));
    const refused = answers.filter(({ status }) => status === 429);
    // So many checks at once may find a busy machine's databases too slow; then they report them as unhealthy.
    expect(refused).toHaveLength(5);
    expect(refused[0]?.headers.get('ratelimit-policy')).toBe('120;w=60');
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(10);
  });

  test('equal the table', () => {
    expect(ipLimits.signedRender).toEqual({ requests: 60, windowSeconds: 60 });
    expect(ipLimits.bulk).toMatchObject({ requests: 5, windowSeconds: 60 });
    expect(ipLimits.login).toEqual({ requests: 5, windowSeconds: 900 });
    expect(Object.keys(ipLimits)).toHaveLength(20);
  });

  test('count an IPv6 address as its /64', () => {
    expect(limitedAddress('203.0.113.9')).toBe('203.0.113.9');
    expect(limitedAddress('2001:db8:1:2:3:4:5:6')).toBe(limitedAddress('2001:db8:1:2::1'));
    expect(limitedAddress('2001:db8:1:2::1')).not.toBe(limitedAddress('2001:db8:1:3::1'));
    expect(limitedAddress('::ffff:203.0.113.9')).toBe('203.0.113.9');
    expect(limitedAddress('2001:db8:1:2::/64')).toBe(limitedAddress('2001:db8:1:2::1'));
    expect(limitedAddress('unknown')).toBe('unknown');
  });
});
