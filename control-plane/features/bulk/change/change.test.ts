import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bulkProgress } from '#schemas/api/bulk.ts';
import { type BulkRowList, bulkRowList } from '#schemas/api/bulk-changes.ts';
import type { WholeCodeObject } from '#schemas/api/codes.ts';
import {
  type Answer,
  type Call,
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../../testing/control-plane.ts';
import { type Entry, fetchResult, progressOf, resultOf } from '../testing/calls.ts';
import { holdTurns } from '../testing/held-turns.ts';

const path = '/api/qr/codes/bulk/changes';
let plane: TestControlPlane;
let own: Workspace;

beforeAll(async () => {
  plane = await startTestControlPlane();
});

beforeEach(async () => {
  own = await plane.workspace();
});

const submitted = (answer: Answer): string => {
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  return bulkProgress.parse(answer.body).bulkId;
};

const change = async (body: object, call: Call = own.call): Promise<Entry[]> =>
  resultOf(call, submitted(await call('POST', path, body)));

const read = async (id: string, call = own.call): Promise<WholeCodeObject> =>
  (await call('GET', `/api/qr/codes/${id}`)).body as WholeCodeObject;

const rowsOf = async (bulkId: string, query = ''): Promise<BulkRowList> =>
  bulkRowList.parse((await own.call('GET', `/api/qr/codes/bulk/${bulkId}/rows${query}`)).body);

const statusesOf = (entries: readonly Entry[]): Record<string, string> =>
  Object.fromEntries(entries.map(({ uid, status }) => [uid, status]));

const eventsOf = async (id: string): Promise<string[]> => {
  const { rows } = await plane.pool.query<{ type: string }>(
    `SELECT type FROM webhook_events WHERE workspace_id = $1 AND data ->> 'qrId' = $2 ORDER BY placed_at, id`,
    [own.workspaceId, id],
  );
  return rows.map(({ type }) => type);
};

const versionOf = async (id: string): Promise<number> => {
  const { rows } = await plane.pool.query<{ version: string }>('SELECT version FROM codes WHERE id = $1', [
    id,
  ]);
  return Number(rows[0]!.version);
};

describe('a change by filter', () => {
  test('changes each code that matches as a PATCH does, with its history, and no other code', async () => {
    const old = await Promise.all(
      ['a?x=1', 'b#part', ''].map((rest) =>
        own.createCode({ data: `https://old.example:8443/${rest}`, metadata: { kept: 'yes' } }),
      ),
    );
    const other = await own.createCode({ data: 'https://other.example/' });
    const foreign = await plane.workspace();
    const foreignCode = await foreign.createCode({ data: 'https://old.example:8443/' });
    const entries = await change({
      filter: { destinationHost: 'old.example' },
      action: 'update',
      patch: { destinationHost: 'new.example', metadata: { moved: 'today' }, notes: 'moved' },
      expectedCount: 3,
    });
    expect(statusesOf(entries)).toEqual(Object.fromEntries(old.map(({ id }) => [id, 'updated'])));
    const changed = await Promise.all(old.map(({ id }) => read(id)));
    expect(changed.map(({ destination }) => destination)).toEqual([
      'https://new.example/a?x=1',
      'https://new.example/b#part',
      'https://new.example/',
    ]);
    for (const code of changed)
      expect(code).toMatchObject({ metadata: { kept: 'yes', moved: 'today' }, notes: 'moved' });
    expect(await read(other.id)).toMatchObject({ destination: 'https://other.example/' });
    const codes = [...old, other, foreignCode].map(({ id }) => versionOf(id));
    expect(await Promise.all(codes)).toEqual([2, 2, 2, 1, 1]);
    const { body } = await own.call('GET', `/api/qr/codes/${old[0]!.id}/history`);
    expect(body).toMatchObject({ data: [{ version: 2, by: { type: 'key' } }, { version: 1 }] });
    expect(await eventsOf(old[0]!.id)).toEqual(['qr.created', 'qr.updated']);
  });

  test('deactivates, activates, archives and tags as the operations of a single code do', async () => {
    const { id } = await own.createCode({ tags: ['Old', 'kept'] });
    const filter = { tags: 'kept', archived: 'any' };
    await change({ filter, action: 'deactivate' });
    expect(await read(id)).toMatchObject({ status: 'inactive' });
    await change({ filter, action: 'activate' });
    await change({ filter, action: 'archive' });
    expect(await read(id)).toMatchObject({ status: 'active', archived: true });
    await change({ filter, action: 'unarchive' });
    await change({ filter, action: 'tag', addTags: ['new', 'KEPT'], removeTags: ['OLD', 'unknown'] });
    expect(await read(id)).toMatchObject({ archived: false, tags: ['kept', 'new'] });
    expect(await versionOf(id)).toBe(6);
    expect(statusesOf(await change({ filter, action: 'tag', addTags: ['new'] }))).toEqual({
      [id]: 'unchanged',
    });
    expect(await eventsOf(id)).toEqual(['qr.created', 'qr.deleted', ...Array(4).fill('qr.updated')]);
  });

  test('sets a code aside that refuses it, with its id, its error code and why, and goes on', async () => {
    const plain = await own.createCode();
    const sealed = await own.createCode({
      secure: ['encrypt'],
      encryption: { type: 'AES', key: 'a passphrase' },
    });
    const text = await own.createCode({ dataType: 'text', data: 'no host' });
    const entries = await change({
      filter: {},
      action: 'update',
      patch: { destinationHost: 'new.example' },
      expectedCount: 3,
    });
    expect(entries).toMatchObject([
      { uid: plain.id, status: 'updated', id: plain.id },
      { uid: sealed.id, status: 'failed', code: 'CONFLICT', message: 'An encrypted code cannot be updated' },
      {
        uid: text.id,
        status: 'failed',
        code: 'UNPROCESSABLE',
        message: expect.stringMatching(/^patch\.destinationHost must be for codes of the type url/),
      },
    ]);
  });

  test('leaves a code that stopped to match before its turn, and one that began to', async () => {
    const [stops, stays, begins] = await Promise.all([
      own.createCode({ tags: ['set'] }),
      own.createCode({ tags: ['set'] }),
      own.createCode(),
    ]);
    const release = await holdTurns(plane.pool);
    const bulkId = submitted(
      await own.call('POST', path, { filter: { tags: 'set' }, action: 'archive', expectedCount: 2 }),
    );
    await own.call('PATCH', `/api/qr/codes/${stops.id}`, { tags: null });
    await own.call('PATCH', `/api/qr/codes/${begins.id}`, { tags: ['set'] });
    await release();
    const entries = await resultOf(own.call, bulkId);
    expect(statusesOf(entries)).toEqual({ [stops.id]: 'failed', [stays.id]: 'updated' });
    expect(entries.find(({ uid }) => uid === stops.id)).toMatchObject({
      code: 'CONFLICT',
      message: 'The code does not match the filter any more, and was left as it is',
    });
    expect([await read(stops.id), await read(stays.id), await read(begins.id)]).toMatchObject([
      { archived: false },
      { archived: true },
      { archived: false },
    ]);
  });

  test('is refused with the real number if another one was expected, and only counts as a dry run', async () => {
    const codes = [await own.createCode(), await own.createCode()];
    const body = { filter: { status: 'active' }, action: 'deactivate' };
    expect(await own.call('POST', path, { ...body, expectedCount: 3 })).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT', param: 'expectedCount', total: 2 },
    });
    expect(await own.call('POST', path, { ...body, dryRun: true, expectedCount: 2 })).toMatchObject({
      status: 200,
      body: { dryRun: true, total: 2, sample: codes.map(({ id }) => id) },
    });
    expect((await own.call('POST', path, { ...body, dryRun: true, expectedCount: 1 })).status).toBe(409);
    const tags = { ...body, action: 'tag', addTags: ['not made'], dryRun: true };
    expect((await own.call('POST', path, tags)).status).toBe(200);
    expect((await own.call('GET', '/api/qr/tags')).body).toMatchObject({ data: [] });
    for (const { id } of codes) expect(await read(id)).toMatchObject({ status: 'active' });
    expect(await Promise.all(codes.map(({ id }) => versionOf(id)))).toEqual([1, 1]);
    const { rows } = await plane.pool.query('SELECT FROM jobs WHERE workspace_id = $1', [own.workspaceId]);
    expect(rows).toHaveLength(0);
  });

  test('is the same for a repeated idempotency key, although other codes match now', async () => {
    await own.createCode();
    const body = { filter: { status: 'active' }, action: 'deactivate', expectedCount: 1 };
    const send = (sent: object) => own.call('POST', path, sent, { 'waymark-idempotency-key': 'once' });
    const first = await send(body);
    await resultOf(own.call, submitted(first));
    expect(await send(body)).toMatchObject({ status: 202, body: first.body });
    expect((await send({ ...body, filter: { status: 'inactive' } })).status).toBe(422);
  });

  test.each<[string, object, number, RegExp]>([
    ['without a filter', { action: 'archive' }, 400, /^filter is required/],
    [
      'of every code without their number',
      { filter: {}, action: 'archive' },
      400,
      /^expectedCount is required/,
    ],
    [
      'with an unknown filter',
      { filter: { colour: 'red' }, action: 'archive' },
      400,
      /^filter\.colour is not/,
    ],
    ['with a wrong filter', { filter: { search: 'a' }, action: 'archive' }, 422, /^filter\.search must have/],
    [
      'that no code matches',
      { filter: { tags: 'none' }, action: 'archive' },
      422,
      /^filter must match a code/,
    ],
    ['without a patch', { filter: { tags: 'a' }, action: 'update' }, 400, /^patch is required/],
    ['with an empty patch', { filter: { tags: 'a' }, action: 'update', patch: {} }, 422, /^patch must have/],
    [
      'of a name',
      { filter: { tags: 'a' }, action: 'update', patch: { name: 'x' } },
      400,
      /^patch\.name is not a known field/,
    ],
    [
      'into a folder that does not exist',
      { filter: { status: 'active' }, action: 'update', patch: { folderId: 'fld_111111111111111z' } },
      422,
      /^patch\.folderId 'fld_111111111111111z' is not a folder/,
    ],
    [
      'that ends codes in the past',
      { filter: { status: 'active' }, action: 'update', patch: { expiresAt: '2020-01-01T00:00:00Z' } },
      422,
      /^patch\.expiresAt must be in the future/,
    ],
    [
      'to no host',
      { filter: { tags: 'a' }, action: 'update', patch: { destinationHost: 'a/b' } },
      422,
      /^patch\.destinationHost must be a host/,
    ],
    ['of no tag', { filter: { tags: 'a' }, action: 'tag' }, 400, /^addTags or removeTags must have/],
    [
      'with the field of another action',
      { filter: { tags: 'a' }, action: 'archive', addTags: ['b'] },
      422,
      /^addTags must not be given with the action archive/,
    ],
  ])('%s is refused', async (_, body, status, message) => {
    await own.createCode();
    expect(await own.call('POST', path, body)).toMatchObject({
      status,
      body: { error: expect.stringMatching(message) },
    });
  });
});

describe('the result of a change', () => {
  test('is read in pages and as a whole, as often as asked for', async () => {
    const codes = [];
    for (let n = 0; n < 5; n++) codes.push(await own.createCode({ archived: n === 4 }));
    const bulkId = submitted(
      await own.call('POST', path, { filter: { archived: 'any' }, action: 'archive', expectedCount: 5 }),
    );
    const whole = await resultOf(own.call, bulkId);
    expect(whole.map(({ uid }) => uid)).toEqual(codes.map(({ id }) => id));
    expect((await fetchResult(own.call, bulkId)).body).toEqual(whole);
    const paged = [];
    let query = '?limit=2';
    for (;;) {
      const { data, pagination } = await rowsOf(bulkId, query);
      paged.push(...data);
      if (pagination.nextCursor === null) break;
      query = `?limit=2&cursor=${pagination.nextCursor}`;
    }
    expect(paged).toEqual(whole);
    expect((await rowsOf(bulkId, '?status=unchanged')).data.map(({ uid }) => uid)).toEqual([codes[4]!.id]);
    const { pagination } = await rowsOf(bulkId, '?limit=1');
    const wrong = `/api/qr/codes/bulk/${bulkId}/rows?limit=1&status=updated&cursor=${pagination.nextCursor}`;
    expect((await own.call('GET', wrong)).status).toBe(400);
    const other = await plane.workspace();
    for (const rest of ['', '/rows', '/result'])
      expect((await other.call('GET', `/api/qr/codes/bulk/${bulkId}${rest}`)).status).toBe(403);
  });

  test('of a cancelled one has the codes that were done; the others stay as they are', async () => {
    await own.createCode();
    const release = await holdTurns(plane.pool);
    const bulkId = submitted(
      await own.call('POST', path, { filter: {}, action: 'archive', expectedCount: 1 }),
    );
    const cancel = () => own.call('DELETE', `/api/qr/codes/bulk/${bulkId}`);
    const cancelled = { status: 200, body: { status: 'cancelled', processed: 0 } };
    expect(await cancel()).toMatchObject(cancelled);
    await release();
    expect(await cancel()).toMatchObject(cancelled);
    expect((await fetchResult(own.call, bulkId)).body).toEqual([]);
    expect(await rowsOf(bulkId)).toMatchObject({ status: 'cancelled', data: [] });
    expect((await own.call('GET', '/api/qr/codes')).body).toMatchObject({ data: [{ archived: false }] });
  });
});

test('a test key changes the codes of the test data, and a key that may only read changes none', async () => {
  const live = await own.createCode();
  const keyOf = async (body: object): Promise<Call> => {
    const { body: made } = await own.call('POST', '/api/qr/keys', { name: 'k', ...body });
    return plane.callWith((made as { apiKey: string }).apiKey);
  };
  const testKey = await keyOf({ mode: 'test', role: 'admin' });
  const made = (await testKey('POST', '/api/qr/codes', { data: 'https://example.com/' }))
    .body as WholeCodeObject;
  const body = { filter: {}, action: 'archive', expectedCount: 1 };
  expect(statusesOf(await change(body, testKey))).toEqual({ [made.id]: 'updated' });
  expect(await read(live.id)).toMatchObject({ archived: false });
  const reader = await keyOf({ permissions: ['codes:read'] });
  expect(await reader('POST', path, body)).toMatchObject({
    status: 403,
    body: { code: 'PERMISSION_MISSING' },
  });
  const bulkId = submitted(await own.call('POST', path, body));
  await resultOf(reader, bulkId);
  expect((await reader('DELETE', `/api/qr/codes/bulk/${bulkId}`)).status).toBe(403);
  expect(await progressOf(reader, bulkId)).toMatchObject({ kind: 'change', total: 1, succeeded: 1 });
});
