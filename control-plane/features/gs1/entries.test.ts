import { expect, test } from 'vitest';
import { documentKey, gs1Documents, parseDocument } from '#schemas/documents.ts';
import { createLogger } from '#shared/logger.ts';
import { createRedis } from '#shared/redis.ts';
import { afterFile } from '../../../deploy/testing/local.ts';
import { features } from '../../app.ts';
import { verbsOf } from '../../framework/feature.ts';
import type { Verb } from '../../framework/verb.ts';
import { type Call, qrHost, startTestControlPlane } from '../../testing/control-plane.ts';
import { changeSubscription } from '../tenancy/store.ts';

const plane = await startTestControlPlane();
const mine = await plane.workspace();
const other = await plane.workspace();
const redis = createRedis(
  plane.redisUrl,
  { name: 'test', commandTimeoutMs: 2000 },
  createLogger('test', 'silent'),
);
afterFile(() => redis.disconnect());

const entries = '/api/qr/gs1/entries';
const pip = { linkType: 'gs1:pip', href: 'https://example.com/p', title: 'Product information' };
const bodyOf = (path: string, links: object[] = [pip]) => ({ path, itemDescription: 'Rice', links });

const create = async (call: Call, path: string, links?: object[]): Promise<Record<string, unknown>> => {
  const answer = await call('POST', entries, bodyOf(path, links));
  expect(answer).toMatchObject({ status: 201 });
  return answer.body as Record<string, unknown>;
};

/** As it is in Redis. */
const documentOf = async (key: string) => {
  const text = await redis.get(documentKey(`gs1:${key}`));
  return text === null ? null : parseDocument(gs1Documents, text);
};

test('a create, change or removal of an entry is complete in Redis when its call answers', async () => {
  const link = { ...pip, hreflang: ['EN', 'pt-BR'], type: 'Text/HTML', context: 'xr', default: true };
  const created = await create(mine.call, '/01/9506000134352/10/A%2fB', [
    { ...pip, linkType: 'https://ref.gs1.org/voc/recipeInfo' },
    link,
  ]);
  expect(created).toMatchObject({
    path: '/01/09506000134352/10/A%2FB',
    url: `${qrHost}/01/09506000134352/10/A%2FB`,
    itemDescription: 'Rice',
    scanCount: 0,
    links: [
      { ...pip, linkType: 'gs1:recipeInfo' },
      { ...pip, hreflang: ['en', 'pt-br'], type: 'text/html', context: ['xr'], default: true },
    ],
  });
  const document = await documentOf('01/09506000134352');
  expect(document).toMatchObject({
    workspaceId: mine.workspaceId,
    entries: [{ id: created.entryId, path: created.path }],
  });
  expect(document?.entries[0]?.links[0]?.linkType).toBe('https://ref.gs1.org/voc/recipeInfo');

  const changed = await mine.call('PUT', `${entries}/${created.entryId}`, bodyOf('/01/09506000134352'));
  expect(changed).toMatchObject({
    status: 200,
    body: { path: '/01/09506000134352', links: [{ ...pip, default: true }] },
  });
  expect((await documentOf('01/09506000134352'))?.entries).toMatchObject([{ path: '/01/09506000134352' }]);
  expect(await mine.call('GET', `${entries}/${created.entryId}`)).toMatchObject({ body: changed.body });

  expect(await mine.call('DELETE', `${entries}/${created.entryId}`)).toMatchObject({ status: 204 });
  expect((await documentOf('01/09506000134352'))?.entries).toEqual([]);
  expect(await mine.call('GET', `${entries}/${created.entryId}`)).toMatchObject({ status: 404 });
});

test('one primary key belongs to one workspace, until its last entry is gone', async () => {
  const first = await create(mine.call, '/01/09520123456788');
  const batch = await create(mine.call, '/01/09520123456788/10/A');
  const refused = await other.call('POST', entries, bodyOf('/01/09520123456788/10/B'));
  expect(refused).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
  expect(JSON.stringify(refused.body)).toContain('01/09520123456788');
  expect(JSON.stringify(refused.body)).not.toContain(mine.workspaceId);
  await mine.call('DELETE', `${entries}/${first.entryId}`);
  expect(await other.call('POST', entries, bodyOf('/01/09520123456788'))).toMatchObject({ status: 409 });
  // The last entry moves to another key.
  await mine.call('PUT', `${entries}/${batch.entryId}`, bodyOf('/414/9520123456788'));
  await create(other.call, '/01/09520123456788');
  expect((await documentOf('01/09520123456788'))?.workspaceId).toBe(other.workspaceId);
  expect((await documentOf('414/9520123456788'))?.entries).toHaveLength(1);
});

test('a path has one entry, in any form of the path', async () => {
  await create(mine.call, '/01/00054123450013/10/ABC%26');
  expect(await mine.call('POST', entries, bodyOf('/01/054123450013/10/ABC&'))).toMatchObject({
    status: 409,
    body: {
      error: expect.stringContaining('path: there is an entry at /01/00054123450013/10/ABC%26 already'),
    },
  });
});

test('an entry of another workspace is 403, an unknown one 404', async () => {
  const { entryId } = await create(other.call, '/01/12312312312326');
  for (const method of ['GET', 'DELETE'])
    expect(await mine.call(method, `${entries}/${entryId}`)).toMatchObject({ status: 403 });
  expect(await mine.call('PUT', `${entries}/${entryId}`, bodyOf('/01/12312312312326'))).toMatchObject({
    status: 403,
  });
  expect(await mine.call('GET', `${entries}/gs1_1111111111111111`)).toMatchObject({ status: 404 });
  expect(await mine.call('GET', `${entries}/${entryId}/analytics`)).toMatchObject({ status: 403 });
});

test.each([
  ['/01/09506000134353', 'check digit'],
  ['/01/09506000134352/21/S1/10/L1', 'not a valid key-qualifier sequence'],
  ['/10/ABC', 'No GS1 DL keys found'],
  ['/01/09506000134352/10/..', 'AI \\(10\\) value .. cannot be a component of a Digital Link'],
  ['/01/09506000134352/22/%2E/10/A', 'AI \\(22\\) value . cannot be a component of a Digital Link'],
  ['/01/00000000', 'A GTIN of zeros identifies nothing'],
  ['01/09506000134352', 'must begin with /'],
  ['/stem/01/09506000134352', 'must begin with the primary key'],
  ['/01/09506000134352?17=271231', 'no query'],
])('the path %s is refused in the words of GS1: %s', async (path, why) => {
  expect(await mine.call('POST', entries, bodyOf(path))).toMatchObject({
    status: 422,
    body: { error: expect.stringMatching(new RegExp(`^path must be .*${why}`)) },
  });
});

test.each([
  ['links[2].href', [pip, pip, { ...pip, href: 'javascript:alert(1)' }]],
  ['links[0].href', [{ ...pip, href: 'https://user:secret@example.com/' }]],
  ['links[0].linkType', [{ ...pip, linkType: 'gs1:' }]],
  ['links[0].linkType', [{ ...pip, linkType: 'gs1:defaultLink' }]],
  ['links[0].linkType', [{ ...pip, linkType: 'https://example.com/voc/pip' }]],
  ['links[0].title', [{ ...pip, title: '' }]],
  ['links[1].hreflang[0]', [pip, { ...pip, hreflang: ['english please'] }]],
  ['links[0].type', [{ ...pip, type: 'html' }]],
  ['links[0].context[0]', [{ ...pip, context: [''] }]],
  [
    'links[1].default',
    [
      { ...pip, default: true },
      { ...pip, default: true },
    ],
  ],
  ['links', []],
  ['links', Array.from({ length: 51 }, () => pip)],
])('an error names the field: %s', async (field, links) => {
  const answer = await mine.call('POST', entries, bodyOf('/01/12312312312333', links));
  expect(answer).toMatchObject({ status: 422, body: { error: expect.stringContaining(field) } });
});

test('an entry with the maximum of links, languages and contexts is accepted', async () => {
  const { call } = await plane.workspace();
  const links = Array.from({ length: 50 }, (_, at) => ({
    ...pip,
    href: `https://example.com/${at}`,
    title: '世'.repeat(300),
    hreflang: Array.from({ length: 20 }, (_each, index) => `x${'abcdefghijklmnopqrst'[index]}`),
    type: 'text/html',
    context: Array.from({ length: 10 }, (_each, index) => `context ${at} ${index}`),
    default: at === 0,
  }));
  expect((await create(call, '/01/00012345678905', links)).links).toHaveLength(50);
});

test('a field of the wrong type is refused with 400, and so is an unknown field', async () => {
  for (const body of [
    { ...bodyOf('/01/12312312312333'), links: [{ ...pip, href: 7 }] },
    { ...bodyOf('/01/12312312312333'), links: [{ ...pip, hrefLang: ['en'] }] },
    { ...bodyOf('/01/12312312312333'), name: 'x' },
  ])
    expect(await mine.call('POST', entries, body)).toMatchObject({ status: 400 });
});

test('the list has pages, newest first, and is filtered by key', async () => {
  const { call } = await plane.workspace();
  for (const lot of ['A', 'B', 'C']) await create(call, `/01/09506000140445/10/${lot}`);
  await create(call, '/8004/9520614141234567');
  const pathsOf = (body: unknown) =>
    (body as { entries: { path: string }[] }).entries.map(({ path }) => path);
  const first = await call('GET', `${entries}?limit=3`);
  expect(pathsOf(first.body)).toEqual([
    '/8004/9520614141234567',
    '/01/09506000140445/10/C',
    '/01/09506000140445/10/B',
  ]);
  const { nextCursor } = first.body as { nextCursor: string };
  const second = await call('GET', `${entries}?limit=3&cursor=${nextCursor}`);
  expect(second.body).toMatchObject({ nextCursor: null });
  expect(pathsOf(second.body)).toEqual(['/01/09506000140445/10/A']);
  expect(pathsOf((await call('GET', `${entries}?key=/01/9506000140445`)).body)).toHaveLength(3);
  expect(await call('GET', `${entries}?key=nonsense`)).toMatchObject({ status: 400 });
  expect(await mine.call('GET', `${entries}?cursor=${nextCursor}`)).toMatchObject({ status: 400 });
});

test('a page of large entries is the same JSON, and is read and sent in parts', async () => {
  const { call } = await plane.workspace();
  const title = 'ü'.repeat(250);
  const long = Array.from({ length: 50 }, (_, n) => ({
    ...pip,
    href: `https://example.com/${n}/${'x'.repeat(1_900)}`,
    title,
  }));
  const ids: unknown[] = [];
  for (const path of ['/01/00614141000074', '/01/00614141000050', '/01/00614141000067'])
    ids.unshift((await create(call, path, long)).entryId);
  ids.unshift((await create(call, '/01/00614141000074/10/SMALL')).entryId);
  const bodyAt = async (id: unknown) => (await call('GET', `${entries}/${id}`)).body;
  const first = await call('GET', `${entries}?limit=3`);
  expect(first.headers.has('content-length')).toBe(false);
  expect(first.headers.get('content-type')).toBe('application/json; charset=utf-8');
  const { nextCursor } = first.body as { nextCursor: string };
  expect(first.body).toEqual({
    entries: await Promise.all(ids.slice(0, 3).map(bodyAt)),
    nextCursor: expect.any(String),
  });
  const rest = await call('GET', `${entries}?cursor=${nextCursor}`);
  expect(rest.body).toEqual({ entries: [await bodyAt(ids[3])], nextCursor: null });
});

test('entries need the Business plan; after a downgrade the owner still reads and deletes them', async () => {
  const { workspaceId, call } = await plane.workspace({ plan: 'business' });
  const { entryId } = await create(call, '/01/12345678901231');
  await changeSubscription(plane.pool, workspaceId, { plan: 'growth' });
  const refused = {
    status: 403,
    body: { code: 'FEATURE_NOT_ON_PLAN', capability: 'gs1Resolver', plans: ['business', 'enterprise'] },
  };
  const body = bodyOf('/01/12345678901231');
  await expect.poll(() => call('POST', entries, body)).toMatchObject(refused);
  expect(await call('PUT', `${entries}/${entryId}`, body)).toMatchObject(refused);
  expect(await call('GET', entries)).toMatchObject({ status: 200, body: { entries: [{ entryId }] } });
  expect((await call('GET', `${entries}/${entryId}`)).status).toBe(200);
  expect((await call('DELETE', `${entries}/${entryId}`)).status).toBe(204);
});

test('a key has at most 200 entries, with a limited total size', async () => {
  const { workspaceId, call } = await plane.workspace();
  await create(call, '/01/00614141000012');
  await plane.pool.query(
    `INSERT INTO gs1_entries (id, workspace_id, key, path, item_description, links)
     SELECT 'gs1_' || n, $1, '01/00614141000012', '/01/00614141000012/21/' || n, '', '[]' FROM generate_series(1, 199) n`,
    [workspaceId],
  );
  expect(await call('POST', entries, bodyOf('/01/00614141000012/10/X'))).toMatchObject({
    status: 409,
    body: { error: expect.stringContaining('at most 200 entries') },
  });
  const long = Array.from({ length: 50 }, () => ({
    ...pip,
    href: `https://example.com/${'x'.repeat(1900)}`,
  }));
  for (const lot of ['A', 'B']) await create(call, `/01/00614141000029/10/${lot}`, long);
  expect(await call('POST', entries, bodyOf('/01/00614141000029/10/C', long))).toMatchObject({
    status: 422,
    body: { error: expect.stringContaining('bytes together') },
  });
});

test('an operator moves a key with its entries', async () => {
  const { entryId } = await create(mine.call, '/01/00614141000036');
  const verb = verbsOf(features)['move-gs1-key']!;
  const context = { pool: plane.pool } as Parameters<Verb['run']>[1];
  const flags = { key: '/01/00614141000036', workspace: other.workspaceId };
  expect(await verb.run(flags, context)).toEqual([
    { key: '01/00614141000036', workspaceId: other.workspaceId, entries: 1 },
  ]);
  expect(await other.call('GET', `${entries}/${entryId}`)).toMatchObject({ status: 200 });
  expect(await mine.call('GET', `${entries}/${entryId}`)).toMatchObject({ status: 403 });
  await expect.poll(async () => (await documentOf('01/00614141000036'))?.workspaceId).toBe(other.workspaceId);
  await expect(verb.run({ ...flags, workspace: 'ws_none' }, context)).rejects.toThrow('no workspace ws_none');
  await expect(verb.run({ ...flags, key: '/01/00614141000043' }, context)).rejects.toThrow(
    'No workspace has',
  );
  await expect(verb.run({ ...flags, key: 'x' }, context)).rejects.toThrow('--key must be a GS1 Digital Link');
});
