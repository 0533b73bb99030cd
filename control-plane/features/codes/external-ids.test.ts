/** The owner's own ids of codes, metadata and notes. */
import { beforeAll, describe, expect, test } from 'vitest';
import { type CodeObject, codeObject, type WholeCodeObject } from '#schemas/api/codes.ts';
import {
  errorBody,
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../testing/control-plane.ts';
import { plainRows, resultOf, submitted } from '../bulk/testing/calls.ts';

let plane: TestControlPlane;
let own: Workspace;

beforeAll(async () => {
  plane = await startTestControlPlane();
  own = await plane.workspace();
});

const data = 'https://example.com/';
const pathOf = (name: string) => `/api/qr/codes/${encodeURIComponent(name)}`;
const get = async ({ id }: Pick<CodeObject, 'id'>) =>
  (await own.call('GET', pathOf(id))).body as WholeCodeObject;
const put = (id: string, body: object) => own.call('PUT', pathOf(id), body);
const create = (body: object) => own.call('POST', '/api/qr/codes', { data, ...body });
const upsert = (body: object, call = own.call, headers = {}) =>
  call('PUT', '/api/qr/codes/upsert', { data, ...body }, headers);

let numbers = 0;
const fresh = () => `order ${++numbers}/ü`;

describe('an externalId', () => {
  test('is unique in its workspace: 409 EXTERNAL_ID_TAKEN names the code that has it, at create and at PUT', async () => {
    const externalId = fresh();
    const first = await own.createCode({ externalId });
    const other = await own.createCode();
    for (const answer of [await create({ externalId }), await put(other.id, { externalId, name: 'x' })]) {
      expect(answer.status).toBe(409);
      expect(errorBody.parse(answer.body)).toMatchObject({ code: 'EXTERNAL_ID_TAKEN', id: first.id });
    }
    expect(await get(other)).toEqual(other);
    const stranger = await plane.workspace();
    expect(await stranger.createCode({ externalId })).toMatchObject({ externalId });
  });

  test('that is cleared or replaced is free again', async () => {
    const externalId = fresh();
    const first = await own.createCode({ externalId });
    expect((await put(first.id, { externalId: null })).body).toMatchObject({ externalId: null });
    const second = await own.createCode({ externalId });
    expect((await put(second.id, { externalId: fresh() })).status).toBe(200);
    expect((await put(first.id, { externalId })).body).toMatchObject({ externalId });
  });

  test('is given to one of many codes that are created with it at once, and the quota counts that one', async () => {
    const many = await plane.workspace({ plan: 'free' });
    const externalId = fresh();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => many.call('POST', '/api/qr/codes', { data, externalId })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
    const { rows } = await plane.pool.query(
      `SELECT used FROM quota_usage WHERE subscription_id = $1 AND capability = 'dynamicQr'`,
      [many.subscriptionId],
    );
    expect(rows).toEqual([{ used: expect.toSatisfy((used) => Number(used) === 1) }]);
  });

  test.each([
    ['', 422],
    [' x', 422],
    ['a  b', 422],
    ['a\nb', 422],
    ['a\u200bb', 422],
    ['x'.repeat(256), 422],
    [7, 400],
  ])('%j is refused with %i, naming externalId', async (externalId, status) => {
    const answer = await create({ externalId });
    expect(answer.status).toBe(status);
    expect(errorBody.parse(answer.body).error).toMatch(/^externalId /);
  });

  test('cannot be given to a static code', async () => {
    const answer = await own.call('POST', '/api/qr/static', { data, externalId: 'x' });
    expect(errorBody.parse(answer.body).error).toBe('externalId must not be given for a static code');
  });
});

describe('ext_ and an externalId, URL-encoded, stands for the id in every path of a code', () => {
  test.each([
    ['GET', ''],
    ['PUT', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/activate'],
    ['GET', '/analytics'],
    ['GET', '/explain'],
    ['GET', '/image?format=svg'],
    ['GET', '/download-url'],
    ['GET', '/scans.csv'],
  ])('%s %s', async (method, below) => {
    const externalId = fresh();
    const { id } = await own.createCode({ externalId });
    const body = method === 'PUT' || method === 'PATCH' ? { name: 'x' } : undefined;
    const named = await own.call(method, `${pathOf(`ext_${externalId}`)}${below}`, body);
    expect(named.status).toBe(200);
    if (below === '') expect(named.body).toMatchObject({ id, externalId });
    const strange = `${pathOf(`ext_${externalId}`)}${below}`;
    const stranger = await plane.workspace();
    const answer = await stranger.call(method, strange, body);
    expect(answer.status).toBe(404);
    expect(errorBody.parse(answer.body).error).toBe(`There is no code with the externalId '${externalId}'`);
  });

  test.each(['ext_', 'ext_%00', 'ext_%ED%A0%80', `ext_${'x'.repeat(1000)}`])(
    '%s is 400 or 404',
    async (name) => {
      const answer = await own.call('GET', `/api/qr/codes/${name}`);
      expect([400, 404]).toContain(answer.status);
    },
  );
});

describe('PUT /api/qr/codes/upsert', () => {
  test('creates with 201, and updates with 200 what is sent, without any quota', async () => {
    const poor = await plane.workspace({ limits: { dynamicQr: 1 } });
    const externalId = fresh();
    const created = await upsert({ externalId, name: 'Table', notes: 'by the door' }, poor.call);
    expect(created.status).toBe(201);
    const { id } = codeObject.parse(created.body);
    expect(created.headers.get('location')).toMatch(new RegExp(`/api/qr/codes/${id}$`));
    const updated = await upsert({ externalId, data: 'https://example.org/', name: null }, poor.call);
    expect(updated.status).toBe(200);
    expect(updated.body).toMatchObject({
      id,
      externalId,
      name: null,
      notes: 'by the door',
      destination: 'https://example.org/',
    });
    expect((await upsert({ externalId: fresh() }, poor.call)).status).toBe(429);
  });

  test('sent many times at once makes one code', async () => {
    const externalId = fresh();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        upsert({ externalId, name: `${n}`, dotsOptions: { color: '#14532d' } }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 201]);
    expect(new Set(answers.map(({ body }) => codeObject.parse(body).id)).size).toBe(1);
  });

  test('needs an externalId, and is never keyed by the destination', async () => {
    const answer = await upsert({});
    expect([answer.status, errorBody.parse(answer.body).error]).toEqual([400, 'externalId is required']);
    const [one, other] = [await upsert({ externalId: fresh() }), await upsert({ externalId: fresh() })];
    expect([one.status, other.status]).toEqual([201, 201]);
  });

  test.each([
    ['dataType', { dataType: 'text', data: 'hello' }],
    ['sources', { sources: [{ id: 'poster', name: 'Poster' }] }],
    ['encryption', { secure: ['encrypt'], encryption: { type: 'AES', key: 'open sesame' } }],
  ])('is 409 if it changes %s, which never changes', async (field, body) => {
    const externalId = fresh();
    const code = await own.createCode({ externalId });
    const answer = await upsert({ externalId, ...body });
    expect(answer.status).toBe(409);
    expect(errorBody.parse(answer.body).error).toMatch(new RegExp(`^${field} must`));
    expect(await get(code)).toEqual(code);
  });

  test('with If-Match is 412 for a code that does not exist, and creates none', async () => {
    const externalId = fresh();
    expect((await upsert({ externalId }, own.call, { 'if-match': '*' })).status).toBe(412);
    expect((await own.call('GET', pathOf(`ext_${externalId}`))).status).toBe(404);
  });
});

test('PUT /codes/upsert with If-Match of an earlier version is 412, and changes nothing', async () => {
  const externalId = fresh();
  const made = await upsert({ externalId, name: 'first' });
  const tag = made.headers.get('etag')!;
  const second = await upsert({ externalId, name: 'second' }, own.call, { 'if-match': tag });
  expect(second.status).toBe(200);
  const late = await upsert({ externalId, name: 'late' }, own.call, { 'if-match': tag });
  expect([late.status, errorBody.parse(late.body).code]).toEqual([412, 'PRECONDITION_FAILED']);
  expect(late.headers.get('etag')).toBe(second.headers.get('etag'));
  expect((await own.call('GET', pathOf(`ext_${externalId}`))).body).toMatchObject({ name: 'second' });
});

describe('metadata', () => {
  test('merges key by key: null and an empty text remove a key, null removes all', async () => {
    const code = await own.createCode({ metadata: { a: '1', b: '2', c: '3', d: '' } });
    expect(code.metadata).toEqual({ a: '1', b: '2', c: '3' });
    const change = async (metadata: object | null) =>
      ((await put(code.id, { metadata })).body as CodeObject).metadata;
    expect(await change({ a: null, b: '', e: '5' })).toEqual({ c: '3', e: '5' });
    expect(await change({ c: '4' })).toEqual({ c: '4', e: '5' });
    expect(await change(null)).toEqual({});
  });

  test('has at most 50 keys after an update, which may replace all of them', async () => {
    const keys = (prefix: string, value: string | null) =>
      Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`${prefix}${n}`, value]));
    const code = await own.createCode({ metadata: keys('a', 'x') });
    const answer = await put(code.id, { metadata: { one: 'more' } });
    expect(answer.status).toBe(422);
    expect(errorBody.parse(answer.body).error).toMatch(
      /^metadata must have at most 50 fields; it would have 51/,
    );
    const all = await put(code.id, { metadata: { ...keys('a', null), ...keys('b', 'y') } });
    expect((all.body as CodeObject).metadata).toEqual(keys('b', 'y'));
  });

  test.each([
    [{ ['k'.repeat(41)]: 'x' }],
    [{ a: 'x'.repeat(501) }],
    [{ '': 'x' }],
    [Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`${n}`, 'x']))],
  ])('%j is 422, naming metadata', async (metadata) => {
    const answer = await create({ metadata });
    expect(answer.status).toBe(422);
    expect(errorBody.parse(answer.body).error).toMatch(/^metadata/);
  });
});

test('a bulk call carries them; of two rows with an externalId the second fails, and the others go on', async () => {
  const [twice, taken] = [fresh(), fresh()];
  const before = await own.createCode({ externalId: taken });
  const rows = [
    { uid: 'a', data, externalId: twice, metadata: { a: '1' }, notes: 'n' },
    { uid: 'b', data, externalId: twice },
    { uid: 'c', data, externalId: taken },
    { uid: 'd', data },
  ];
  const [a, b, c, d] = await resultOf(own.call, await submitted(own.call, rows));
  expect(await get({ id: a!.id! })).toMatchObject({ externalId: twice, metadata: { a: '1' }, notes: 'n' });
  expect(d).toMatchObject({ status: 'created' });
  for (const [row, holder] of [
    [b, a!.id!],
    [c, before.id],
  ] as const) {
    expect(row).toMatchObject({ status: 'failed', code: 'EXTERNAL_ID_TAKEN' });
    expect(row!.message).toContain(holder);
  }
});

test('notes have lines, and at most 5,000 characters', async () => {
  const notes = 'by the door\nask Anna';
  const code = await own.createCode({ notes });
  expect(code.notes).toBe(notes);
  expect((await put(code.id, { notes: '' })).body).toMatchObject({ notes: null });
  expect((await put(code.id, { notes: 'x'.repeat(5001) })).status).toBe(422);
});

test('createdBy is the id of the key that made the code, also by a bulk call; null for older codes', async () => {
  const { rows } = await plane.pool.query('SELECT id FROM api_keys WHERE workspace_id = $1', [
    own.workspaceId,
  ]);
  const code = await own.createCode();
  expect(code.createdBy).toBe(rows[0].id);
  const bulkId = await submitted(own.call, plainRows(1));
  const [row] = await resultOf(own.call, bulkId);
  expect(await get({ id: row!.id! })).toMatchObject({ createdBy: rows[0].id });
  await plane.pool.query('UPDATE codes SET created_by = NULL WHERE id = $1', [code.id]);
  expect((await get(code)).createdBy).toBe(null);
});
