/** Lists and counts of codes. Those of workspaces with more than ten thousand codes are in large-lists.test.ts. */
import { beforeAll, describe, expect, test } from 'vitest';
import { codeCount, codeList } from '#schemas/api/code-lists.ts';
import {
  errorBody,
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../../testing/control-plane.ts';

let plane: TestControlPlane;
let own: Workspace;

beforeAll(async () => {
  plane = await startTestControlPlane();
  own = await plane.workspace();
});

const listOf = async (query: string, workspace = own) => {
  const answer = await workspace.call('GET', `/api/qr/codes?${query}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return codeList.parse(answer.body);
};

const namesOf = async (query: string, workspace = own) =>
  (await listOf(query, workspace)).data.map(({ name }) => name);

const countOf = async (query: string, workspace = own) => {
  const answer = await workspace.call('GET', `/api/qr/codes/count?${query}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return codeCount.parse(answer.body);
};

const refusalOf = async (query: string, workspace = own) => {
  const answer = await workspace.call('GET', `/api/qr/codes?${query}`);
  return { status: answer.status, message: errorBody.parse(answer.body).error };
};

/** Scans of a code, as lists know them. */
const setScans = (id: string, scans: number, last: string) =>
  plane.pool.query('UPDATE code_scans SET scans = $2, last_scanned_at = $3 WHERE code_id = $1', [
    id,
    scans,
    last,
  ]);

describe('search', () => {
  let searched: Workspace;
  let id: string;

  beforeAll(async () => {
    searched = await plane.workspace();
    ({ id } = await searched.createCode({
      name: 'Terrace Table 7',
      data: 'https://shop.example.com/Menu_100%',
    }));
    await searched.createCode({ name: 'Größe XL', data: 'https://example.org/a' });
    await searched.createCode({
      name: 'sealed',
      data: 'https://secret.example.com/hidden',
      secure: ['encrypt'],
      encryption: { type: 'AES', key: 'a passphrase' },
    });
    await (await plane.workspace()).createCode({ name: 'Terrace Table 7' });
  });

  test.each([
    ['a part of the name, in any case', 'ERRAC', 'Terrace Table 7'],
    ['words in any order, of name and destination', 'shop+table', 'Terrace Table 7'],
    ['a part of the destination with its punctuation', 'example.com%2Fmenu', 'Terrace Table 7'],
    ['the signs % and _ as themselves', 'menu_100%25', 'Terrace Table 7'],
    ['the beginning of a word, if it is short', 'ta', 'Terrace Table 7'],
    ['letters beyond ASCII', 'GRÖSSE'.replace('SS', 'ß').toLowerCase(), 'Größe XL'],
  ])('finds %s', async (_, words, name) => {
    expect(await namesOf(`search=${words}`, searched)).toEqual([name]);
  });

  test('finds aliases by a part, or by their beginning if the word is short, beside other words, and not deleted ones', async () => {
    const { id } = await searched.createCode({
      name: 'Winter',
      data: 'https://example.org/b',
      alias: `Summer-Sale-${own.workspaceId.slice(3, 11)}`,
    });
    for (const alias of ['mo-x', 'gone-soon'])
      expect(
        await searched.call('POST', `/api/qr/codes/${id}/aliases`, {
          alias: `${alias}-${own.workspaceId.slice(3, 11)}`,
        }),
      ).toMatchObject({ status: 201 });
    const gone = `gone-soon-${own.workspaceId.slice(3, 11)}`;
    expect((await searched.call('DELETE', `/api/qr/codes/${id}/aliases?alias=${gone}`)).status).toBe(204);
    for (const words of ['MMER-sale', 'mo', 'sale+winter', 'winter', 'summer+example.org'])
      expect([words, await namesOf(`search=${words}`, searched)]).toEqual([words, ['Winter']]);
    for (const words of ['gone-soon', 'sale+terrace', 'ale_'])
      expect([words, await namesOf(`search=${words}`, searched)]).toEqual([words, []]);
    expect(await namesOf('search=summer-sale')).toEqual([]);
    expect(await countOf('search=summer-sale', searched)).toEqual({ total: 1, totalRelation: 'eq' });
  });

  test('finds aliases that more codes have than are looked up one by one', async () => {
    const many = await plane.workspace();
    const { id } = await many.createCode({ name: 'other' });
    await plane.pool.query(
      `WITH made AS (
         INSERT INTO codes (id, workspace_id, name, data_type, destination)
         SELECT lpad(translate(n::text, '0', 'z'), 5, 'M') || right($1, 4), $1, 'n' || n, 'url', 'https://example.com/'
         FROM generate_series(1, 1200) n RETURNING id
       ) INSERT INTO aliases (space, slug, alias, workspace_id, domain, code_id)
         SELECT $1 || '/many.example', 'poster-' || lower(id), 'poster-' || id, $1, 'many.example', id FROM made`,
      [many.workspaceId],
    );
    expect(await countOf('search=poster', many)).toEqual({ total: 1200, totalRelation: 'eq' });
    expect((await listOf('search=poster&sort=name&limit=2', many)).data.map(({ name }) => name)).toEqual([
      'n1',
      'n10',
    ]);
    expect((await listOf(`search=${id}`, many)).data).toHaveLength(1);
  });

  test('finds an id, whatever its case', async () => {
    expect(await namesOf(`search=${id.toUpperCase()}`, searched)).toEqual(['Terrace Table 7']);
  });

  test.each(['secret', 'hidden', 'menu_1x', 'le+7x'])('finds nothing by %s', async (words) => {
    expect(await listOf(`search=${words}`, searched)).toMatchObject({
      data: [],
      pagination: { total: 0, totalRelation: 'eq', nextCursor: null },
    });
  });

  test.each(['a', '--', '%2F%2F', 'x'.repeat(101), 'a+b+c+d+e+f+g+h+i+j+k'])(
    '%s is 400 naming search',
    async (words) => {
      const { status, message } = await refusalOf(`search=${words}`);
      expect([status, message]).toEqual([400, expect.stringMatching(/^search must/)]);
    },
  );
});

describe('filters', () => {
  let filtered: Workspace;
  let folder: string;

  beforeAll(async () => {
    filtered = await plane.workspace();
    const made = await filtered.call('POST', '/api/qr/folders', { name: 'Berlin' });
    folder = (made.body as { id: string }).id;
    await filtered.createCode({ name: 'a', tags: ['Red', 'Big'], folderId: folder });
    await filtered.createCode({ name: 'b', tags: ['red'], data: 'HTTPS://Shop.Example.com:443/x' });
    await filtered.createCode({ name: 'c', tags: ['Blue'], archived: true });
    await filtered.createCode({ name: 'd', dataType: 'text', data: 'https://shop.example.com/' });
  });

  test.each([
    ['tags=RED', ['b', 'a']],
    ['tags=big,blue', ['a']],
    ['tags=big,blue&archived=any', ['c', 'a']],
    ['tagsAll=red,big', ['a']],
    ['tagsAll=red,unknown', []],
    ['tags=unknown', []],
    ['tagsExclude=red,unknown', ['d']],
    ['tags=red&tagsExclude=big', ['b']],
    ['folderId=none', ['d', 'b']],
    ['folderId=fold_1111111111111111', []],
    ['destinationHost=SHOP.example.com', ['b']],
    ['type=text', ['d']],
    ['archived=true', ['c']],
    ['archived=any&sort=createdAt', ['a', 'b', 'c', 'd']],
    ['createdAfter=2020-01-01T00:00:00Z&createdBefore=2020-02-01T00:00:00Z', []],
    ['updatedAfter=2020-01-01T00:00:00Z&sort=-updatedAt', ['d', 'b', 'a']],
    ['createdBy=key_unknown', []],
  ])('%s gives %j', async (query, names) => {
    expect(await namesOf(query, filtered)).toEqual(names);
    expect(await countOf(query.replace(/&?sort=[-\w]+/, ''), filtered)).toEqual({
      total: names.length,
      totalRelation: 'eq',
    });
  });

  test('by the time of the last change and by the key that created', async () => {
    const { workspaceId, call, createCode } = await plane.workspace();
    const [changed] = [await createCode({ name: 'x' }), await createCode({ name: 'y' })];
    const answer = await call('PUT', `/api/qr/codes/${changed!.id}`, { name: 'x1' });
    const { updatedAt } = answer.body as { updatedAt: string };
    const own = { call } as Workspace;
    expect(await namesOf(`updatedBefore=${updatedAt}&sort=name`, own)).toEqual(['y']);
    expect(await namesOf(`updatedAfter=${updatedAt}&sort=name`, own)).toEqual(['x1']);
    const keys = await plane.pool.query('SELECT id FROM api_keys WHERE workspace_id = $1', [workspaceId]);
    expect(await namesOf(`createdBy=${keys.rows[0].id}&sort=name`, own)).toEqual(['x1', 'y']);
  });

  test('of a folder give its codes', async () => {
    expect(await namesOf(`folderId=${folder}`, filtered)).toEqual(['a']);
  });

  test.each([
    ['createdAfter=2026-05-02T00:00:00Z&createdBefore=2026-05-01T00:00:00Z', 'createdBefore', 'createdAfter'],
    ['updatedAfter=2026-05-01T00:00:00Z&updatedBefore=2026-05-01T00:00:00Z', 'updatedBefore', 'updatedAfter'],
  ])('a window without time is 400 naming both of its ends: %s', async (query, ...named) => {
    const { status, message } = await refusalOf(query);
    expect(status).toBe(400);
    for (const name of named) expect(message).toContain(name);
  });

  test.each([
    ['createdAfter', '2026-05-01T00:00:00'],
    ['archived', 'maybe'],
    ['sort', 'id'],
    ['tags', ','],
    ['excludeExpired', 'yes'],
    ['serach', 'x'],
  ])('%s=%s is 400 naming it', async (name, value) => {
    const { status, message } = await refusalOf(`${name}=${value}`);
    expect([status, message]).toEqual([400, expect.stringContaining(name)]);
  });
});

describe('an order', () => {
  let sorted: Workspace;

  beforeAll(async () => {
    sorted = await plane.workspace();
    const scans = [3, 0, 7, 7];
    for (const [at, name] of ['banana', 'Apple', 'cherry', null].entries()) {
      const { id } = await sorted.createCode({ name });
      if (scans[at]! > 0) await setScans(id, scans[at]!, `2026-05-0${at + 1}T00:00:00Z`);
    }
    const [first] = (await listOf('sort=createdAt&limit=1', sorted)).data;
    await sorted.call('PUT', `/api/qr/codes/${first!.id}`, { maxScans: 5 });
  });

  const orders = {
    createdAt: ['banana', 'Apple', 'cherry', null],
    name: [null, 'Apple', 'banana', 'cherry'],
    updatedAt: ['Apple', 'cherry', null, 'banana'],
    scanCount: ['Apple', 'banana', 'cherry', null],
    lastScannedAt: ['Apple', 'banana', 'cherry', null],
  };

  test.each(Object.entries(orders))(
    'by %s is the same forwards, backwards and page by page',
    async (sort, names) => {
      expect(await namesOf(`sort=${sort}`, sorted)).toEqual(names);
      expect(await namesOf(`sort=-${sort}`, sorted)).toEqual(names.toReversed());
      // With a filter, the page is found in another way.
      for (const filter of ['', '&tagsExclude=none']) {
        const found: unknown[] = [];
        let cursor = '';
        do {
          const page = await listOf(`sort=-${sort}&limit=1${filter}${cursor && `&cursor=${cursor}`}`, sorted);
          expect(page.pagination).toMatchObject({ total: 4, totalRelation: 'eq' });
          found.push(page.data[0]!.name);
          cursor = page.pagination.nextCursor ?? '';
        } while (cursor);
        expect(found).toEqual(names.toReversed());
      }
    },
  );

  test('a cursor with another filter, another sort or in another workspace is 400', async () => {
    const { nextCursor } = (await listOf('sort=name&limit=1', sorted)).pagination;
    expect((await listOf(`sort=name&limit=2&cursor=${nextCursor}`, sorted)).data).toHaveLength(2);
    for (const query of ['sort=-name', 'sort=name&status=active', 'sort=name&archived=any', ''])
      expect(await refusalOf(`${query}&limit=1&cursor=${nextCursor}`, sorted)).toEqual({
        status: 400,
        message: 'cursor must be a nextCursor of this list',
      });
    expect((await refusalOf(`sort=name&limit=1&cursor=${nextCursor}`)).status).toBe(400);
  });
});

describe('codes that lead nowhere', () => {
  test('excludeExpired and excludeCapped leave them out, and nothing else', async () => {
    const { call, createCode, ...rest } = await plane.workspace();
    const workspace = { call, createCode, ...rest };
    const expired = await createCode({ name: 'expired', expiresAt: '2090-01-01T00:00:00Z' });
    const capped = await createCode({ name: 'capped', maxScans: 2 });
    await createCode({ name: 'open', maxScans: 9, expiresAt: '2090-01-01T00:00:00Z' });
    await plane.pool.query(`UPDATE codes SET expires_at = '2026-01-01' WHERE id = $1`, [expired.id]);
    await plane.pool.query(
      `UPDATE code_scans SET cap_taken = 2, cap_epoch = codes.cap_epoch FROM codes
       WHERE codes.id = code_id AND code_id = $1`,
      [capped.id],
    );
    expect(await namesOf('excludeExpired=true', workspace)).toEqual(['open', 'capped']);
    expect(await namesOf('excludeCapped=true', workspace)).toEqual(['open', 'expired']);
    // A cap that is removed and set again starts at zero.
    await call('PUT', `/api/qr/codes/${capped.id}`, { maxScans: null });
    await call('PUT', `/api/qr/codes/${capped.id}`, { maxScans: 1 });
    expect(await namesOf('excludeCapped=true', workspace)).toEqual(['open', 'capped', 'expired']);
  });
});

describe('GET /api/qr/codes/count', () => {
  test('counts by each grouping, with and without filters', async () => {
    const workspace = await plane.workspace();
    const folder = (await workspace.call('POST', '/api/qr/folders', { name: 'F' })).body as { id: string };
    await workspace.createCode({ name: 'xx', tags: ['One', 'Two'], folderId: folder.id });
    await workspace.createCode({ name: 'xx', tags: ['one'], data: 'https://other.example/' });
    const off = await workspace.createCode({ name: 'y', dataType: 'text', data: 'hello' });
    await workspace.call('DELETE', `/api/qr/codes/${off.id}`);
    await workspace.createCode({ name: 'hidden', tags: ['one'], archived: true });
    const groups = {
      status: [
        ['active', 2],
        ['inactive', 1],
      ],
      type: [
        ['url', 2],
        ['text', 1],
      ],
      tag: [
        ['One', 2],
        ['Two', 1],
      ],
      folder: [
        [null, 2],
        [folder.id, 1],
      ],
      domain: [[null, 3]],
      destinationHost: [
        ['example.com', 1],
        ['other.example', 1],
      ],
    };
    for (const [grouping, expected] of Object.entries(groups)) {
      const named = expected.map(([value, count]) => ({ value, count }));
      const plain = await countOf(`groupBy=${grouping}`, workspace);
      expect([grouping, plain.groups]).toEqual([grouping, expect.arrayContaining(named)]);
      // One by one: codes without a host are a group then.
      const filtered = await countOf(`groupBy=${grouping}&tagsExclude=none`, workspace);
      expect([grouping, filtered.groups]).toEqual([grouping, expect.arrayContaining(named)]);
      expect(plain.total).toBe(3);
      expect(filtered.total).toBe(3);
    }
    expect((await countOf('groupBy=tag&archived=any', workspace)).groups).toEqual([
      { value: 'One', count: 3 },
      { value: 'Two', count: 1 },
    ]);
    expect(await countOf('groupBy=tag&search=xx&archived=any', workspace)).toMatchObject({ total: 2 });
  });
});
