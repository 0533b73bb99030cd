import { beforeAll, describe, expect, test } from 'vitest';
import type { CodeObject } from '#schemas/api/codes.ts';
import { folderList, folderObject, foldersMax } from '#schemas/api/folders.ts';
import {
  errorBody,
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../testing/control-plane.ts';

let plane: TestControlPlane;
let own: Workspace;

beforeAll(async () => {
  plane = await startTestControlPlane();
  own = await plane.workspace();
});

const make = async (name: string, workspace = own) => {
  const answer = await workspace.call('POST', '/api/qr/folders', { name });
  expect(answer.status).toBe(201);
  return folderObject.parse(answer.body);
};

const listOf = async (query = '', workspace = own) =>
  folderList.parse((await workspace.call('GET', `/api/qr/folders${query}`)).body);

describe('a folder', () => {
  test('is made, read, renamed and listed by name with the number of its codes', async () => {
    const workspace = await plane.workspace();
    const berlin = await make('berlin', workspace);
    await make('Amsterdam', workspace);
    await workspace.createCode({ folderId: berlin.id });
    await workspace.createCode({ folderId: berlin.id, archived: true });
    const path = `/api/qr/folders/${berlin.id}`;
    expect((await workspace.call('GET', path)).body).toEqual({ ...berlin, codes: 1 });
    expect((await workspace.call('PATCH', path, { name: 'Zurich' })).body).toMatchObject({ name: 'Zurich' });
    const first = await listOf('?limit=1', workspace);
    expect(first).toMatchObject({ data: [{ name: 'Amsterdam', codes: 0 }], pagination: { total: 2 } });
    const second = await listOf(`?limit=1&cursor=${first.pagination.nextCursor}`, workspace);
    expect(second).toMatchObject({ data: [{ name: 'Zurich', codes: 1 }], pagination: { nextCursor: null } });
  });

  test('that is deleted leaves its codes in none, at once', async () => {
    const folder = await make('short-lived');
    const code = await own.createCode({ folderId: folder.id });
    const path = `/api/qr/folders/${folder.id}`;
    expect((await own.call('DELETE', path)).status).toBe(204);
    expect((await own.call('GET', `/api/qr/codes/${code.id}`)).body).toMatchObject({
      folderId: null,
      updatedAt: code.updatedAt,
    });
    const without = (await own.call('GET', '/api/qr/codes?folderId=none')).body as { data: CodeObject[] };
    expect(without.data.map(({ id }) => id)).toContain(code.id);
    for (const [method, body] of [['GET'], ['DELETE'], ['PATCH', { name: 'x' }]] as const)
      expect((await own.call(method, path, body)).status).toBe(404);
    const left = async () =>
      (
        await plane.pool.query(
          'SELECT FROM codes WHERE folder_id = $1 UNION ALL SELECT FROM folders WHERE id = $1',
          [folder.id],
        )
      ).rowCount;
    await expect.poll(left).toBe(0);
  });

  test('of another workspace is 403 everywhere', async () => {
    const { id } = await make('mine');
    const other = await plane.workspace();
    for (const [method, body] of [['GET'], ['DELETE'], ['PATCH', { name: 'x' }]] as const)
      expect((await other.call(method, `/api/qr/folders/${id}`, body)).status).toBe(403);
    const answer = await other.call('POST', '/api/qr/codes', { data: 'https://example.com/', folderId: id });
    expect([answer.status, errorBody.parse(answer.body).error]).toEqual([
      403,
      expect.stringMatching(/^folderId /),
    ]);
    const list = await other.call('GET', `/api/qr/codes?folderId=${id}`);
    expect(list.body).toMatchObject({ data: [], pagination: { total: 0 } });
  });

  test('beyond the limit of the workspace is 409, until one is deleted', async () => {
    const workspace = await plane.workspace();
    const { id } = await make('first', workspace);
    await plane.pool.query('UPDATE folder_counts SET folders = $2 WHERE workspace_id = $1', [
      workspace.workspaceId,
      foldersMax,
    ]);
    expect((await workspace.call('POST', '/api/qr/folders', { name: 'x' })).status).toBe(409);
    await workspace.call('DELETE', `/api/qr/folders/${id}`);
    await make('x', workspace);
  });
});

describe('folderId of a code', () => {
  test('is set, changed and cleared, and an unknown one is 422 naming it', async () => {
    const folder = await make('target');
    const code = await own.createCode();
    const path = `/api/qr/codes/${code.id}`;
    expect((await own.call('PUT', path, { folderId: folder.id })).body).toMatchObject({
      folderId: folder.id,
    });
    expect((await own.call('PUT', path, { folderId: null })).body).toMatchObject({ folderId: null });
    const answer = await own.call('PUT', path, { folderId: 'fold_1111111111111111' });
    expect([answer.status, errorBody.parse(answer.body).error]).toEqual([
      422,
      expect.stringMatching(/^folderId /),
    ]);
  });
});

describe('an archived code', () => {
  test('is in no list and no total unless it is asked for, and its record stays the same', async () => {
    const workspace = await plane.workspace();
    const code = await workspace.createCode({ name: 'old' });
    await workspace.createCode({ name: 'new' });
    const recordOf = async () => {
      const { body } = await plane.internal('GET', `/internal/codes?ids=${code.id}`);
      return JSON.stringify(body).replace(/\d+ (?=\{)|\\"version\\":\d+/g, '');
    };
    const before = await recordOf();
    const answer = await workspace.call('PUT', `/api/qr/codes/${code.id}`, { archived: true });
    expect(answer.body).toMatchObject({ archived: true, status: 'active' });
    expect(await recordOf()).toEqual(before);
    const listed = async (query: string) => {
      const { body } = await workspace.call('GET', `/api/qr/codes${query}`);
      const { data, pagination } = body as { data: CodeObject[]; pagination: { total: number } };
      return [data.map(({ name }) => name), pagination.total];
    };
    expect(await listed('')).toEqual([['new'], 1]);
    expect(await listed('?archived=true')).toEqual([['old'], 1]);
    expect(await listed('?archived=any')).toEqual([['new', 'old'], 2]);
    expect(await listed('?status=active&type=url')).toEqual([['new'], 1]);
  });
});
