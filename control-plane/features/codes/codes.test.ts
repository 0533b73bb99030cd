import { beforeAll, describe, expect, test } from 'vitest';
import { codeList } from '#schemas/api/code-lists.ts';
import { type CodeObject, codeObject } from '#schemas/api/codes.ts';
import { isCodeIdShaped } from '#shared/ids.ts';
import {
  errorBody,
  qrHost,
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../testing/control-plane.ts';
import { liftLocks, lockAgainstChanges } from './store/locks.ts';

let plane: TestControlPlane;
let own: Workspace;

beforeAll(async () => {
  plane = await startTestControlPlane();
  own = await plane.workspace();
});

const object = (answer: { body: unknown }): CodeObject => codeObject.parse(answer.body);

describe('POST /api/qr/codes', () => {
  test('answers 201 with the QR object (active, scanCount 0) and its Location', async () => {
    const answer = await own.call('POST', '/api/qr/codes', {
      data: 'https://example.com/a?b=1',
      name: 'Poster',
    });
    expect(answer.status).toBe(201);
    const code = object(answer);
    expect(isCodeIdShaped(code.id)).toBe(true);
    expect(answer.headers.get('location')).toBe(`http://localhost:3000/api/qr/codes/${code.id}`);
    expect(code).toEqual({
      id: code.id,
      type: 'dynamic',
      name: 'Poster',
      dataType: 'url',
      destination: 'https://example.com/a?b=1',
      redirectUrl: `${qrHost}/r/${code.id}`,
      status: 'active',
      encrypted: false,
      passwordProtected: false,
      expiresAt: null,
      maxScans: null,
      scanCount: 0,
      lastScannedAt: null,
      secure: [],
      externalId: null,
      metadata: {},
      notes: null,
      createdBy: expect.stringMatching(/^key_/),
      tags: [],
      folderId: null,
      archived: false,
      importId: null,
      importedScanCount: null,
      suspension: null,
      healthCheck: false,
      destinationHealth: null,
      createdAt: code.createdAt,
      updatedAt: code.createdAt,
    });
    expect(Math.abs(Date.parse(code.createdAt) - Date.now())).toBeLessThan(60_000);
  });

  test('every field is optional except data; dataType defaults to url', async () => {
    expect(await own.createCode()).toMatchObject({ name: null, dataType: 'url' });
    expect(await own.createCode({ dataType: 'url', name: '' })).toMatchObject({ name: null });
  });

  test('every successful call creates a new resource', async () => {
    const [first, second] = await Promise.all([own.createCode(), own.createCode()]);
    expect(first.id).not.toBe(second.id);
  });

  test('the destination is stored as given', async () => {
    const data = 'HTTPS://Example.com:443/ü/../x?größe=1#y';
    expect((await own.createCode({ data })).destination).toBe(data);
  });

  test('JSON without a content type, with a charset, and with a byte order mark is accepted', async () => {
    const body = '{"data":"https://example.com/"}';
    const send = (bytes: string, contentType: string) =>
      own.call('POST', '/api/qr/codes', Buffer.from(bytes), { 'content-type': contentType });
    expect((await send(body, '')).status).toBe(201);
    expect((await send(body, 'application/json; charset=UTF-8')).status).toBe(201);
    expect((await send(`\ufeff${body}`, 'application/json')).status).toBe(201);
  });
});

describe('GET /api/qr/codes/{id}', () => {
  test('answers the QR object', async () => {
    const code = await own.createCode({ name: 'read me' });
    const answer = await own.call('GET', `/api/qr/codes/${code.id}`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(code);
  });

  test('HEAD answers the same without a body', async () => {
    const code = await own.createCode();
    const answer = await own.call('HEAD', `/api/qr/codes/${code.id}`);
    expect(answer.status).toBe(200);
  });
});

describe('PUT /api/qr/codes/{id}', () => {
  const put = async (code: CodeObject, body: object): Promise<CodeObject> => {
    const answer = await own.call('PUT', `/api/qr/codes/${code.id}`, body);
    expect(answer.status).toBe(200);
    return object(answer);
  };

  test('accepts any subset of the fields and leaves the others unchanged', async () => {
    const code = await own.createCode({ name: 'before' });
    const moved = await put(code, { destination: 'https://example.org/' });
    expect(moved).toEqual({ ...code, destination: 'https://example.org/', updatedAt: moved.updatedAt });
    expect(Date.parse(moved.updatedAt)).toBeGreaterThan(Date.parse(code.updatedAt));
    const renamed = await put(code, { name: 'after', status: 'inactive' });
    expect(renamed).toMatchObject({ name: 'after', status: 'inactive', destination: 'https://example.org/' });
    expect(object(await own.call('GET', `/api/qr/codes/${code.id}`))).toEqual(renamed);
  });

  test('a name of null or "" clears it', async () => {
    const code = await own.createCode({ name: 'label' });
    expect((await put(code, { name: null })).name).toBeNull();
    await put(code, { name: 'label' });
    expect((await put(code, { name: '' })).name).toBeNull();
  });

  test('an empty object changes nothing, nor do values that are already set', async () => {
    const code = await own.createCode({ name: 'same' });
    expect(await put(code, {})).toEqual(code);
    expect(await put(code, { name: 'same', status: 'active', destination: code.destination })).toEqual(code);
  });

  test('status active brings an inactive code back', async () => {
    const code = await own.createCode();
    await own.call('DELETE', `/api/qr/codes/${code.id}`);
    expect((await put(code, { status: 'active' })).status).toBe('active');
  });

  test('concurrent updates of different fields are all kept', async () => {
    const code = await own.createCode();
    await Promise.all([
      put(code, { name: 'new name' }),
      put(code, { destination: 'https://example.net/' }),
      put(code, { status: 'inactive' }),
    ]);
    expect(object(await own.call('GET', `/api/qr/codes/${code.id}`))).toMatchObject({
      name: 'new name',
      destination: 'https://example.net/',
      status: 'inactive',
    });
  });
});

describe('DELETE /api/qr/codes/{id}', () => {
  test('deactivates, does not destroy, and is idempotent', async () => {
    const code = await own.createCode({ name: 'kept' });
    const first = await own.call('DELETE', `/api/qr/codes/${code.id}`);
    expect(first.status).toBe(200);
    expect(object(first)).toMatchObject({ id: code.id, status: 'inactive', name: 'kept' });
    const second = await own.call('DELETE', `/api/qr/codes/${code.id}`);
    expect(second.status).toBe(200);
    expect(second.body).toEqual(first.body);
    const read = await own.call('GET', `/api/qr/codes/${code.id}`);
    expect(first.body).toEqual({ ...object(read), activateUrl: expect.any(String) });
  });
});

describe('POST /api/qr/codes/{id}/activate', () => {
  const activate = (code: CodeObject) => own.call('POST', `/api/qr/codes/${code.id}/activate`);

  test('makes an inactive code active, even an encrypted one; the answer of DELETE names it', async () => {
    const encrypted = { secure: ['encrypt'], encryption: { type: 'AES', key: 'correct horse' } };
    for (const body of [{}, encrypted]) {
      const code = await own.createCode(body);
      const deleted = await own.call('DELETE', `/api/qr/codes/${code.id}`);
      const { activateUrl } = deleted.body as { activateUrl: string };
      expect(new URL(activateUrl).pathname).toBe(`/api/qr/codes/${code.id}/activate`);
      const answer = await own.call('POST', new URL(activateUrl).pathname);
      expect(answer).toMatchObject({ status: 200, body: { id: code.id, status: 'active' } });
      expect(await activate(code)).toMatchObject({ status: 200, body: answer.body });
    }
  });

  test('is 409 for a locked code, until the lock is lifted', async () => {
    const code = await own.createCode();
    await own.call('DELETE', `/api/qr/codes/${code.id}`);
    await lockAgainstChanges(plane.pool, code.id, false);
    expect(await activate(code)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    expect(object(await own.call('GET', `/api/qr/codes/${code.id}`)).status).toBe('inactive');
    await liftLocks(plane.pool, code.id);
    expect((await activate(code)).status).toBe(200);
  });
});

describe('a code that is not the caller’s', () => {
  const operations = [
    ['GET', '', undefined],
    ['PUT', '', { name: 'stolen' }],
    ['DELETE', '', undefined],
    ['POST', '/activate', undefined],
    ['GET', '/analytics', undefined],
    ['GET', '/image', undefined],
  ] as const;

  test.each(operations)(
    '%s %s answers 403 for another workspace’s id, and changes nothing',
    async (...each) => {
      const [method, suffix, body] = each;
      const foreign = await plane.workspace();
      const code = await foreign.createCode();
      const answer = await own.call(method, `/api/qr/codes/${code.id}${suffix}`, body);
      expect(answer.status).toBe(403);
      expect(errorBody.parse(answer.body).code).toBe('FORBIDDEN');
      expect((await foreign.call('GET', `/api/qr/codes/${code.id}`)).body).toEqual(code);
    },
  );

  test.each(operations)('%s %s answers 404 for an id that does not exist', async (method, suffix, body) => {
    for (const id of ['111111111', 'short', '%00', '%2F..%2F', 'x'.repeat(5_000), 'ü', '%F0%9F%92%A9']) {
      const answer = await own.call(method, `/api/qr/codes/${id}${suffix}`, body);
      expect(answer.status, id).toBe(404);
      errorBody.parse(answer.body);
    }
  });
});

describe('GET /api/qr/codes', () => {
  let workspace: Workspace;
  const created: CodeObject[] = [];

  beforeAll(async () => {
    workspace = await plane.workspace();
    for (let n = 0; n < 30; n++) created.unshift(await workspace.createCode({ name: `code ${n}` }));
    for (const code of created.slice(0, 12)) {
      const answer = await workspace.call('DELETE', `/api/qr/codes/${code.id}`);
      Object.assign(code, object(answer));
    }
  });

  const list = async (query: string) => {
    const answer = await workspace.call('GET', `/api/qr/codes${query}`);
    expect(answer.status).toBe(200);
    return codeList.parse(answer.body);
  };

  const readAll = async (query: string): Promise<CodeObject[]> => {
    const all: CodeObject[] = [];
    let page = await list(`?${query}`);
    all.push(...page.data);
    while (page.pagination.nextCursor !== null) {
      const { nextCursor } = page.pagination;
      page = await list(`?${query}&cursor=${nextCursor}`);
      expect(page.pagination.cursor).toBe(nextCursor);
      all.push(...page.data);
    }
    return all;
  };

  test('a page has 25 codes by default, newest first, and says how many codes there are', async () => {
    const { data, pagination } = await list('');
    expect(data).toEqual(created.slice(0, 25));
    expect(pagination).toMatchObject({ total: 30, limit: 25, cursor: null });
    expect(pagination.nextCursor).toMatch(/^[\w-]+$/);
  });

  test.each([1, 7, 29, 30, 31, 100])(
    'pages of %i have every code once; nextCursor is null on the last',
    async (limit) => {
      expect(await readAll(`limit=${limit}`)).toEqual(created);
    },
  );

  test('a code created meanwhile does not shift the pages', async () => {
    const other = await plane.workspace();
    const codes = [await other.createCode(), await other.createCode(), await other.createCode()].reverse();
    const first = codeList.parse((await other.call('GET', '/api/qr/codes?limit=2')).body);
    await other.createCode();
    const second = codeList.parse(
      (await other.call('GET', `/api/qr/codes?limit=2&cursor=${first.pagination.nextCursor}`)).body,
    );
    expect([...first.data, ...second.data]).toEqual(codes);
    expect(second.pagination.nextCursor).toBeNull();
  });

  test('status filters, and total counts the matches', async () => {
    expect(await readAll('status=inactive&limit=5')).toEqual(created.slice(0, 12));
    expect(await readAll('status=active&limit=5')).toEqual(created.slice(12));
    expect((await list('?status=inactive')).pagination.total).toBe(12);
    expect((await list('?status=active')).pagination.total).toBe(18);
  });

  test('type filters by dataType', async () => {
    expect(await readAll('type=url&limit=100')).toEqual(created);
    expect((await list('?type=wifi')).pagination).toMatchObject({ total: 0, nextCursor: null });
    expect((await list('?type=url&status=inactive')).pagination.total).toBe(12);
  });

  test('a workspace sees only its own codes', async () => {
    const other = await plane.workspace();
    expect(codeList.parse((await other.call('GET', '/api/qr/codes')).body)).toMatchObject({
      data: [],
      pagination: { total: 0, nextCursor: null },
    });
  });

  test.each([
    'limit=0',
    'limit=101',
    'limit=-1',
    'limit=1.5',
    'limit=ten',
    'limit=',
    'limit=1e1',
    'limit=5&limit=6',
    'status=paused',
    'type=fax',
    'cursor=',
    'cursor=abc',
    `cursor=${'A'.repeat(27)}`,
  ])('%s answers 400 naming the parameter', async (query) => {
    const answer = await workspace.call('GET', `/api/qr/codes?${query}`);
    expect(answer.status).toBe(400);
    expect(errorBody.parse(answer.body).error).toContain(query.slice(0, query.indexOf('=')));
  });

  test('a tampered cursor and one of another workspace answer 400', async () => {
    const cursor = (await list('?limit=3')).pagination.nextCursor ?? '';
    const tampered = (cursor[5] === 'A' ? 'B' : 'A') + cursor.slice(1);
    expect((await workspace.call('GET', `/api/qr/codes?cursor=${tampered}`)).status).toBe(400);
    expect((await workspace.call('GET', `/api/qr/codes?cursor=${cursor}x`)).status).toBe(400);
    expect((await own.call('GET', `/api/qr/codes?cursor=${cursor}`)).status).toBe(400);
  });
});

test('total is exact after parallel creates, deletes and reactivations in one workspace', async () => {
  const workspace = await plane.workspace();
  const codes = await Promise.all(Array.from({ length: 24 }, () => workspace.createCode()));
  await Promise.all(
    codes.flatMap((code, n) => [
      workspace.createCode(),
      n % 2 ? workspace.call('DELETE', `/api/qr/codes/${code.id}`) : undefined,
      n % 2 ? workspace.call('DELETE', `/api/qr/codes/${code.id}`) : undefined,
      n % 4
        ? undefined
        : workspace.call('PUT', `/api/qr/codes/${code.id}`, { status: 'inactive', name: 'x' }),
    ]),
  );
  const total = async (query: string) =>
    codeList.parse((await workspace.call('GET', `/api/qr/codes?limit=1${query}`)).body).pagination.total;
  expect(await total('')).toBe(48);
  expect(await total('&status=inactive')).toBe(18);
  expect(await total('&status=active')).toBe(30);
});
