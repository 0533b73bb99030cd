/** What a key learns of itself, and the test data of a workspace. */
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { accountObject, type UsageObject, usageObject } from '#schemas/api/account.ts';
import { codeObject } from '#schemas/api/codes.ts';
import { keyList, keyWithSecret } from '#schemas/api/keys.ts';
import type { Plan } from '#schemas/api/plans.ts';
import { testItemsMax } from '../../api/access/plans.ts';
import {
  type Call,
  kitBody,
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../testing/control-plane.ts';
import { changeSubscription } from '../tenancy/store.ts';

let plane: TestControlPlane;

beforeAll(async () => {
  plane = await startTestControlPlane();
});

const usageOf = async (call: Call): Promise<UsageObject> =>
  usageObject.strict().parse((await call('GET', '/api/qr/usage')).body);

const keyOf = async (call: Call, body: object) => {
  const made = keyWithSecret.parse((await call('POST', '/api/qr/keys', body)).body);
  return { ...made, call: plane.callWith(made.apiKey) };
};

const testKeyOf = (workspace: Workspace, body: object = {}) =>
  keyOf(workspace.call, { mode: 'test', role: 'admin', ...body });

describe('GET /api/qr/me', () => {
  test('says what the key opens and may do, to any key, whatever it may do', async () => {
    const { call, workspaceId, subscriptionId } = await plane.workspace({ plan: 'growth' });
    const key = await keyOf(call, { name: 'Print shop', permissions: ['codes:read'] });
    const answer = await key.call('GET', '/api/qr/me');
    expect(accountObject.strict().parse(answer.body)).toMatchObject({
      key: { keyId: key.keyId, name: 'Print shop', mode: 'live' },
      workspace: { workspaceId, name: 'test', mode: 'live' },
      subscriptionId,
      plan: 'growth',
      role: 'member',
      permissions: ['codes:read'],
      capabilities: ['landingPages', 'forms'],
    });
    expect(JSON.stringify(answer.body)).not.toContain(key.apiKey);
    expect(answer.headers.has('waymark-mode')).toBe(false);
  });
});

describe('GET /api/qr/usage', () => {
  test('has each quota with its period, and what the workspace has of each limited kind', async () => {
    const { call, createCode } = await plane.workspace({
      limits: { requestsPerSecond: 1_000, dynamicQr: 7 },
    });
    await createCode();
    await createCode({ alias: 'counted-in-usage' });
    await call('POST', '/api/qr/brand-kits', kitBody);
    await call('POST', '/api/qr/landing-pages', { name: 'page' });
    await call('POST', '/api/qr/menus', { name: 'menu' });
    const { keyId } = await keyOf(call, {});
    await keyOf(call, {});
    await call('DELETE', `/api/qr/keys/${keyId}`);
    const { quotas, serialized, counts } = await usageOf(call);
    expect(quotas.dynamicQr).toEqual({ used: 2, limit: 7, period: 'lifetime', resetsAt: null });
    expect(quotas.bulkOrders).toMatchObject({ used: 0, limit: null, period: 'day' });
    expect(quotas.apiCalls.resetsAt).toMatch(/^\d{4}-\d\d-01T00:00:00\.000Z$/);
    expect(serialized).toMatchObject({ minted: 0, remaining: 1_000_000 });
    const used = Object.entries(counts).map(([name, count]) => [name, count.used]);
    expect(Object.fromEntries(used)).toEqual({
      landingPages: 1,
      forms: 0,
      menus: 1,
      brandKits: 1,
      keys: 2,
      webhooks: 0,
      domains: 0,
      aliases: 1,
    });
    expect(counts.keys.limit).toBe(100);
    expect(counts.aliases.limit).toBeNull();
    const free = await plane.workspace({ plan: 'free' });
    expect((await usageOf(free.call)).counts.aliases).toEqual({ used: 0, limit: 500 });
  });
});

describe('a test key', () => {
  test('opens data of its own, says so in every answer, and uses no quota of the live workspace', async () => {
    const workspace = await plane.workspace({
      limits: { requestsPerSecond: 1_000, dynamicQr: 1, apiCalls: 500 },
    });
    const testKey = await testKeyOf(workspace);
    expect(testKey.apiKey).toMatch(/^wm_test_\w{32}$/);
    expect(testKey).toMatchObject({ mode: 'test', prefix: testKey.apiKey.slice(0, 12) });
    const live = await workspace.createCode();
    const made = await testKey.call('POST', '/api/qr/codes', { data: 'https://example.com/' });
    expect([made.status, made.headers.get('waymark-mode')]).toEqual([201, 'test']);
    const { id } = codeObject.parse(made.body);
    expect((await testKey.call('GET', `/api/qr/codes/${live.id}`)).status).toBe(403);
    expect((await workspace.call('GET', `/api/qr/codes/${id}`)).status).toBe(403);
    expect((await testKey.call('GET', '/api/qr/codes')).body).toMatchObject({ pagination: { total: 1 } });
    // The live quota is used up by one code, and its calls are counted apart.
    expect((await workspace.call('POST', '/api/qr/codes', { data: 'https://example.com/' })).status).toBe(
      429,
    );
    expect((await testKey.call('POST', '/api/qr/codes', { data: 'https://example.com/' })).status).toBe(201);
    for (let n = 0; n < 40; n++) await testKey.call('GET', '/api/qr/me');
    const callsOf = async (call: Call) => (await usageOf(call)).quotas.apiCalls.used;
    await expect.poll(() => callsOf(testKey.call), { timeout: 8_000 }).toBeGreaterThan(40);
    expect(await callsOf(workspace.call)).toBeLessThan(20);
  });

  test('gets 1,000 codes and serialized items a month, on any plan', async () => {
    const workspace = await plane.workspace({ plan: 'enterprise' });
    const { call } = await testKeyOf(workspace);
    const { quotas, serialized } = await usageOf(call);
    expect([quotas.dynamicQr.limit, quotas.apiCalls.limit, serialized.total]).toEqual([
      1_000,
      null,
      testItemsMax,
    ]);
    const mint = (count: number) => call('POST', '/api/qr/serialized-batches', { batchName: 'b', count });
    expect((await mint(testItemsMax + 1)).status).toBe(402);
    expect((await mint(testItemsMax)).status).toBe(202);
    expect((await mint(1)).status).toBe(402);
    const { subscriptionId } = accountObject.parse((await call('GET', '/api/qr/me')).body);
    const create = () => call('POST', '/api/qr/codes', { data: 'https://example.com/' });
    expect((await create()).status).toBe(201);
    await plane.pool.query(
      `UPDATE quota_usage SET used = 1000 WHERE capability = 'dynamicQr' AND subscription_id IN ($1, $2)`,
      [subscriptionId, workspace.subscriptionId],
    );
    expect(await create()).toMatchObject({
      status: 429,
      body: { error: expect.stringMatching(/test data gets more on the first day/i) },
    });
    expect(quotas.dynamicQr).toMatchObject({ period: 'month', resetsAt: expect.stringMatching(/-01T00:00/) });
    await plane.pool.query(`SELECT graphile_worker.add_job('renew-test-limits', '{}')`);
    await expect.poll(async () => (await mint(1)).status, { timeout: 8_000 }).toBe(202);
    expect((await create()).status).toBe(201);
  });

  test('has its codes and items of a month again on the first day, and the live workspace has used what it used', async () => {
    const workspace = await plane.workspace({ limits: { requestsPerSecond: 1_000, dynamicQr: 7 } });
    const { call } = await testKeyOf(workspace);
    const uses = async (each: Call) => {
      const { quotas, serialized } = await usageOf(each);
      return [quotas.dynamicQr.used, serialized.minted];
    };
    for (const each of [call, workspace.call]) {
      expect((await each('POST', '/api/qr/codes', { data: 'https://example.com/' })).status).toBe(201);
      const batch = { batchName: 'b', count: 3 };
      expect((await each('POST', '/api/qr/serialized-batches', batch)).status).toBe(202);
      expect(await uses(each)).toEqual([1, 3]);
    }
    await plane.pool.query(`SELECT graphile_worker.add_job('renew-test-limits', '{}')`);
    await expect.poll(() => uses(call), { timeout: 8_000 }).toEqual([0, 0]);
    expect(await uses(workspace.call)).toEqual([1, 3]);
  });

  test('has the aliases of the smallest plan, since a name exists once for all workspaces', async () => {
    const { call } = await testKeyOf(await plane.workspace());
    const create = (alias: string) => call('POST', '/api/qr/codes', { data: 'https://example.com/', alias });
    expect((await create('of-test-data')).status).toBe(201);
    const { workspace } = accountObject.parse((await call('GET', '/api/qr/me')).body);
    await plane.pool.query('UPDATE alias_counts SET aliases = 500 WHERE workspace_id = $1', [
      workspace.workspaceId,
    ]);
    expect(await create('beyond-test-data')).toMatchObject({
      status: 409,
      body: { capability: 'aliases', limit: 500 },
    });
  });

  test('has the plan of the live workspace, and follows its changes', async () => {
    const workspace = await plane.workspace({ plan: 'free' });
    const { call } = await testKeyOf(workspace);
    const planOf = async () => accountObject.parse((await call('GET', '/api/qr/me')).body).plan;
    expect(await planOf()).toBe('free');
    expect((await call('POST', '/api/qr/menus', { name: 'menu' })).status).toBe(403);
    const changeTo = (plan: Plan) => changeSubscription(plane.pool, workspace.workspaceId, { plan });
    await changeTo('business');
    await expect.poll(planOf, { timeout: 8_000 }).toBe('business');
    expect((await call('POST', '/api/qr/menus', { name: 'menu' })).status).toBe(201);
    await changeSubscription(plane.pool, workspace.workspaceId, { status: 'cancelled' });
    const status = async () => (await call('GET', '/api/qr/me')).status;
    await expect.poll(status, { timeout: 8_000 }).toBe(403);
  });

  test('shares its data with all test keys of the workspace, and with no other workspace', async () => {
    const workspace = await plane.workspace();
    const [first, second] = await Promise.all([testKeyOf(workspace), testKeyOf(workspace)]);
    const others = await testKeyOf(await plane.workspace());
    const made = await first.call('POST', '/api/qr/codes', { data: 'https://example.com/' });
    const { id } = codeObject.parse(made.body);
    expect((await second.call('GET', `/api/qr/codes/${id}`)).status).toBe(200);
    expect((await others.call('GET', `/api/qr/codes/${id}`)).status).toBe(403);
  });

  test('manages test keys only; live keys manage both', async () => {
    const workspace = await plane.workspace();
    const first = await testKeyOf(workspace);
    const live = await keyOf(workspace.call, {});
    expect((await first.call('POST', '/api/qr/keys', { mode: 'live' })).status).toBe(403);
    expect((await first.call('DELETE', `/api/qr/keys/${live.keyId}`)).status).toBe(403);
    const second = await keyOf(first.call, { mode: 'test', name: 'of the first' });
    const idsOf = async (call: Call) =>
      keyList.parse((await call('GET', '/api/qr/keys')).body).data.map(({ keyId }) => keyId);
    expect(await idsOf(first.call)).toEqual([second.keyId, first.keyId]);
    expect(await idsOf(workspace.call)).toEqual([second.keyId, live.keyId, first.keyId, expect.any(String)]);
    const rotated = await workspace.call('POST', `/api/qr/keys/${second.keyId}/rotate`);
    expect(rotated.body).toMatchObject({ apiKey: expect.stringMatching(/^wm_test_/) });
    expect((await workspace.call('DELETE', `/api/qr/keys/${first.keyId}`)).status).toBe(200);
    const status = async () => (await first.call('GET', '/api/qr/me')).status;
    await expect.poll(status, { timeout: 8_000 }).toBe(401);
  });

  test('takes nothing that exists once: no custom domain, and no GS1 key', async () => {
    const workspace = await plane.workspace();
    const { call } = await testKeyOf(workspace);
    const refusal = z.object({ error: z.string() });
    const errorOf = async (path: string, body: object, status: number) => {
      const answer = await call('POST', path, body);
      expect(answer.status).toBe(status);
      return refusal.parse(answer.body).error;
    };
    expect(await errorOf('/api/domains', { domain: 'go.example.com' }, 403)).toBe(
      'Custom domains are not available in test mode; use a live key',
    );
    const entry = {
      path: '/01/09506000134352',
      itemDescription: 'Rice',
      links: [{ linkType: 'gs1:pip', href: 'https://example.com/', title: 'Rice' }],
    };
    expect(await errorOf('/api/qr/gs1/entries', entry, 409)).toContain(
      'GS1 keys are not available in test mode',
    );
  });
});
