/** API keys: what they may do, and who may give it to them. */
import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { AuditList } from '#schemas/api/audit.ts';
import { endedKeysMax, keyList, keyObject, keysMax, keyWithSecret } from '#schemas/api/keys.ts';
import { permissions } from '#schemas/api/permissions.ts';
import { createCodeIds } from '#shared/ids.ts';
import { createOutbox } from '../../../framework/outbox.ts';
import { enqueueTurn, takeTurn } from '../../../jobs/turns.ts';
import { actAs } from '../../../platform/db/actions.ts';
import { inTransaction } from '../../../platform/db/transaction.ts';
import {
  type Answer,
  type Call,
  kitBody,
  qrHost,
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../../testing/control-plane.ts';
import { bulkLane } from '../../bulk/engine/store/operations.ts';
import { createAliasClaims } from '../../codes/aliases/claim.ts';
import { ownFields } from '../../codes/aliases/targets.ts';
import { createEachCode } from '../../codes/store/create.ts';
import { deleteEndedKeys } from './ended.ts';

let plane: TestControlPlane;
let own: Workspace;

beforeAll(async () => {
  plane = await startTestControlPlane({ environment: { TRUSTED_PROXIES: '127.0.0.1' } });
  own = await plane.workspace();
});

const base = '/api/qr/keys';

/** @returns the new key, and a client that uses it */
const create = async (call: Call, body: object = {}) => {
  const answer = await call('POST', base, body);
  expect(answer).toMatchObject({ status: 201 });
  const key = keyWithSecret.parse(answer.body);
  return { ...key, call: plane.callWith(key.apiKey) };
};

const logOf = async ({ call }: Workspace) =>
  ((await call('GET', '/api/qr/audit-log?limit=100')).body as AuditList).data;

const from = (address: string) => ({ 'x-forwarded-for': address });
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const codeOf = ({ status, body }: Answer) => [status, (body as { code?: string }).code];
const statusOf = async (call: Call) => (await call('GET', '/api/qr/codes')).status;

test('a key has its secret in the answer that creates it, and nowhere else', async () => {
  const { apiKey, keyId, call } = await create(own.call, {
    name: 'Print shop',
    role: 'admin',
    scopes: ['a'],
  });
  expect(apiKey).toMatch(/^wm_\w{32}$/);
  expect(await statusOf(call)).toBe(200);
  const { body } = await own.call('GET', `${base}/${keyId}`);
  expect(keyObject.strict().parse(body)).toMatchObject({
    name: 'Print shop',
    role: 'admin',
    mode: 'live',
    prefix: apiKey.slice(0, 7),
    scopes: ['a'],
    permissions: null,
    allowedIps: null,
    expiresAt: null,
    revokedAt: null,
    createdBy: expect.stringMatching(/^key_\w{16}$/),
  });
  expect(JSON.stringify(await own.call('GET', base))).not.toContain(apiKey);
  const { rows } = await plane.pool.query('SELECT * FROM api_keys WHERE id = $1', [keyId]);
  expect(JSON.stringify(rows)).not.toContain(apiKey.slice(8));
});

test('a member manages no keys; without a field the new key is a member without restrictions', async () => {
  const member = await create(own.call);
  expect(member).toMatchObject({ role: 'member', permissions: null, allowedIps: null, expiresAt: null });
  expect((await member.call('POST', base, {})).status).toBe(403);
  expect((await member.call('GET', base)).status).toBe(403);
});

test('the list has pages, newest first, revoked keys and no key of another workspace', async () => {
  const workspace = await plane.workspace();
  const first = await create(workspace.call, { name: 'first' });
  await create(workspace.call, { name: 'second' });
  await workspace.call('DELETE', `${base}/${first.keyId}`);
  const names = [];
  let query = '?limit=2';
  for (let next: string | null = ''; next !== null; query = `?limit=2&cursor=${next}`) {
    const page = keyList.parse((await workspace.call('GET', base + query)).body);
    names.push(page.data.map(({ name, revokedAt }) => [name, revokedAt !== null]));
    next = page.pagination.nextCursor;
  }
  expect(names).toEqual([
    [
      ['second', false],
      ['first', true],
    ],
    [[null, false]],
  ]);
  const { body } = await workspace.call('GET', `${base}?limit=2`);
  const { nextCursor } = keyList.parse(body).pagination;
  expect((await own.call('GET', `${base}?cursor=${nextCursor}`)).status).toBe(400);
  for (const [method, path] of [
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/rotate'],
  ] as const) {
    const sent = method === 'GET' || method === 'DELETE' ? undefined : {};
    expect((await own.call(method, `${base}/${first.keyId}${path}`, sent)).status).toBe(403);
    expect((await own.call(method, `${base}/key_1111111111111111${path}`, sent)).status).toBe(404);
  }
});

describe('permissions', () => {
  test('a key does what its list has, and nothing else: 403 names the missing permission', async () => {
    const { call } = await create(own.call, {
      role: 'admin',
      permissions: ['codes:write', 'analytics:read'],
    });
    const made = await call('POST', '/api/qr/codes', { data: 'https://example.com/' });
    expect(made.status).toBe(201);
    const { id } = z.object({ id: z.string() }).parse(made.body);
    expect((await call('GET', `/api/qr/codes/${id}/analytics`)).status).toBe(200);
    for (const [method, path, permission, body] of [
      ['GET', '/api/qr/brand-kits', 'brand-kits:read'],
      ['POST', '/api/qr/brand-kits', 'brand-kits:write', kitBody],
      ['GET', '/api/webhooks', 'webhooks:read'],
      ['GET', '/api/qr/forms', 'pages:read'],
      ['GET', '/api/qr/forms/form_1/submissions', 'submissions:read'],
      ['GET', base, 'keys:read'],
      ['POST', base, 'keys:write', {}],
    ] as const)
      expect(await call(method, path, body)).toMatchObject({
        status: 403,
        body: {
          error: `The API key lacks the permission ${permission}`,
          code: 'PERMISSION_MISSING',
          permission,
        },
      });
  });

  test('write includes read, and read does not include write', async () => {
    const writer = await create(own.call, { permissions: ['codes:write'] });
    expect(await statusOf(writer.call)).toBe(200);
    const reader = await create(own.call, { permissions: ['codes:read'] });
    expect(await statusOf(reader.call)).toBe(200);
    expect(codeOf(await reader.call('POST', '/api/qr/codes', { data: 'https://example.com/' }))).toEqual([
      403,
      'PERMISSION_MISSING',
    ]);
  });

  test('a changed list is in effect at once', async () => {
    const { keyId, call } = await create(own.call, { permissions: ['codes:read'] });
    expect(await statusOf(call)).toBe(200);
    await own.call('PATCH', `${base}/${keyId}`, { permissions: ['pages:read'] });
    await expect.poll(() => statusOf(call), { timeout: 8_000 }).toBe(403);
    await own.call('PATCH', `${base}/${keyId}`, { permissions: null });
    await expect.poll(() => statusOf(call), { timeout: 8_000 }).toBe(200);
  });
});

test('a key with addresses is refused from any other, and a refusal uses up nothing', async () => {
  const workspace = await plane.workspace({ limits: { requestsPerSecond: 1_000_000, apiCalls: 100 } });
  const { call, allowedIps } = await create(workspace.call, {
    allowedIps: ['203.0.113.9/24', '2001:db8::1', '::ffff:198.51.100.0/112'],
  });
  expect(allowedIps).toEqual(['203.0.113.0/24', '2001:db8::1/128', '198.51.0.0/16']);
  for (const address of ['203.0.113.77', '2001:db8::1', '198.51.7.7'])
    expect((await call('GET', '/api/qr/codes', undefined, from(address))).status).toBe(200);
  for (const address of ['203.0.114.1', '2001:db8::2'])
    expect(await call('GET', '/api/qr/codes', undefined, from(address))).toMatchObject({
      status: 403,
      body: { error: expect.stringContaining(address), code: 'ADDRESS_NOT_ALLOWED' },
    });
  // Only the peer counts if no proxy names a client.
  expect(codeOf(await call('GET', '/api/qr/codes'))).toEqual([403, 'ADDRESS_NOT_ALLOWED']);
  const flood = Array.from({ length: 110 }, () => call('GET', '/api/qr/codes', undefined, from('192.0.2.1')));
  for (const { status } of await Promise.all(flood)) expect(status).toBe(403);
  expect(await statusOf(workspace.call)).toBe(200);
});

test.each(['10.0.0.0/33', '010.0.0.1', '10.0.0', '::/129', 'example.com', '::ffff:10.0.0.0/90', ''])(
  'the network %j is 422',
  async (network) => {
    expect(await own.call('POST', base, { allowedIps: ['10.0.0.1', network] })).toMatchObject({
      status: 422,
      body: { error: expect.stringMatching(/^allowedIps\[1\] must be an IP address or a network/) },
    });
  },
);

test('an expired key is 401, even where it was held in memory', async () => {
  const { keyId, call } = await create(own.call, { expiresAt: inHours(1) });
  expect(await statusOf(call)).toBe(200);
  const soon = new Date(Date.now() + 400);
  await plane.pool.query('UPDATE api_keys SET expires_at = $2 WHERE id = $1', [keyId, soon]);
  await expect.poll(() => statusOf(call), { timeout: 8_000 }).toBe(401);
  const answer = await call('GET', '/api/qr/codes');
  expect(answer.body).toMatchObject({ error: `The API key expired at ${soon.toISOString()}` });
  expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
  expect((await own.call('POST', `${base}/${keyId}/rotate`)).status).toBe(409);
});

test.each([
  [{ expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt must be in the future'],
  [{ expiresAt: '2099-01-01T00:00:00' }, 'expiresAt must be an ISO 8601 time with an offset'],
  [{ expiresAt: '2099-01-01' }, 'expiresAt must be an ISO 8601 time with an offset'],
  [{ permissions: [] }, 'permissions'],
  [{ permissions: ['codes:own'] }, 'permissions[0]'],
  [{ role: 'king' }, 'role'],
  [{ name: 'x'.repeat(121) }, 'name'],
])('%j is 422', async (body, error) => {
  expect(await own.call('POST', base, body)).toMatchObject({
    status: 422,
    body: { error: expect.stringContaining(error) },
  });
});

describe('a key cannot give more than it has', () => {
  const limits = {
    role: 'admin',
    permissions: ['keys:write', 'codes:write'],
    allowedIps: ['127.0.0.0/8', '10.0.0.0/8'],
  };

  test.each([
    [{ role: 'owner' }, 'role'],
    [{ permissions: null }, 'permissions'],
    [{ permissions: ['codes:read', 'pages:read'] }, 'permissions'],
    [{ allowedIps: null }, 'allowedIps'],
    [{ allowedIps: ['10.0.0.0/7'] }, 'allowedIps'],
    [{ allowedIps: ['127.0.0.1', '::1'] }, 'allowedIps'],
    [{ expiresAt: null }, 'expiresAt'],
    [{ expiresAt: inHours(3) }, 'expiresAt'],
  ])('%j is 403, in a new key and in a change', async (more, field) => {
    const giver = await create(own.call, { ...limits, expiresAt: inHours(2) });
    const within = {
      role: 'member',
      permissions: ['codes:read'],
      allowedIps: ['10.1.0.0/16'],
      expiresAt: inHours(1),
    };
    const { keyId } = await create(giver.call, within);
    const refused = { status: 403, body: { error: expect.stringContaining(field), code: 'FORBIDDEN' } };
    expect(await giver.call('POST', base, { ...within, ...more })).toMatchObject(refused);
    expect(await giver.call('PATCH', `${base}/${keyId}`, more)).toMatchObject(refused);
    expect(await giver.call('PATCH', `${base}/${giver.keyId}`, more)).toMatchObject(refused);
  });

  test('nor change, rotate or revoke a key that may do more', async () => {
    const admin = await create(own.call, { role: 'admin' });
    const restricted = await create(own.call, { role: 'admin', permissions: ['keys:write'] });
    const owner = await create(own.call, { role: 'owner' });
    for (const [caller, target] of [
      [admin, owner],
      [restricted, admin],
    ] as const) {
      const path = `${base}/${target.keyId}`;
      expect((await caller.call('PATCH', path, { name: 'mine' })).status).toBe(403);
      expect((await caller.call('POST', `${path}/rotate`)).status).toBe(403);
      expect((await caller.call('DELETE', path)).status).toBe(403);
    }
    expect(await statusOf(owner.call)).toBe(200);
  });
});

describe('a rotation', () => {
  const rotate = async (keyId: string, body?: object) => {
    const answer = await own.call('POST', `${base}/${keyId}/rotate`, body);
    expect(answer.status).toBe(200);
    const key = keyWithSecret.parse(answer.body);
    return { ...key, call: plane.callWith(key.apiKey) };
  };

  test('ends the earlier secret at once, and keeps the rest of the key', async () => {
    const key = await create(own.call, { name: 'till', permissions: ['codes:read'] });
    expect(await statusOf(key.call)).toBe(200);
    const rotated = await rotate(key.keyId);
    expect(rotated).toMatchObject({ keyId: key.keyId, name: 'till', previousSecretExpiresAt: null });
    expect(rotated.apiKey).not.toBe(key.apiKey);
    expect(await statusOf(rotated.call)).toBe(200);
    expect(codeOf(await rotated.call('GET', '/api/webhooks'))).toEqual([403, 'PERMISSION_MISSING']);
    await expect.poll(() => statusOf(key.call), { timeout: 8_000 }).toBe(401);
  });

  test('with a grace leaves earlier secrets working until it ends, however often it is repeated', async () => {
    const key = await create(own.call);
    const second = await rotate(key.keyId, { graceSeconds: 3_600 });
    const third = await rotate(key.keyId, { graceSeconds: 60 });
    const inSeconds = (Date.parse(third.previousSecretExpiresAt!) - Date.now()) / 1_000;
    expect(inSeconds).toBeGreaterThan(3_500);
    expect(inSeconds).toBeLessThanOrEqual(3_600);
    for (const { call } of [key, second, third]) expect(await statusOf(call)).toBe(200);
    await plane.pool.query(
      `UPDATE api_key_graces SET works_until = now() + interval '400 ms'
       WHERE key_id = $1 AND works_until < now() + interval '10 minutes'`,
      [key.keyId],
    );
    // What is held in memory is read again: the rotation announces itself.
    await rotate(key.keyId, { graceSeconds: 60 });
    await expect.poll(() => statusOf(second.call), { timeout: 8_000 }).toBe(401);
    expect(await statusOf(key.call)).toBe(200);
    await rotate(key.keyId, { graceSeconds: 0 });
    await expect.poll(() => statusOf(key.call), { timeout: 8_000 }).toBe(401);
    await expect.poll(() => statusOf(third.call), { timeout: 8_000 }).toBe(401);
  });

  test('of a key with an end: no earlier secret outlives its grace or the key', async () => {
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
    const key = await create(own.call, { expiresAt: inAnHour });
    expect(await statusOf(key.call)).toBe(200);
    const second = await rotate(key.keyId, { graceSeconds: 0 });
    await expect.poll(() => statusOf(key.call), { timeout: 8_000 }).toBe(401);
    await rotate(key.keyId, { graceSeconds: 7 * 86_400 });
    expect(await statusOf(second.call)).toBe(200);
    const soon = new Date(Date.now() + 400).toISOString();
    expect((await own.call('PATCH', `${base}/${key.keyId}`, { expiresAt: soon })).status).toBe(200);
    await expect.poll(() => statusOf(second.call), { timeout: 8_000 }).toBe(401);
  });

  test('leaves the ten latest earlier secrets, whatever their graces are, and remembers ten that have ended', async () => {
    const key = await create(own.call);
    const secrets: Call[] = [key.call];
    for (let n = 0; n < 23; n++)
      secrets.push((await rotate(key.keyId, { graceSeconds: n % 2 === 0 ? 7 * 86_400 : 3_600 })).call);
    const working = async () => {
      const statuses = await Promise.all(secrets.map(statusOf));
      return statuses.map((status) => status === 200);
    };
    const expected = secrets.map((_, at) => at >= secrets.length - 11);
    await expect.poll(working, { timeout: 8_000 }).toEqual(expected);
    const { rows } = await plane.pool.query('SELECT FROM api_key_graces WHERE key_id = $1', [key.keyId]);
    expect(rows).toHaveLength(20);
  });

  test('of more than seven days is 422', async () => {
    const { keyId } = await create(own.call);
    const answer = await own.call('POST', `${base}/${keyId}/rotate`, { graceSeconds: 604_801 });
    expect([answer.status, answer.body]).toMatchObject([
      422,
      { error: expect.stringContaining('graceSeconds') },
    ]);
  });

  test('of BOOTSTRAP_API_KEY is not undone by the next start', async () => {
    const environment = { BOOTSTRAP_API_KEY: 'the_bootstrap_key_of_rotation' };
    const first = await startTestControlPlane({ environment });
    const call = first.callWith(environment.BOOTSTRAP_API_KEY);
    const { keyId } = keyList.parse((await call('GET', base)).body).data[0]!;
    expect((await call('POST', `${base}/${keyId}/rotate`)).status).toBe(200);
    const { databaseUrl } = first;
    const second = await startTestControlPlane({ environment, databaseUrl });
    expect(await statusOf(second.callWith(environment.BOOTSTRAP_API_KEY))).toBe(401);
  });
});

test('a revoked key is refused at once, cannot be changed, and stays in the list', async () => {
  const { keyId, call } = await create(own.call, { role: 'admin' });
  const answer = await call('DELETE', `${base}/${keyId}`);
  const { revokedAt } = keyObject.parse(answer.body);
  expect(revokedAt).not.toBeNull();
  await expect.poll(() => statusOf(call), { timeout: 8_000 }).toBe(401);
  expect((await own.call('PATCH', `${base}/${keyId}`, { name: 'x' })).status).toBe(409);
  expect(await own.call('DELETE', `${base}/${keyId}`)).toMatchObject({ status: 200, body: { revokedAt } });
});

test('lastUsedAt is the minute of the last use, written after the answer and not for refused calls', async () => {
  const { keyId, call } = await create(own.call, { allowedIps: ['192.0.2.0/24'] });
  const lastUsed = async () => keyObject.parse((await own.call('GET', `${base}/${keyId}`)).body).lastUsedAt;
  expect((await call('GET', '/api/qr/codes')).status).toBe(403);
  const before = Date.now();
  expect((await call('GET', '/api/qr/codes', undefined, from('192.0.2.1'))).status).toBe(200);
  await expect.poll(lastUsed, { timeout: 8_000 }).not.toBeNull();
  const first = await lastUsed();
  expect(Date.parse(first!)).toBeGreaterThanOrEqual(before);
  await call('GET', '/api/qr/codes', undefined, from('192.0.2.1'));
  // Another key is written meanwhile: the same minute of this one was not.
  const other = await create(own.call);
  await statusOf(other.call);
  const othersUse = async () =>
    keyObject.parse((await own.call('GET', `${base}/${other.keyId}`)).body).lastUsedAt;
  await expect.poll(othersUse, { timeout: 8_000 }).not.toBeNull();
  expect(await lastUsed()).toBe(first);
});

test(`a workspace has at most ${keysMax} keys that work, however many are created at once`, async () => {
  const { call } = await plane.workspace();
  // The first key is the workspace's own.
  const { keyId } = await create(call);
  const statuses = [];
  for (let n = 0; n < 3; n++) {
    const made = await Promise.all(Array.from({ length: 34 }, () => call('POST', base, {})));
    statuses.push(...made.map(({ status }) => status));
  }
  expect(statuses.filter((status) => status === 201)).toHaveLength(keysMax - 2);
  expect(statuses.filter((status) => status === 409)).toHaveLength(3 * 34 - (keysMax - 2));
  await call('DELETE', `${base}/${keyId}`);
  expect((await call('POST', base, {})).status).toBe(201);
});

/** As many ended keys as are kept, made by keys, and as many by the operator. */
const addEnded = ({ workspaceId }: Workspace) =>
  plane.pool.query(
    `INSERT INTO api_keys (id, workspace_id, prefix, key_hash, role, revoked_at, created_by)
     SELECT 'key_made' || n || $1, $1, 'wm_', sha256(($1 || n)::bytea), 'member', now(), CASE WHEN n % 2 = 0 THEN 'key_1' END
     FROM generate_series(1, 2 * $2::int) n`,
    [workspaceId, endedKeysMax],
  );

test(`a workspace keeps the latest ${endedKeysMax} ended keys that keys have made, and those of the operator`, async () => {
  const workspace = await plane.workspace();
  const { keyId: oldest } = await create(workspace.call);
  await workspace.call('DELETE', `${base}/${oldest}`);
  await addEnded(workspace);
  const { keyId: last } = await create(workspace.call);
  const { rows } = await plane.pool.query(
    `SELECT count(*) FILTER (WHERE created_by = 'key_1')::int AS made, count(*) FILTER (WHERE created_by IS NULL)::int AS operators
     FROM api_keys WHERE workspace_id = $1`,
    [workspace.workspaceId],
  );
  // The workspace's first key is the operator's, and works.
  expect(rows).toEqual([{ made: endedKeysMax, operators: endedKeysMax + 1 }]);
  expect((await workspace.call('GET', `${base}/${oldest}`)).status).toBe(404);
  expect((await workspace.call('GET', `${base}/${last}`)).status).toBe(200);
});

describe('what is announced of keys', () => {
  /** The ids in the notifications that a statement makes. */
  const announced = async (work: () => Promise<unknown>): Promise<string[]> => {
    const client = new pg.Client({ connectionString: plane.databaseUrl });
    await client.connect();
    const heard: string[] = [];
    client.on('notification', ({ payload = '' }) => void heard.push(payload));
    await client.query('LISTEN waymark_tenancy');
    await work();
    await client.query(`NOTIFY waymark_tenancy, 'end'`);
    await expect.poll(() => heard.at(-1), { timeout: 8_000 }).toBe('end');
    await client.end();
    return heard.slice(0, -1);
  };

  test('is what processes hold of them, with their workspace; an update that changes nothing writes nothing', async () => {
    const workspace = await plane.workspace();
    const { keyId } = await create(workspace.call, { role: 'admin', allowedIps: ['127.0.0.1'] });
    const path = `${base}/${keyId}`;
    const change = (body: object) => () => workspace.call('PATCH', path, body);
    const versionOf = async () =>
      (await plane.pool.query('SELECT xmin::text FROM api_keys WHERE id = $1', [keyId])).rows[0].xmin;
    const before = [await versionOf(), await logOf(workspace)];
    for (const same of [{}, { role: 'admin' }, { allowedIps: ['127.0.0.1/32'], permissions: null }])
      expect(await announced(change(same))).toEqual([]);
    expect([await versionOf(), await logOf(workspace)]).toEqual(before);

    expect(await announced(change({ name: 'Till' }))).toEqual([]);
    expect(await logOf(workspace)).toHaveLength(before[1].length + 1);
    for (const body of [
      { role: 'member' },
      { permissions: ['codes:read'] },
      { allowedIps: null },
      { domains: ['go.example.com'] },
      { expiresAt: inHours(1) },
    ])
      expect([body, await announced(change(body))]).toEqual([body, [workspace.workspaceId]]);
    expect(await announced(() => workspace.call('POST', `${path}/rotate`))).toEqual([workspace.workspaceId]);
    const revoke = () => workspace.call('DELETE', path);
    expect(await announced(revoke)).toEqual([workspace.workspaceId]);
    const entries = await logOf(workspace);
    expect(await announced(revoke)).toEqual([]);
    expect(await logOf(workspace)).toEqual(entries);
    const deletion = () => plane.pool.query('DELETE FROM api_keys WHERE id = $1', [keyId]);
    expect(await announced(deletion)).toEqual([]);
  });

  test('and of a plan is the subscription, and its number of events is not', async () => {
    const { subscriptionId, workspaceId } = await plane.workspace();
    const set = (change: string) => () =>
      plane.pool.query(`UPDATE subscriptions SET ${change} WHERE id = $1`, [subscriptionId]);
    expect(await announced(set('version = version + 1'))).toEqual([]);
    expect(await announced(set(`status = 'past_due'`))).toEqual([subscriptionId]);
    expect(await announced(set(`limits = '{"apiCalls": 5}'`))).toEqual([subscriptionId]);
    const rename = () => plane.pool.query(`UPDATE workspaces SET name = 'x' WHERE id = $1`, [workspaceId]);
    expect(await announced(rename)).toEqual([]);
  });
});

describe('a key with domains', () => {
  const host = 'go.restricted.example';
  const shared = new URL(qrHost).hostname;
  const ids = createCodeIds(Buffer.alloc(32));
  const setUp = async (domains: string[]) => {
    const workspace = await plane.workspace();
    const key = await create(workspace.call, { domains });
    const setPrimary = (isPrimary: boolean) =>
      plane.pool.query('UPDATE domains SET is_primary = $2 WHERE workspace_id = $1', [
        workspace.workspaceId,
        isPrimary,
      ]);
    const name = `${workspace.workspaceId.slice(3).toLowerCase()}.example`;
    await workspace.call('POST', '/api/domains', { domain: name });
    await plane.pool.query(
      `UPDATE domains SET status = 'verified', verified_at = now() WHERE workspace_id = $1`,
      [workspace.workspaceId],
    );
    return { workspace, key, setPrimary, name };
  };
  const refused = { status: 403, body: { code: 'DOMAIN_NOT_ALLOWED' } };
  const body = { data: 'https://example.com/' };
  const createAs = (keyId: string, { workspaceId }: Workspace) =>
    actAs({ kind: 'key', keyId }, undefined, () =>
      inTransaction(plane.pool, (tx) =>
        createEachCode(
          tx,
          createOutbox([]),
          ['one', 'two'].map((name) => ({
            id: ids.create(),
            workspaceId,
            dataType: 'url',
            destination: 'https://example.com/',
            name,
          })),
          ids.create,
          shared,
        ),
      ),
    );

  test('creates codes only there: singly, by an upsert and in a bulk operation', async () => {
    const { workspace, key, setPrimary, name } = await setUp([shared]);
    const upsert = (externalId: string) => key.call('PUT', '/api/qr/codes/upsert', { ...body, externalId });
    const bulk = async () => {
      const begun = await key.call('POST', '/api/qr/codes/bulk', [{ uid: '1', ...body }]);
      const { bulkId } = z.object({ bulkId: z.string() }).parse(begun.body);
      const read = async () => (await key.call('GET', `/api/qr/codes/bulk/${bulkId}`)).body;
      await expect.poll(read, { timeout: 20_000 }).toMatchObject({ status: 'completed' });
      const result = await key.call('GET', `/api/qr/codes/bulk/${bulkId}/result`);
      return JSON.stringify([await read(), result.body]);
    };
    expect((await key.call('POST', '/api/qr/codes', body)).status).toBe(201);
    expect((await upsert('a')).status).toBe(201);
    expect(await bulk()).toContain('"succeeded":1');
    await setPrimary(true);
    expect(await key.call('POST', '/api/qr/codes', body)).toMatchObject(refused);
    expect(await key.call('POST', '/api/qr/codes?dryRun=true', body)).toMatchObject(refused);
    expect(await upsert('b')).toMatchObject(refused);
    expect(await bulk()).toContain('"failed":1');
    const { rows } = await plane.pool.query('SELECT FROM codes WHERE workspace_id = $1', [
      workspace.workspaceId,
    ]);
    expect(rows).toHaveLength(3);
    // An update makes no code.
    expect((await upsert('a')).status).toBe(200);
    expect((await workspace.call('POST', '/api/qr/codes', body)).status).toBe(201);
    await workspace.call('PATCH', `${base}/${key.keyId}`, { domains: [shared, name.toUpperCase()] });
    await expect
      .poll(async () => (await key.call('POST', '/api/qr/codes', body)).status, { timeout: 8_000 })
      .toBe(201);
  });

  test('creates no code where the primary domain became another one while it was prepared', async () => {
    const { workspace, key, setPrimary } = await setUp([shared]);
    await setPrimary(true);
    const create = () => createAs(key.keyId, workspace);
    expect(await create()).toEqual([1, 2].map(() => expect.objectContaining({ code: 'DOMAIN_NOT_ALLOWED' })));
    await setPrimary(false);
    expect(await create()).toMatchObject([{ name: 'one' }, { name: 'two' }]);
  });

  test('creates aliases only there, beside a code and with it', async () => {
    const { workspace, key, name } = await setUp([shared]);
    const { id } = await workspace.createCode();
    const add = (alias: string, domain?: string) =>
      key.call('POST', `/api/qr/codes/${id}/aliases`, { domain, alias: `${alias}-${id}` });
    expect((await add('plain')).status).toBe(201);
    expect((await add('shared', shared)).status).toBe(201);
    expect(await add('own', name)).toMatchObject({
      ...refused,
      body: {
        error: expect.stringMatching(/^domain must be one of the domains of the API key/),
        param: 'domain',
      },
    });
    const withAlias = (aliasDomain: string) => key.call('POST', '/api/qr/codes', { ...body, aliasDomain });
    expect((await withAlias(shared)).status).toBe(201);
    expect(await withAlias(name)).toMatchObject({ ...refused, body: { param: 'aliasDomain' } });
  });

  test('that is gone makes no code and no alias, wherever they would be; the operator does', async () => {
    const { workspace, key, name } = await setUp([shared]);
    await plane.pool.query('DELETE FROM api_keys WHERE id = $1', [key.keyId]);
    const { check } = createAliasClaims(shared);
    const aliases = () =>
      check(plane.pool, workspace.workspaceId, [{ domain: name }, { domain: null }], ownFields);
    const denied = [1, 2].map(() => expect.objectContaining({ code: 'DOMAIN_NOT_ALLOWED' }));
    expect(await createAs(key.keyId, workspace)).toEqual(denied);
    expect(await actAs({ kind: 'key', keyId: key.keyId }, undefined, aliases)).toEqual(denied);
    expect(await actAs({ kind: 'operator' }, undefined, aliases)).toEqual([undefined, undefined]);
  });

  test('holds the jobs that it began to them until they end, also if it ended and 1,000 keys after it', async () => {
    const { workspace, key, name } = await setUp([shared]);
    const holder = await plane.pool.connect();
    const turn = { lane: bulkLane, workspaceId: workspace.workspaceId };
    const known = async () => (await workspace.call('GET', `${base}/${key.keyId}`)).status;
    const endMoreKeys = async (): Promise<void> => {
      await workspace.call('POST', base, {});
      await deleteEndedKeys(plane.pool, 'ws_default');
    };
    let bulkId = '';
    try {
      await holder.query('BEGIN');
      // The job does not begin meanwhile.
      expect(await takeTurn(holder, turn)).toBe(true);
      const rows = [name, shared].map((aliasDomain, at) => ({ uid: `${at}`, ...body, aliasDomain }));
      const begun = await key.call('POST', '/api/qr/codes/bulk', rows);
      ({ bulkId } = z.object({ bulkId: z.string() }).parse(begun.body));
      await workspace.call('DELETE', `${base}/${key.keyId}`);
      await plane.pool.query(`UPDATE api_keys SET revoked_at = now() - interval '1 year' WHERE id = $1`, [
        key.keyId,
      ]);
      await addEnded(workspace);
      await endMoreKeys();
      expect(await known()).toBe(200);
    } finally {
      await holder.query('ROLLBACK');
      holder.release();
    }
    await enqueueTurn(plane.pool, turn);
    const read = async () => (await workspace.call('GET', `/api/qr/codes/bulk/${bulkId}`)).body;
    await expect.poll(read, { timeout: 20_000 }).toMatchObject({ status: 'completed' });
    const { rows } = await plane.pool.query('SELECT domain FROM aliases WHERE workspace_id = $1', [
      workspace.workspaceId,
    ]);
    expect(rows).toEqual([{ domain: null }]);
    await endMoreKeys();
    expect(await known()).toBe(404);
  });

  test('gives no other domain to a key, and a name that no host can have is 422', async () => {
    const giver = await create(own.call, { role: 'admin', domains: [host, shared] });
    const within = await create(giver.call, { domains: [host] });
    expect(within.domains).toEqual([host]);
    for (const domains of [null, ['other.example'], [host, 'other.example']]) {
      const denied = { status: 403, body: { error: expect.stringMatching(/^domains must not have/) } };
      expect(await giver.call('POST', base, { domains })).toMatchObject(denied);
      expect(await giver.call('PATCH', `${base}/${within.keyId}`, { domains })).toMatchObject(denied);
    }
    expect((await giver.call('POST', base, {})).status).toBe(403);
    for (const wrong of ['https://go.example.com', 'a b', '', 'x/y', 'go.example.com:80'])
      expect(await own.call('POST', base, { domains: [host, wrong] })).toMatchObject({
        status: 422,
        body: { error: expect.stringMatching(/^domains\[1\] must be a host name/) },
      });
    expect((await create(own.call, { domains: ['GO.Exämple.com.'] })).domains).toEqual([
      'go.xn--exmple-cua.com',
    ]);
  });
});

test('a key that ended 90 days ago is deleted, except in the default workspace', async () => {
  const revoked = await create(own.call);
  const expired = await create(own.call, { expiresAt: inHours(1) });
  const recent = await create(own.call);
  const age = (keyId: string, column: string, days: number) =>
    plane.pool.query(`UPDATE api_keys SET ${column} = now() - make_interval(days => $2) WHERE id = $1`, [
      keyId,
      days,
    ]);
  await age(revoked.keyId, 'revoked_at', 91);
  await age(expired.keyId, 'expires_at', 91);
  await age(recent.keyId, 'revoked_at', 89);
  const known = async (keyId: string) => (await own.call('GET', `${base}/${keyId}`)).status;
  await deleteEndedKeys(plane.pool, own.workspaceId);
  expect(await known(revoked.keyId)).toBe(200);
  await deleteEndedKeys(plane.pool, 'ws_default');
  expect([await known(revoked.keyId), await known(expired.keyId), await known(recent.keyId)]).toEqual([
    404, 404, 200,
  ]);
});

test('every operation with a key states its permission, and every permission is some operation’s', async () => {
  const { paths } = z
    .object({
      paths: z.record(
        z.string(),
        z.record(
          z.string(),
          z.looseObject({
            description: z.string(),
            operationId: z.string(),
            security: z.unknown().optional(),
          }),
        ),
      ),
    })
    .parse((await plane.callWith(undefined)('GET', '/openapi.json')).body);
  const keyed = Object.entries(paths)
    .filter(([path]) => path.startsWith('/api/'))
    .flatMap(([, methods]) => Object.values(methods))
    .filter(({ security }) => security === undefined);
  const stated = keyed.map(({ operationId, description }) => ({
    operationId,
    permission: /^Permission: `(.*)`\.$/m.exec(description)?.[1],
  }));
  const without = stated.filter(({ permission }) => permission === undefined);
  // An export is its contents' to read: see the guide of exports.
  const byContents = ['listExports', 'getExport', 'downloadExport'];
  expect(without.map(({ operationId }) => operationId).sort()).toEqual(
    [...byContents, 'getAccount', 'getUsage'].sort(),
  );
  const named = stated.flatMap(({ permission }) => permission ?? []);
  expect([...new Set(named)].sort()).toEqual([...permissions].sort());
});
