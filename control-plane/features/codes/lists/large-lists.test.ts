/** Lists of a workspace with more codes than are read one by one: pages are found along the order, or by the filters. */
import { beforeAll, describe, expect, test } from 'vitest';
import { codeCount, codeList, countedMax } from '#schemas/api/code-lists.ts';
import {
  errorBody,
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../../testing/control-plane.ts';

const codes = countedMax + 2_000;

interface Row {
  id: string;
  seq: number;
  at: number;
  name: string;
  scans: number;
  last: number;
  /** Many codes have the first tag, few the second one, and only the oldest ones the third. */
  tags: string[];
}

let plane: TestControlPlane;
let own: Workspace;
let rows: Row[];

beforeAll(async () => {
  plane = await startTestControlPlane();
  own = await plane.workspace();
  await own.createCode({ tags: ['many', 'few', 'oldest'], archived: true });
  const base58 = (n: string) => `lpad(translate(${n}::text, '0', 'z'), 9, 'A')`;
  await plane.pool.query(
    `INSERT INTO codes (id, workspace_id, name, data_type, destination, tag_ids, created_at, updated_at)
     SELECT ${base58('n')}, $1, CASE WHEN n % 7 > 0 THEN 'Code ' || n * 7919 % 1000 END, 'url', 'https://example.com/' || n,
       ARRAY(SELECT id FROM tags WHERE workspace_id = $1 AND CASE key WHEN 'many' THEN n % 2 = 0
         WHEN 'few' THEN n % 1000 = 1 ELSE n < 4000 END ORDER BY id),
       '2026-01-01'::timestamptz + n / 3 * interval '1 s', '2026-01-01'::timestamptz + n * 31 % 5000 * interval '1 s'
     FROM generate_series(1, $2::int) AS n`,
    [own.workspaceId, codes],
  );
  await plane.pool.query(
    `UPDATE code_scans SET scans = seq * 17 % 97,
       last_scanned_at = CASE WHEN seq % 5 > 0 THEN '2026-02-01'::timestamptz + seq * 13 % 700 * interval '1 s' ELSE '-infinity' END
     WHERE workspace_id = $1`,
    [own.workspaceId],
  );
  await plane.pool.query('ANALYZE codes');
  const found = await plane.pool.query<Row>(
    `SELECT id, codes.seq::int, extract(epoch FROM created_at)::float AS at, coalesce(lower(name), '') AS name, scans::int,
       extract(epoch FROM last_scanned_at)::float AS last, extract(epoch FROM updated_at)::float AS updated,
       ARRAY(SELECT key FROM tags WHERE tags.id = ANY(tag_ids)) AS tags
     FROM codes JOIN code_scans ON code_id = codes.id WHERE codes.workspace_id = $1 AND NOT archived`,
    [own.workspaceId],
  );
  rows = found.rows;
}, 120_000);

const keyOf = {
  createdAt: 'at',
  updatedAt: 'updated',
  name: 'name',
  scanCount: 'scans',
  lastScannedAt: 'last',
} as const;

const compare = (a: unknown, b: unknown): number => (a === b ? 0 : (a as number) < (b as number) ? -1 : 1);

const expected = (sort: string, tag: string | undefined): string[] => {
  const key = keyOf[sort.replace('-', '') as keyof typeof keyOf] as keyof Row;
  const ascending = rows
    .filter(({ tags }) => tag === undefined || tags.includes(tag))
    .sort((a, b) => compare(a[key], b[key]) || a.seq - b.seq)
    .map(({ id }) => id);
  return sort.startsWith('-') ? ascending.toReversed() : ascending;
};

const pagesMax = 2;

const readPages = async (query: string) => {
  const ids: string[] = [];
  let cursor = '';
  let pagination: ReturnType<typeof codeList.parse>['pagination'] | undefined;
  for (let page = 0; page < pagesMax && (page === 0 || cursor); page++) {
    const answer = await own.call('GET', `/api/qr/codes?limit=100&${query}${cursor && `&cursor=${cursor}`}`);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    const list = codeList.parse(answer.body);
    ids.push(...list.data.map(({ id }) => id));
    pagination = list.pagination;
    cursor = list.pagination.nextCursor ?? '';
  }
  return { ids, ...pagination! };
};

describe.each(Object.keys(keyOf).flatMap((name) => [name, `-${name}`]))('sort=%s', (sort) => {
  test.each([undefined, 'many', 'few', 'oldest'])(
    'gives the codes with the tag %s in their order',
    async (tag) => {
      const { ids, total, totalRelation } = await readPages(`sort=${sort}${tag ? `&tags=${tag}` : ''}`);
      const all = expected(sort, tag);
      expect(ids).toEqual(all.slice(0, pagesMax * 100));
      if (totalRelation === 'eq') expect(total).toBe(all.length);
      else expect(total).toBeLessThanOrEqual(all.length);
      if (tag !== 'many') expect(totalRelation).toBe('eq');
    },
  );
});

test('a window of the order’s own time begins where it does', async () => {
  const from = new Date('2026-01-01T00:10:00Z').getTime() / 1000;
  const to = new Date('2026-01-01T00:20:00Z').getTime() / 1000;
  const inside = rows.filter(({ at }) => at >= from && at < to).sort((a, b) => b.at - a.at || b.seq - a.seq);
  const { ids } = await readPages('createdAfter=2026-01-01T00:10:00Z&createdBefore=2026-01-01T00:20:00Z');
  expect(ids).toEqual(inside.slice(0, pagesMax * 100).map(({ id }) => id));
});

test('groups of more codes than are counted one by one are 422, and of few are counted', async () => {
  const many = await own.call('GET', '/api/qr/codes/count?groupBy=type&tags=many');
  expect([many.status, errorBody.parse(many.body).error]).toEqual([422, expect.stringMatching(/^groupBy /)]);
  const few = await own.call('GET', '/api/qr/codes/count?groupBy=tag&tags=few');
  expect(codeCount.parse(few.body).groups).toContainEqual({ value: 'few', count: codes / 1000 });
});

/** While nothing can be read from a table. */
const whileLocked = async <T>(table: string, work: () => Promise<T>): Promise<T> => {
  const blocker = await plane.pool.connect();
  try {
    await blocker.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    return await work();
  } finally {
    await blocker.query('ROLLBACK');
    blocker.release();
  }
};

const refusalOf = async (path: string) => {
  const { status, body } = await own.call('GET', `/api/qr/codes${path}`);
  return [status, errorBody.parse(body).error];
};

/** Archived codes are in the indexes of the orders: a list without them may walk past any number. */
test.each(['sort=scanCount&tags=few', 'sort=scanCount', 'sort=scanCount&archived=true'])(
  'the list %s that takes too long is 503 after half a second, and says what to do',
  async (query) => {
    expect(await whileLocked('code_scans', () => refusalOf(`?${query}`))).toEqual([
      503,
      expect.stringContaining('narrow the filters'),
    ]);
    expect((await own.call('GET', `/api/qr/codes?${query}`)).status).toBe(200);
  },
);

test.each(['destinationHost', 'tag', 'folder', 'domain'])(
  'a count by %s waits for its turn, and is 503 after half a second',
  async (grouping) => {
    const path = `/count?groupBy=${grouping}`;
    const refused = await whileLocked('code_facets', () =>
      Promise.all(Array.from({ length: 80 }, () => refusalOf(path))),
    );
    const kinds = new Set(refused.map(([status, error]) => `${status} ${error}`));
    expect([...kinds].toSorted()).toEqual([
      expect.stringMatching(/^429 Too many of your lists are waiting/),
      expect.stringMatching(/^503 Too many codes match/),
      expect.stringMatching(/^503 Too many lists are being read/),
    ]);
    expect((await own.call('GET', `/api/qr/codes${path}`)).status).toBe(200);
  },
);
