/** `dryRun=true`: every check is made, and nothing is left. */
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';

import { tagsMax } from '#schemas/api/tags.ts';
import { recordKey } from '#schemas/code-record.ts';
import { createLogger } from '#shared/logger.ts';
import { createRedis, type Redis } from '#shared/redis.ts';
import { afterFile } from '../../../deploy/testing/local.ts';
import { startTestControlPlane, type TestControlPlane, type Workspace } from '../../testing/control-plane.ts';

let plane: TestControlPlane;
let redis: Redis;

beforeAll(async () => {
  plane = await startTestControlPlane();
  redis = createRedis(
    plane.redisUrl,
    { name: 'test', commandTimeoutMs: 60_000 },
    createLogger('test', 'silent'),
  );
  afterFile(() => redis.disconnect());
});

const body = { data: 'https://example.com/', name: 'Table 7' };
const keyed = { 'waymark-idempotency-key': 'order 1' };

const limited = (dynamicQr: number) =>
  plane.workspace({ limits: { requestsPerSecond: 1_000_000, dynamicQr } });

/** What a workspace has left anywhere. */
const leftBy = async ({ workspaceId, subscriptionId }: Workspace) => {
  const { rows } = await plane.pool.query(
    `SELECT (SELECT count(*)::int FROM codes WHERE workspace_id = $1) AS codes,
       (SELECT count(*)::int FROM idempotent_answers WHERE workspace_id = $1) AS answers,
       (SELECT count(*)::int FROM webhook_events WHERE workspace_id = $1) AS events,
       (SELECT count(*)::int FROM quota_reservations WHERE subscription_id = $2) AS reservations,
       coalesce((SELECT used FROM quota_usage WHERE subscription_id = $2 AND capability = 'dynamicQr'), 0)::int AS used`,
    [workspaceId, subscriptionId],
  );
  return rows[0];
};
const nothing = { codes: 0, answers: 0, events: 0, reservations: 0, used: 0 };

const webhookOf = ({ call }: Workspace) =>
  call('POST', '/api/webhooks', { url: 'https://hooks.example.com/', events: ['*'], status: 'paused' });

test.each([
  ['plain', {}],
  ['that takes long', { secure: ['password'], password: 'open sesame', dotsOptions: { color: '#224466' } }],
])(
  'a dry run of a creation %s says what would be, and leaves nothing, with quota or without',
  async (_, more) => {
    for (const workspace of [await limited(1), await plane.workspace()]) {
      expect((await webhookOf(workspace)).status).toBe(201);
      const dry = await workspace.call('POST', '/api/qr/codes?dryRun=true', { ...body, ...more }, keyed);
      expect(dry).toMatchObject({ status: 200, body: { dryRun: true, name: 'Table 7', status: 'active' } });
      expect(dry.headers.has('location')).toBe(false);
      expect(await leftBy(workspace)).toEqual(nothing);
      const { id } = z.object({ id: z.string() }).parse(dry.body);
      expect((await workspace.call('GET', `/api/qr/codes/${id}`)).status).toBe(404);
      expect(await redis.exists(recordKey(id))).toBe(0);
      // The idempotency key and the quota are still there.
      const real = await workspace.call('POST', '/api/qr/codes?dryRun=false', { ...body, ...more }, keyed);
      expect(real.status).toBe(201);
      expect(real.body).not.toHaveProperty('dryRun');
      expect(await leftBy(workspace)).toMatchObject({ codes: 1, answers: 1, events: 1 });
    }
  },
);

test('a dry run gets the refusals of the real call', async () => {
  const workspace = await limited(1);
  const refused = async (path: string, sent: object, method = 'POST') => {
    const [dry, real] = [
      await workspace.call(method, `${path}?dryRun=true`, sent),
      await workspace.call(method, path, sent),
    ];
    const requestId = expect.any(String);
    expect([dry.status, dry.body]).toEqual([real.status, { ...(real.body as object), requestId }]);
    return dry.status;
  };
  expect(await refused('/api/qr/codes', {})).toBe(400);
  expect(await refused('/api/qr/codes', { data: 'javascript:alert(1)' })).toBe(422);
  // No camera reads it.
  expect(await refused('/api/qr/codes', { ...body, dotsOptions: { color: '#ffffff' } })).toBe(422);
  const { id } = await workspace.createCode();
  expect(await refused('/api/qr/codes', body)).toBe(429);
  expect(await refused(`/api/qr/codes/${id}`, { destination: 'nowhere' }, 'PUT')).toBe(422);
  expect(await refused(`/api/qr/codes/${id}`, { dotsOptions: { color: '#ffffff' } }, 'PUT')).toBe(422);
  expect(await refused('/api/qr/codes/abcdefghi', { name: 'x' }, 'PUT')).toBe(404);
  const other = await plane.workspace();
  const { id: foreign } = await other.createCode();
  expect(await refused(`/api/qr/codes/${foreign}`, { name: 'x' }, 'PUT')).toBe(403);
});

test('a dry run of an update says what would be, and changes neither the code nor what redirectors hold', async () => {
  const workspace = await plane.workspace();
  await webhookOf(workspace);
  const { id } = await workspace.createCode();
  const path = `/api/qr/codes/${id}`;
  await expect.poll(() => redis.get(recordKey(id))).not.toBeNull();
  const before = { code: (await workspace.call('GET', path)).body, record: await redis.get(recordKey(id)) };
  const left = await leftBy(workspace);
  for (const change of [
    { destination: 'https://example.org/', maxScans: 5 },
    { dotsOptions: { color: '#224466' } },
    { password: 'open sesame' },
  ]) {
    const { password, ...shown } = change as Record<string, unknown>;
    const dry = await workspace.call('PUT', `${path}?dryRun=true`, change);
    const expected = 'dotsOptions' in shown ? { style: shown } : shown;
    expect(dry).toMatchObject({ status: 200, body: { id, dryRun: true, ...expected } });
    if (password) expect(dry.body).toMatchObject({ passwordProtected: true });
  }
  expect((await workspace.call('GET', path)).body).toEqual(before.code);
  expect(await redis.get(recordKey(id))).toBe(before.record);
  expect(await leftBy(workspace)).toEqual(left);
  const { rows } = await plane.pool.query(`SELECT FROM unpublished WHERE id = $1`, [id]);
  expect(rows).toEqual([]);
  const real = await workspace.call('PUT', path, { name: 'real' });
  expect(real.body).not.toHaveProperty('dryRun');
  expect(await redis.get(recordKey(id))).not.toBe(before.record);
});

test('a dry run of a merge patch or an upsert leaves nothing, whether the code exists or not', async () => {
  const workspace = await plane.workspace();
  const upsert = (externalId: string, query = '') =>
    workspace.call('PUT', `/api/qr/codes/upsert${query}`, { ...body, externalId });
  const dry = await upsert('table-7', '?dryRun=true');
  expect(dry).toMatchObject({ status: 200, body: { dryRun: true, externalId: 'table-7' } });
  expect(dry.headers.has('etag')).toBe(false);
  expect(await leftBy(workspace)).toEqual(nothing);
  const made = await upsert('table-7');
  expect(made.status).toBe(201);
  const { id } = z.object({ id: z.string() }).parse(made.body);
  const path = `/api/qr/codes/${id}`;
  const before = [(await workspace.call('GET', path)).body, await redis.get(recordKey(id))];
  const change = { ...body, externalId: 'table-7', name: 'Table 8' };
  expect(await workspace.call('PUT', '/api/qr/codes/upsert?dryRun=true', change)).toMatchObject({
    status: 200,
    body: { id, name: 'Table 8', dryRun: true },
  });
  expect(await workspace.call('PATCH', `${path}?dryRun=true`, { name: 'Table 9' })).toMatchObject({
    status: 200,
    body: { id, name: 'Table 9', dryRun: true },
  });
  expect([(await workspace.call('GET', path)).body, await redis.get(recordKey(id))]).toEqual(before);
});

test('a dry run makes no tags, be it of a creation, an update, an upsert or a bulk validation, and refuses too many', async () => {
  const workspace = await plane.workspace();
  const { id } = await workspace.createCode({ externalId: 'table-7', tags: ['kept'] });
  const tags = async () =>
    (await plane.pool.query('SELECT name FROM tags WHERE workspace_id = $1', [workspace.workspaceId])).rows;
  const tagged = { tags: ['kept', 'new'] };
  for (const [method, path, sent] of [
    ['POST', '/api/qr/codes', { ...body, ...tagged }],
    ['PUT', `/api/qr/codes/${id}`, tagged],
    ['PATCH', `/api/qr/codes/${id}`, tagged],
    ['PUT', '/api/qr/codes/upsert', { ...body, ...tagged, externalId: 'table-7' }],
    ['PUT', '/api/qr/codes/upsert', { ...body, ...tagged, externalId: 'table-8' }],
  ] as const)
    expect(await workspace.call(method, `${path}?dryRun=true`, sent)).toMatchObject({ status: 200 });
  const rows = [{ uid: '1', ...body, ...tagged }];
  const begun = await workspace.call('POST', '/api/qr/codes/bulk?dryRun=true', rows);
  expect(begun.status).toBe(202);
  const { bulkId } = z.object({ bulkId: z.string() }).parse(begun.body);
  await expect
    .poll(async () => (await workspace.call('GET', `/api/qr/codes/bulk/${bulkId}`)).body, { timeout: 20_000 })
    .toMatchObject({ status: 'completed', succeeded: 1 });
  expect(await tags()).toEqual([{ name: 'kept' }]);
  await plane.pool.query(
    `INSERT INTO tags (workspace_id, name, key) SELECT $1, 'tag ' || n, 'tag ' || n FROM generate_series(2, $2::int) n`,
    [workspace.workspaceId, tagsMax],
  );
  expect(await workspace.call('PUT', `/api/qr/codes/${id}?dryRun=true`, tagged)).toMatchObject({
    status: 422,
    body: { error: expect.stringMatching(/^tags /) },
  });
});

test('an operation without dry runs refuses the parameter, and so does one with them another value', async () => {
  const { call, createCode } = await plane.workspace();
  const { id } = await createCode();
  expect((await call('DELETE', `/api/qr/codes/${id}?dryRun=true`)).status).toBe(400);
  expect((await call('POST', '/api/qr/landing-pages?dryRun=true', { name: 'x' })).status).toBe(400);
  expect((await call('POST', '/api/qr/codes?dryRun=yes', body)).status).toBe(400);
});
