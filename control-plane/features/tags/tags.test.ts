import { beforeAll, describe, expect, test } from 'vitest';
import type { CodeObject } from '#schemas/api/codes.ts';
import { tagList, tagsMax } from '#schemas/api/tags.ts';
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
});

const tagsOf = async (id: string, workspace = own) =>
  ((await workspace.call('GET', `/api/qr/codes/${id}`)).body as CodeObject).tags;

const countsOf = async (workspace = own) =>
  tagList
    .parse((await workspace.call('GET', '/api/qr/tags')).body)
    .data.map(({ name, codes }) => [name, codes]);

describe('the tags of a code', () => {
  beforeAll(async () => {
    own = await plane.workspace();
  });

  test('keep the case in which they were first written, and are the same in any other', async () => {
    const first = await own.createCode({ tags: ['Menu', ' vip '] });
    expect(first.tags).toEqual(['Menu', 'vip']);
    const second = await own.createCode({ tags: ['MENU', 'menu', 'VIP'] });
    expect(second.tags).toEqual(['Menu', 'vip']);
    expect(await tagsOf(second.id)).toEqual(['Menu', 'vip']);
  });

  test('are replaced by an update, which says so in changedKeys only if they differ', async () => {
    const code = await own.createCode({ tags: ['a', 'b'] });
    const versionOf = async () =>
      (await plane.pool.query('SELECT version::int FROM codes WHERE id = $1', [code.id])).rows[0].version;
    await own.call('PUT', `/api/qr/codes/${code.id}`, { tags: ['B', 'A'] });
    expect(await versionOf()).toBe(1);
    const { body } = await own.call('PUT', `/api/qr/codes/${code.id}`, { tags: ['b', 'c'] });
    expect(body).toMatchObject({ tags: ['b', 'c'] });
    expect(await versionOf()).toBe(2);
    for (const tags of [[], null]) {
      await own.call('PUT', `/api/qr/codes/${code.id}`, { tags: ['b'] });
      expect((await own.call('PUT', `/api/qr/codes/${code.id}`, { tags })).body).toMatchObject({ tags: [] });
    }
  });

  test.each([
    [['a'.repeat(51)], 422],
    [['a,b'], 422],
    [['a|b'], 422],
    [[' '], 422],
    [Array.from({ length: 51 }, (_, n) => `tag ${n}`), 422],
    [[7], 400],
    ['menu', 400],
  ])('%j is refused naming tags', async (tags, status) => {
    const answer = await own.call('POST', '/api/qr/codes', { data: 'https://example.com/', tags });
    expect(answer.status).toBe(status);
    expect(errorBody.parse(answer.body).error).toMatch(/^tags/);
  });

  test('a refused update makes no tag', async () => {
    const answer = await own.call('PUT', '/api/qr/codes/111111111', { tags: ['never'] });
    expect(answer.status).toBe(404);
    expect((await countsOf()).map(([name]) => name)).not.toContain('never');
  });

  test('more tags than a workspace may have are 422', async () => {
    const workspace = await plane.workspace();
    await plane.pool.query(
      `INSERT INTO tags (workspace_id, name, key) SELECT $1, 't' || n, 't' || n FROM generate_series(2, $2::int) AS n`,
      [workspace.workspaceId, tagsMax],
    );
    await workspace.createCode({ tags: ['last', 't5'] });
    const answer = await workspace.call('POST', '/api/qr/codes', {
      data: 'https://example.com/',
      tags: ['one more'],
    });
    expect([answer.status, errorBody.parse(answer.body).error]).toEqual([
      422,
      expect.stringMatching(/^tags /),
    ]);
  });
});

describe('/api/qr/tags', () => {
  beforeAll(async () => {
    own = await plane.workspace();
  });

  test('lists them by name with the number of codes that are not archived, page by page', async () => {
    const workspace = await plane.workspace();
    await workspace.createCode({ tags: ['b', 'Ä', 'a'] });
    await workspace.createCode({ tags: ['b'], archived: true });
    expect(await countsOf(workspace)).toEqual([
      ['a', 1],
      ['b', 1],
      ['Ä', 1],
    ]);
    const first = await workspace.call('GET', '/api/qr/tags?limit=2');
    const { nextCursor } = tagList.parse(first.body).pagination;
    const second = await workspace.call('GET', `/api/qr/tags?limit=2&cursor=${nextCursor}`);
    expect(tagList.parse(second.body)).toMatchObject({
      data: [{ name: 'Ä' }],
      pagination: { nextCursor: null },
    });
    expect((await own.call('GET', `/api/qr/tags?cursor=${nextCursor}`)).status).toBe(400);
  });

  test('a rename shows on all codes at once, and writes none of them', async () => {
    const code = await own.createCode({ tags: ['old/name'] });
    const { rows } = await plane.pool.query('SELECT xmin FROM codes WHERE id = $1', [code.id]);
    const answer = await own.call('PATCH', '/api/qr/tags/OLD%2Fname', { name: 'New' });
    expect(answer.body).toMatchObject({ name: 'New', codes: 1 });
    expect(await tagsOf(code.id)).toEqual(['New']);
    expect((await plane.pool.query('SELECT xmin FROM codes WHERE id = $1', [code.id])).rows).toEqual(rows);
    expect((await own.call('PATCH', '/api/qr/tags/old%2Fname', { name: 'x' })).status).toBe(404);
  });

  test('a rename to another tag merges the two, and later what both were merged into', async () => {
    const workspace = await plane.workspace();
    const [one, both] = [
      await workspace.createCode({ tags: ['one'] }),
      await workspace.createCode({ tags: ['one', 'Two'] }),
    ];
    expect((await workspace.call('PATCH', '/api/qr/tags/one', { name: 'two' })).body).toMatchObject({
      name: 'Two',
    });
    expect(await tagsOf(one.id, workspace)).toEqual(['Two']);
    expect(await tagsOf(both.id, workspace)).toEqual(['Two']);
    await workspace.createCode({ tags: ['three'] });
    await workspace.call('PATCH', '/api/qr/tags/two', { name: 'three' });
    expect(await tagsOf(one.id, workspace)).toEqual(['three']);
    await expect.poll(() => countsOf(workspace)).toEqual([['three', 3]]);
    const rowsOf = async () =>
      (
        await plane.pool.query(
          `SELECT key, gone_at IS NULL OR swept_at IS NOT NULL AS done,
             EXISTS (SELECT FROM codes WHERE tags.id = ANY (tag_ids)) AS held
           FROM tags WHERE workspace_id = $1 ORDER BY key`,
          [workspace.workspaceId],
        )
      ).rows;
    // No code holds them, and what they became is known as long as it exists.
    await expect.poll(rowsOf, { timeout: 20_000 }).toEqual([
      { key: 'one', done: true, held: false },
      { key: 'three', done: true, held: true },
      { key: 'two', done: true, held: false },
    ]);
    expect(await tagsOf(both.id, workspace)).toEqual(['three']);
    const list = await workspace.call('GET', '/api/qr/codes?tags=three');
    expect(list.body).toMatchObject({ pagination: { total: 3 } });
    expect((await workspace.call('DELETE', '/api/qr/tags/three')).status).toBe(204);
    await expect.poll(rowsOf, { timeout: 20_000 }).toEqual([]);
  });

  test('a deleted tag is off all codes at once, and a new one of the same name is on none', async () => {
    const workspace = await plane.workspace();
    const code = await workspace.createCode({ tags: ['gone', 'kept'] });
    expect((await workspace.call('DELETE', '/api/qr/tags/Gone')).status).toBe(204);
    expect(await tagsOf(code.id, workspace)).toEqual(['kept']);
    expect((await workspace.call('DELETE', '/api/qr/tags/gone')).status).toBe(404);
    const other = await workspace.createCode({ tags: ['gone'] });
    const { body } = await workspace.call('GET', '/api/qr/codes?tags=gone');
    expect((body as { data: CodeObject[] }).data.map(({ id }) => id)).toEqual([other.id]);
    const idsOf = async () =>
      (await plane.pool.query('SELECT cardinality(tag_ids) AS n FROM codes WHERE id = $1', [code.id])).rows;
    await expect.poll(idsOf).toEqual([{ n: 1 }]);
  });

  test('of another workspace is 404', async () => {
    await own.createCode({ tags: ['mine'] });
    const other = await plane.workspace();
    expect((await other.call('PATCH', '/api/qr/tags/mine', { name: 'theirs' })).status).toBe(404);
    expect((await other.call('DELETE', '/api/qr/tags/mine')).status).toBe(404);
  });
});
