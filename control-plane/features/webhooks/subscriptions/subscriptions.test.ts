/** Webhooks as an integrator manages them. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createdWebhookObject, webhooksMax } from '#schemas/api/webhooks.ts';
import { documentKey } from '#schemas/documents.ts';
import { createLogger } from '#shared/logger.ts';
import { createRedis } from '#shared/redis.ts';
import { afterFile } from '../../../../deploy/testing/local.ts';
import {
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../../testing/control-plane.ts';
import { createKey } from '../../tenancy/store.ts';
import { linesOf, reportedScanOf } from '../testing/reported-scans.ts';

let plane: TestControlPlane;
let own: Workspace;

const url = 'https://example.com/hooks';
const body = { url, events: ['form.submitted'], status: 'paused' };

beforeAll(async () => {
  plane = await startTestControlPlane();
  own = await plane.workspace();
});

/** @returns the created webhook, checked */
const create = async (given: object = {}, { call }: Pick<Workspace, 'call'> = own) => {
  const answer = await call('POST', '/api/webhooks', { ...body, ...given });
  expect([answer.status, answer.body]).toEqual([201, expect.anything()]);
  return createdWebhookObject.parse(answer.body);
};

describe('a webhook', () => {
  test('is created with its secret, which is never shown again', async () => {
    const { secret, ...made } = await create({ description: 'Loyalty programme', status: 'active' });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(made).toMatchObject({
      url,
      description: 'Loyalty programme',
      events: ['form.submitted'],
      batch: null,
      status: 'active',
      pausedReason: null,
      pausedAt: null,
      failingSince: null,
      overflowingSince: null,
      previousSecretExpiresAt: null,
    });
    expect((await own.call('GET', `/api/webhooks/${made.id}`)).body).toEqual(made);
    const { rows } = await plane.pool.query<{ row: string }>('SELECT t::text AS row FROM webhooks t');
    const bytes = Buffer.from(secret.slice(6), 'base64').toString('hex');
    for (const { row } of rows) {
      expect(row).not.toContain(secret);
      expect(row).not.toContain(bytes);
    }
  });

  test('is listed with the others of its workspace, newest first', async () => {
    const workspace = await plane.workspace();
    const [first, second] = [await create({}, workspace), await create({}, workspace)];
    const { body: list } = await workspace.call('GET', '/api/webhooks');
    expect(z.object({ webhooks: z.array(z.object({ id: z.string() })) }).parse(list).webhooks).toMatchObject([
      { id: second.id },
      { id: first.id },
    ]);
  });

  test('is changed in the fields that are sent; null or an empty text clears', async () => {
    const {
      id,
      secret: _,
      ...made
    } = await create({
      events: ['scan.created'],
      description: 'old',
      batch: { maxEvents: 10, maxSeconds: 5 },
    });
    const changed = await own.call('PATCH', `/api/webhooks/${id}`, { events: ['*'] });
    expect(changed).toMatchObject({
      status: 200,
      body: { ...made, events: ['*'], updatedAt: expect.any(String) },
    });
    const cleared = await own.call('PATCH', `/api/webhooks/${id}`, { description: '', batch: null });
    expect(cleared.body).toMatchObject({ description: null, batch: null, events: ['*'] });
  });

  test('has no batch without scans, whichever of the two is changed', async () => {
    const batch = { maxEvents: 10, maxSeconds: 5 };
    const plain = await create({ events: ['qr.created'] });
    const batched = await create({ events: ['scan.created'], batch });
    const error = expect.stringMatching(/^batch needs scan\.created or \* in events/);
    for (const [id, change] of [
      [plain.id, { batch }],
      [batched.id, { events: ['qr.created'] }],
    ] as const) {
      const before = (await own.call('GET', `/api/webhooks/${id}`)).body;
      expect(await own.call('PATCH', `/api/webhooks/${id}`, change)).toMatchObject({
        status: 422,
        body: { error },
      });
      expect((await own.call('GET', `/api/webhooks/${id}`)).body).toEqual(before);
    }
    const both = { events: ['qr.created'], batch: null };
    expect(await own.call('PATCH', `/api/webhooks/${batched.id}`, both)).toMatchObject({
      status: 200,
      body: both,
    });
  });

  test('is unchanged if no field is sent', async () => {
    const { id, secret: _, ...made } = await create();
    const answer = await own.call('PATCH', `/api/webhooks/${id}`, {});
    expect(answer).toMatchObject({ status: 200, body: { ...made, updatedAt: made.updatedAt } });
  });

  test('that is paused shows when and by whom, until it is active again', async () => {
    const { id } = await create({ status: 'active' });
    const paused = await own.call('PATCH', `/api/webhooks/${id}`, { status: 'paused' });
    expect(paused.body).toMatchObject({
      status: 'paused',
      pausedReason: 'owner',
      pausedAt: expect.any(String),
    });
    const again = await own.call('PATCH', `/api/webhooks/${id}`, { status: 'paused', description: 'x' });
    expect(again.body).toMatchObject({ pausedAt: (paused.body as { pausedAt: string }).pausedAt });
    const active = await own.call('PATCH', `/api/webhooks/${id}`, { status: 'active' });
    expect(active.body).toMatchObject({ status: 'active', pausedReason: null, pausedAt: null });
  });

  test('that was paused for its failures starts over when it is resumed', async () => {
    const { id } = await create({ status: 'active' });
    await plane.pool.query(
      `UPDATE webhooks SET status = 'paused', paused_reason = 'failing', paused_at = now(), failing_since = now() - interval '5 days'
       WHERE id = $1`,
      [id],
    );
    expect((await own.call('GET', `/api/webhooks/${id}`)).body).toMatchObject({ pausedReason: 'failing' });
    const { body: resumed } = await own.call('PATCH', `/api/webhooks/${id}`, { status: 'active' });
    expect(resumed).toMatchObject({ status: 'active', pausedReason: null, failingSince: null });
  });

  test('is gone with its queue when it is deleted', async () => {
    const { id } = await create({ events: ['qr.created'] });
    await own.createCode();
    const queued = () => plane.pool.query('SELECT FROM webhook_queue WHERE webhook_id = $1', [id]);
    expect((await queued()).rowCount).toBe(1);
    expect((await own.call('DELETE', `/api/webhooks/${id}`)).status).toBe(204);
    for (const method of ['GET', 'DELETE'])
      expect((await own.call(method, `/api/webhooks/${id}`)).status).toBe(404);
    expect((await own.call('PATCH', `/api/webhooks/${id}`, {})).status).toBe(404);
    await own.createCode();
    expect((await queued()).rowCount).toBeLessThanOrEqual(1);
  });

  test('is managed by admins, and visible to all members of the workspace', async () => {
    const { id } = await create();
    const key = await createKey(plane.pool, { workspaceId: own.workspaceId, role: 'member', name: null });
    const member = plane.callWith(key?.apiKey);
    expect((await member('GET', `/api/webhooks/${id}`)).status).toBe(200);
    const managing = [
      ['POST', '/api/webhooks', body],
      ['PATCH', `/api/webhooks/${id}`, {}],
      ['DELETE', `/api/webhooks/${id}`, undefined],
      ['POST', `/api/webhooks/${id}/rotate-secret`, undefined],
      ['POST', `/api/webhooks/${id}/test`, {}],
      ['POST', `/api/webhooks/${id}/replay`, { from: '2026-01-01', to: '2026-01-02' }],
      ['POST', `/api/webhooks/${id}/deliveries/dlv_1111111111111111/resend`, undefined],
    ] as const;
    for (const [method, path, sent] of managing)
      expect([path, (await member(method, path, sent)).status]).toEqual([path, 403]);
  });
});

test(`a workspace has at most ${webhooksMax} webhooks, even if two are created at once`, async () => {
  const workspace = await plane.workspace();
  for (let n = 1; n < webhooksMax; n++) await create({}, workspace);
  const answers = await Promise.all([1, 2, 3].map(() => workspace.call('POST', '/api/webhooks', body)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  expect(answers.find(({ status }) => status === 409)!.body).toMatchObject({
    error: `A workspace has at most ${webhooksMax} webhooks; delete one first`,
  });
});

describe('an invalid webhook is rejected, naming the field', () => {
  test.each([
    ['url', { url: 'ftp://example.com/' }, 422, /^url must be an absolute http or https URL/],
    ['url', { url: 'https://user:word@example.com/' }, 422, /^url must not contain a user name/],
    [
      'url',
      { url: `https://example.com/${'x'.repeat(1981)}` },
      422,
      /^url must have at most 2000 characters/,
    ],
    ['url', { url: undefined }, 400, /^url is required/],
    ['events', { events: [] }, 422, /^events must have at least 1 entry/],
    ['events', { events: ['qr.scanned'] }, 422, /^events\[0\] must be one of \*, scan\.created, /],
    ['events', { events: ['*', 'qr.created'] }, 422, /^events must have nothing beside \*/],
    ['events', { events: ['qr.created', 'qr.created'] }, 422, /^events\[1\] must not be given twice/],
    [
      'batch',
      { batch: { maxEvents: 1001, maxSeconds: 5 } },
      422,
      /^batch\.maxEvents must be a whole number from 1 to 1000/,
    ],
    [
      'batch',
      { batch: { maxEvents: 10, maxSeconds: 61 } },
      422,
      /^batch\.maxSeconds must be a whole number from 1 to 60/,
    ],
    [
      'batch',
      { events: ['qr.created'], batch: { maxEvents: 10, maxSeconds: 5 } },
      422,
      /^batch needs scan\.created or \* in events/,
    ],
    ['batch', { batch: { maxEvents: 10 } }, 400, /^batch\.maxSeconds is required/],
    ['status', { status: 'failing' }, 422, /^status must be one of active, paused/],
    ['description', { description: 'x'.repeat(201) }, 422, /^description must have at most 200 characters/],
    ['secret', { secret: 'whsec_x' }, 400, /^secret is not a known field/],
  ])('%s %#', async (_, given, status, message) => {
    const answer = await own.call('POST', '/api/webhooks', { ...body, ...given });
    expect(answer).toMatchObject({ status, body: { error: expect.stringMatching(message) } });
  });

  test.each([
    'http://127.0.0.1/',
    'http://127.1:8080/',
    'http://0x7f000001/',
    'http://0177.0.0.1/',
    'http://2130706433/',
    'http://[::1]/',
    'http://[::ffff:10.0.0.1]/',
    'http://[64:ff9b::a00:1]/',
    'http://169.254.169.254/latest/meta-data',
    'https://192.168.1.1/',
    'http://localhost',
    'http://LOCALHOST.:3000/hooks',
    'https://hooks.localhost/',
  ])('an address that is not public: %s', async (private_) => {
    const { id } = await create();
    for (const [method, path] of [
      ['POST', '/api/webhooks'],
      ['PATCH', `/api/webhooks/${id}`],
    ] as const) {
      const answer = await own.call(
        method,
        path,
        method === 'POST' ? { ...body, url: private_ } : { url: private_ },
      );
      expect(answer).toMatchObject({
        status: 422,
        body: {
          error: 'url must lead to a public address, unless the operator sets WEBHOOK_ALLOW_PRIVATE=true',
        },
      });
    }
    await own.call('DELETE', `/api/webhooks/${id}`);
  });
});

test('redirectors learn at once whether scans of the workspace are followed', async () => {
  const redis = createRedis(
    plane.redisUrl,
    { name: 'test', commandTimeoutMs: 5_000 },
    createLogger('test', 'silent'),
  );
  afterFile(() => redis.disconnect());
  const workspace = await plane.workspace();
  const tells = async () =>
    (await redis.get(documentKey(workspace.workspaceId)))?.includes('"scanEvents":true') ?? false;
  const atOnce: boolean[] = [];
  const isAnnounced = async (follows: boolean) => {
    atOnce.push((await tells()) === follows);
    await expect.poll(tells).toBe(follows);
  };
  const { id } = await create({ events: ['scan.created'] }, workspace);
  await isAnnounced(true);
  await workspace.call('PATCH', `/api/webhooks/${id}`, { events: ['qr.created'] });
  await isAnnounced(false);
  await workspace.call('PATCH', `/api/webhooks/${id}`, { events: ['*'] });
  await isAnnounced(true);
  await workspace.call('DELETE', `/api/webhooks/${id}`);
  await isAnnounced(false);
  // Redis may take too long on a busy machine: then the sweep publishes it within a second.
  expect(atOnce.filter((was) => was).length).toBeGreaterThanOrEqual(2);
});

describe('a filter', () => {
  const setUp = async () => {
    const workspace = await plane.workspace();
    const folder = (await workspace.call('POST', '/api/qr/folders', { name: 'Berlin' })).body as {
      id: string;
    };
    const create = (filter: object | null) =>
      workspace.call('POST', '/api/webhooks', {
        url: 'https://hooks.example.com/',
        events: ['*'],
        status: 'paused',
        filter,
      });
    const queuedFor = async (webhookId: string) => {
      const { rows } = await plane.pool.query(
        `SELECT q.type, e.data ->> 'qrId' AS id FROM webhook_queue q JOIN webhook_events e ON e.id = q.event_id
         WHERE q.webhook_id = $1 ORDER BY q.placed_at, q.type`,
        [webhookId],
      );
      return rows.map(({ type, id }) => `${type} ${id}`);
    };
    return { workspace, folderId: folder.id, create, queuedFor };
  };

  test('by tags and folders gets events of codes that are there when they happen, and follows a renamed tag', async () => {
    const { workspace, folderId, create, queuedFor } = await setUp();
    const { call } = workspace;
    const made = await create({ tags: ['VIP'], folderIds: [folderId] });
    expect(made).toMatchObject({ status: 201, body: { filter: { tags: ['VIP'], folderIds: [folderId] } } });
    expect((made.body as { filter: object }).filter).not.toHaveProperty('codeIds');
    const { id: webhookId } = made.body as { id: string };
    const plain = await workspace.createCode();
    const tagged = await workspace.createCode({ tags: ['vip'] });
    await call('PUT', `/api/qr/codes/${plain.id}`, { name: 'still elsewhere' });
    await call('PUT', `/api/qr/codes/${plain.id}`, { folderId });
    await call('DELETE', `/api/qr/codes/${plain.id}`);
    await call('PUT', `/api/qr/codes/${plain.id}`, { folderId: null });
    const expected = [`qr.created ${tagged.id}`, `qr.updated ${plain.id}`, `qr.deleted ${plain.id}`];
    expect(await queuedFor(webhookId)).toEqual(expected);

    expect((await call('PATCH', '/api/qr/tags/vip', { name: 'Important' })).status).toBe(200);
    const read = async () => (await call('GET', `/api/webhooks/${webhookId}`)).body;
    expect(await read()).toMatchObject({ filter: { tags: ['Important'] } });
    await call('PUT', `/api/qr/codes/${tagged.id}`, { name: 'new' });
    await workspace.createCode({ tags: ['second'] });
    expect((await call('PATCH', '/api/qr/tags/important', { name: 'second' })).status).toBe(200);
    expect(await read()).toMatchObject({ filter: { tags: ['second'] } });
    await call('PUT', `/api/qr/codes/${tagged.id}`, { name: 'newer' });
    expect(await queuedFor(webhookId)).toEqual([...expected, ...Array(2).fill(`qr.updated ${tagged.id}`)]);
    expect((await call('PATCH', `/api/webhooks/${webhookId}`, { filter: null })).body).toMatchObject({
      filter: null,
    });
  });

  test('by tags is untouched by a tag of the same name in another workspace that is renamed', async () => {
    const { workspace, create } = await setUp();
    const { id } = (await create({ tags: ['press'] })).body as { id: string };
    const other = await plane.workspace();
    await other.createCode({ tags: ['press'] });
    expect((await other.call('PATCH', '/api/qr/tags/press', { name: 'foreign' })).status).toBe(200);
    expect((await workspace.call('GET', `/api/webhooks/${id}`)).body).toMatchObject({
      filter: { tags: ['press'] },
    });
  });

  test('by codes gets the events of these codes alone, which are codes of its workspace', async () => {
    const { workspace, create, queuedFor } = await setUp();
    const codes = [await workspace.createCode(), await workspace.createCode(), await workspace.createCode()];
    const [first, second, third] = codes.map(({ id }) => id);
    const made = await create({ codeIds: [first, second] });
    expect(made).toMatchObject({ status: 201, body: { filter: { codeIds: [first, second] } } });
    for (const id of [first, second, third])
      await workspace.call('PUT', `/api/qr/codes/${id}`, { name: 'new' });
    const queued = await queuedFor((made.body as { id: string }).id);
    expect(queued.toSorted()).toEqual([`qr.updated ${first}`, `qr.updated ${second}`].toSorted());
    const foreign = await (await plane.workspace()).createCode();
    for (const id of [foreign.id, 'AAAAAAAAA'])
      expect(await create({ codeIds: [first, id] })).toMatchObject({
        status: 422,
        body: { error: expect.stringContaining('codeIds[1]') },
      });
  });

  test('of scans is decided with the codes that the scans name', async () => {
    const { workspace, folderId, create, queuedFor } = await setUp();
    const { id: webhookId } = (await create({ tags: ['vip'], folderIds: [folderId] })).body as { id: string };
    const codes = [
      await workspace.createCode({ tags: ['VIP'] }),
      await workspace.createCode({ folderId }),
      await workspace.createCode(),
    ];
    await plane.pool.query('DELETE FROM webhook_queue WHERE webhook_id = $1', [webhookId]);
    const scans = codes.map(({ id }) => reportedScanOf({ workspaceId: workspace.workspaceId, codeId: id }));
    const taken = await plane.internal('POST', `/internal/scans?segment=${randomUUID()}`, linesOf(scans));
    expect(taken.status, String(taken.body)).toBeLessThan(300);
    expect((await queuedFor(webhookId)).toSorted()).toEqual(
      codes
        .slice(0, 2)
        .map(({ id }) => `scan.created ${id}`)
        .toSorted(),
    );
  });

  test.each([
    [{}, /^filter must have codeIds, tags or folderIds/],
    [{ tags: [] }, /^filter\.tags/],
    [{ tags: ['a,b'] }, /^filter\.tags\[0\]/],
    [{ folderIds: ['fold_1111111111111111'] }, /^filter\.folderIds\[0\] must be the id of a folder/],
    [{ folderIds: ['a\0'] }, /^filter\.folderIds\[0\]/],
    [{ tags: ['a'], colours: ['red'] }, /^filter/],
  ])('%j is refused', async (filter, error) => {
    const { create } = await setUp();
    const { status, body } = await create(filter);
    expect([Math.floor(status / 100), (body as { error: string }).error]).toEqual([
      4,
      expect.stringMatching(error),
    ]);
  });
});
