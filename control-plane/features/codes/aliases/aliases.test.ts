/** Aliases at the API. deploy/smoke/aliases.test.ts scans them. */
import { beforeAll, describe, expect, test } from 'vitest';
import { aliasesPerCodeMax, whyNoAlias } from '#schemas/aliases.ts';
import type { AliasObject } from '#schemas/api/aliases.ts';
import {
  qrHost,
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../../testing/control-plane.ts';
import { resultOf, submitted } from '../../bulk/testing/calls.ts';

let plane: TestControlPlane;
let own: Workspace;
let other: Workspace;

beforeAll(async () => {
  plane = await startTestControlPlane();
  own = await plane.workspace();
  other = await plane.workspace();
});

const create = (body: object, by: Workspace = own) =>
  by.call('POST', '/api/qr/codes', { data: 'https://example.com/', ...body });
const add = (id: string, body: object, by: Workspace = own) =>
  by.call('POST', `/api/qr/codes/${id}/aliases`, body);
const aliasesOf = async (id: string, query = '', by: Workspace = own) =>
  (await by.call('GET', `/api/qr/codes/${id}/aliases${query}`)).body as {
    data: AliasObject[];
    pagination: { nextCursor: string | null };
  };

describe('a create', () => {
  test('gives its alias to the code, shows it, and fails as a whole if the alias is taken', async () => {
    const { status, body } = await create({ alias: 'at-create' });
    expect([status, body]).toEqual([201, expect.objectContaining({ aliases: [`${qrHost}/r/at-create`] })]);
    const count = async () =>
      ((await other.call('GET', '/api/qr/codes')).body as { pagination: { total: number } }).pagination.total;
    const before = await count();
    expect(await create({ alias: 'AT-Create' }, other)).toMatchObject({
      status: 409,
      body: { error: "alias: 'AT-Create' is taken", code: 'ALIAS_TAKEN', param: 'alias' },
    });
    expect(await count()).toBe(before);
  });

  test('needs one connection at a time: more of them at once than there are connections all succeed', async () => {
    const small = await startTestControlPlane({ environment: { DATABASE_CONNECTIONS_MAX: '16' } });
    // Its plan has a quota, which is taken in a transaction.
    const workspace = await small.workspace({ plan: 'business' });
    const restricted = await workspace.call('POST', '/api/qr/keys', {
      name: 'restricted',
      domains: [new URL(qrHost).hostname],
    });
    const callRestricted = small.callWith((restricted.body as { apiKey: string }).apiKey);
    const data = 'https://example.com/';
    const made = await Promise.all(
      Array.from({ length: 12 }, (_, at) => [
        workspace.call('POST', '/api/qr/codes', { data, alias: `at-once-${at}` }),
        workspace.call('PUT', '/api/qr/codes/upsert', { data, aliasLength: 9, externalId: `at-once-${at}` }),
        callRestricted('POST', '/api/qr/codes', { data }),
      ]).flat(),
    );
    expect(made.map(({ status }) => status)).toEqual(made.map(() => 201));
  });

  test('makes a random alias of the length and prefix, never in the form of an id', async () => {
    for (const aliasLength of [4, 9, 64]) {
      const { body } = await create({ aliasLength });
      const [url] = (body as { aliases: string[] }).aliases;
      const alias = url!.slice(`${qrHost}/r/`.length);
      expect(alias).toHaveLength(aliasLength);
      expect([alias, whyNoAlias(alias, true)]).toEqual([alias, undefined]);
    }
    const { body } = await create({ aliasPrefix: 'Sale-', aliasLength: 5 });
    expect((body as { aliases: string[] }).aliases[0]).toMatch(/\/r\/Sale-[a-z2-9]{5}$/);
  });

  test.each([
    [{ alias: 'ab' }, 422, /^alias must have at least 3 characters/],
    [{ alias: 'admin' }, 422, /^alias must not be a word/],
    [{ alias: 'christmas' }, 422, /^alias must not have the form of an id/],
    [{ alias: 5 }, 400, /^alias must be a string/],
    [{ alias: 'x'.repeat(65) }, 422, /^alias must have at most 64 characters/],
    [{ alias: 'fine', aliasLength: 5 }, 422, /^aliasLength must not be given together with alias/],
    [{ aliasLength: 3 }, 422, /^aliasLength must be at least 4/],
    [{ aliasPrefix: 'a b' }, 422, /^aliasPrefix must consist of/],
    [{ aliasLength: 64, aliasPrefix: 'a' }, 422, /^aliasPrefix and aliasLength must make at most 64/],
    [
      { alias: 'fine', aliasDomain: 'go.not-mine.example' },
      422,
      /^aliasDomain must be a domain of the workspace/,
    ],
  ])('with %j is %i', async (body, status, error) => {
    expect(await create(body)).toMatchObject({ status, body: { error: expect.stringMatching(error) } });
  });
});

test('rows of a bulk call have aliases; a row whose alias is taken, also by an earlier row, fails alone', async () => {
  await create({ alias: 'taken-before' }, other);
  const row = (uid: string, more: object) => ({ uid, data: 'https://example.com/', ...more });
  const bulkId = await submitted(own.call, [
    row('a', { alias: 'of-a-row' }),
    row('b', { alias: 'Of-A-Row' }),
    row('c', { alias: 'taken-before' }),
    row('d', { aliasLength: 6 }),
    row('e', {}),
    row('f', { alias: 'admin' }),
  ]);
  expect(await resultOf(own.call, bulkId)).toMatchObject([
    { uid: 'a', status: 'created', aliases: [`${qrHost}/r/of-a-row`] },
    { uid: 'b', status: 'failed', message: "alias: another row has 'of-a-row'", code: 'ALIAS_TAKEN' },
    { uid: 'c', status: 'failed', message: "alias: 'taken-before' is taken" },
    { uid: 'd', status: 'created', aliases: [expect.stringMatching(/\/r\/[a-z2-9]{6}$/)] },
    { uid: 'e', status: 'created' },
    { uid: 'f', status: 'failed', code: 'UNPROCESSABLE' },
  ]);
});

test('of many calls at once for one alias, in any case, exactly one gets it', async () => {
  const codes = await Promise.all(Array.from({ length: 12 }, (_, at) => (at % 2 ? own : other).createCode()));
  const answers = await Promise.all(
    codes.map(({ id }, at) =>
      add(id, { alias: at % 3 ? 'Contested-One' : 'contested-one' }, at % 2 ? own : other),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(11).fill(409)]);
});

test(`a code has at most ${aliasesPerCodeMax} aliases, listed in pages whose cursors are of that code`, async () => {
  const [code, another] = [await own.createCode(), await own.createCode()];
  for (let at = 0; at < aliasesPerCodeMax; at++)
    expect((await add(code.id, { alias: `of-many-${at}` })).status).toBe(201);
  expect(await add(code.id, { alias: 'one-too-many' })).toMatchObject({
    status: 409,
    body: { capability: 'aliasesOfCode', limit: aliasesPerCodeMax },
  });
  const first = await aliasesOf(code.id, '?limit=15');
  const second = await aliasesOf(code.id, `?limit=15&cursor=${first.pagination.nextCursor}`);
  expect([...first.data, ...second.data].map(({ alias }) => alias)).toEqual(
    Array.from({ length: aliasesPerCodeMax }, (_, at) => `of-many-${at}`),
  );
  expect(second.pagination.nextCursor).toBeNull();
  const target = `/api/qr/codes/${another.id}/aliases?cursor=${first.pagination.nextCursor}`;
  expect((await own.call('GET', target)).status).toBe(400);
});

test('a workspace has at most the aliases of its plan, deleted ones included', async () => {
  const free = await plane.workspace({ plan: 'free' });
  const code = await free.createCode();
  await add(code.id, { alias: 'soon-deleted' }, free);
  await free.call('DELETE', `/api/qr/codes/${code.id}/aliases?alias=soon-deleted`);
  await plane.pool.query('UPDATE alias_counts SET aliases = aliases + 498 WHERE workspace_id = $1', [
    free.workspaceId,
  ]);
  expect((await add(code.id, { alias: 'the-last-one' }, free)).status).toBe(201);
  expect(await add(code.id, { alias: 'beyond-the-plan' }, free)).toMatchObject({
    status: 409,
    body: { capability: 'aliases', limit: 500 },
  });
  // It is counted once, however often it is deleted and made.
  expect((await add(code.id, { alias: 'soon-deleted' }, free)).status).toBe(201);
});

test('a locked code gets no alias and keeps its own', async () => {
  const code = await own.createCode({ alias: 'of-a-locked-one' });
  await plane.pool.query('UPDATE codes SET compliance_locked = true WHERE id = $1', [code.id]);
  expect((await add(code.id, { alias: 'another-one' })).status).toBe(409);
  const target = `/api/qr/codes/${code.id}/aliases?alias=of-a-locked-one`;
  expect((await own.call('DELETE', target)).status).toBe(409);
});

test('the first segment of every path of the API document is reserved', async () => {
  const { body } = await plane.callWith(undefined)('GET', '/openapi.json');
  const paths = Object.keys((body as { paths: object }).paths);
  const segments = paths.map((path) => path.split('/')[1]!).filter((segment) => !/^\{|^\d|^$/.test(segment));
  expect(segments.length).toBeGreaterThan(50);
  const free = [...new Set(segments)].filter((segment) =>
    [true, false].some((isShared) => whyNoAlias(segment, isShared)?.reason !== 'reserved'),
  );
  expect(free).toEqual([]);
});
