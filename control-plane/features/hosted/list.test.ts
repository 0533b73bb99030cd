import { text } from 'node:stream/consumers';
/** Lists of pages that are too large to be held in memory at once. */
import { beforeAll, describe, expect, test } from 'vitest';
import { partsOf, textsOf } from '../../api/http/pieces.ts';
import type { Queryable } from '../../platform/db/pool.ts';
import { startTestControlPlane, type TestControlPlane, type Workspace } from '../../testing/control-plane.ts';
import { menuResource } from '../menus/resource.ts';
import { listReply } from './list.ts';

let plane: TestControlPlane;
let own: Workspace;

const megabyte = 2 ** 20;

beforeAll(async () => {
  plane = await startTestControlPlane();
  own = await plane.workspace();
});

const item = {
  name: 'x'.repeat(120),
  description: '…'.repeat(500),
  imageUrl: `https://example.com/${'x'.repeat(1900)}`,
};
const itemBytes = Buffer.byteLength(JSON.stringify(item));

/** A body of about this size; 1,000 such items are 3.5 MB. */
const menuOf = (name: string, bytes: number) => {
  const sections = Array.from({ length: Math.min(20, Math.ceil(bytes / itemBytes / 50)) }, () => ({
    name: 's',
    items: Array(50).fill(item),
  }));
  return { name, sections };
};

const idOf = ({ body }: { body: unknown }): string => (body as { menuId: string }).menuId;

/** Counts the statements. */
const counting = (db: Queryable) => {
  let statements = 0;
  const query = (...args: Parameters<Queryable['query']>) => {
    statements++;
    return db.query(...args);
  };
  return { db: { query } as Queryable, statements: () => statements };
};

describe('the parts of a list', () => {
  const parts = (...bytes: number[]) =>
    partsOf(
      bytes.map((each, n) => ({ id: `${n}`, bytes: each })),
      10,
    );

  test('take as many pages as fit, in order; a larger page is a part of its own', () => {
    expect(parts()).toEqual([]);
    expect(parts(3, 3, 3, 3)).toEqual([['0', '1', '2'], ['3']]);
    expect(parts(10, 1)).toEqual([['0'], ['1']]);
    expect(parts(1, 50, 1, 9, 1)).toEqual([['0'], ['1'], ['2', '3'], ['4']]);
    expect(parts(50, 50)).toEqual([['0'], ['1']]);
  });
});

test('50 of the largest menus are read one by one, as fast as the client takes them', async () => {
  const crowded = await plane.workspace();
  const created = await crowded.call('POST', '/api/qr/menus', menuOf('large', 4 * megabyte));
  expect(created.status).toBe(201);
  await plane.pool.query(
    `INSERT INTO hosted_pages (id, workspace_id, kind, name, status, content, language)
     SELECT left(id, 19) || chr(96 + n / 7) || chr(49 + n % 7), workspace_id, kind, name, status, content, language
     FROM hosted_pages, generate_series(7, 55) AS n WHERE id = $1
     -- One of them may have the id that was drawn for the first.
     ON CONFLICT DO NOTHING`,
    [idOf(created)],
  );
  const { db, statements } = counting(plane.pool);
  const { pieces } = await listReply(db, menuResource, crowded.workspaceId);
  if (!pieces) throw new Error('the list is not written in pieces');
  expect(statements()).toBe(1);
  let read = 0;
  for await (const piece of pieces) {
    read++;
    expect(Buffer.byteLength(piece())).toBeLessThan(5 * megabyte);
    expect(statements()).toBeLessThanOrEqual(1 + read);
    if (read === 6) break;
  }
  expect(await pieces.next()).toMatchObject({ done: true });
  expect(statements()).toBe(7);
});

test('a list in several parts equals one in a single part', async () => {
  const ids: string[] = [];
  for (const bytes of [0.7, 0.7, 0.1, 1.5, 0].map((each) => each * megabyte))
    ids.unshift(idOf(await own.call('POST', '/api/qr/menus', menuOf(`${bytes}`, bytes))));
  const { headers, body } = await own.call('GET', '/api/qr/menus');
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(headers.has('content-length')).toBe(false);
  const one = async (id: string) => (await own.call('GET', `/api/qr/menus/${id}`)).body;
  expect(body).toEqual({ menus: await Promise.all(ids.map(one)) });
});

test('a menu deleted while the list is read is left out, whichever part it is in', async () => {
  for (const gone of [[0], [1], [2], [0, 1, 2], [0, 1], [1, 2]]) {
    const workspace = await plane.workspace();
    const ids: string[] = [];
    for (let n = 0; n < 3; n++)
      ids.unshift(idOf(await workspace.call('POST', '/api/qr/menus', menuOf(`${n}`, 1.1 * megabyte))));
    const { pieces } = await listReply(plane.pool, menuResource, workspace.workspaceId);
    for (const index of gone)
      expect((await workspace.call('DELETE', `/api/qr/menus/${ids[index]}`)).status).toBe(204);
    const { menus } = JSON.parse(await text(textsOf(pieces!)));
    expect(menus.map(({ menuId }: { menuId: string }) => menuId)).toEqual(
      ids.filter((_, n) => !gone.includes(n)),
    );
  }
});

test('a list that fails half-way breaks the response off instead of sending a shorter list', async () => {
  const workspace = await plane.workspace();
  for (let n = 0; n < 3; n++) await workspace.call('POST', '/api/qr/menus', menuOf(`${n}`, 1.1 * megabyte));
  let reads = 0;
  const query = (statement: { name: string; text: string; values: unknown[] }) =>
    statement.name === 'read-menu' && ++reads > 1
      ? Promise.reject(new Error('lost'))
      : plane.pool.query(statement);
  const { pieces } = await listReply({ query } as Queryable, menuResource, workspace.workspaceId);
  await expect(text(textsOf(pieces!))).rejects.toThrow('lost');
});
