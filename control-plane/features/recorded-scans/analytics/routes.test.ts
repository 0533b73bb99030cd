import { beforeAll, describe, expect, test } from 'vitest';
import type { ScanFilters } from '#schemas/api/scan-filters.ts';
import { type WorkspaceAnalytics, workspaceAnalytics } from '#schemas/api/workspace-analytics.ts';
import { type ClickHouseClient, createClickHouse } from '#shared/clickhouse.ts';
import { afterFile } from '../../../../deploy/testing/local.ts';
import type { Queryable } from '../../../platform/db/pool.ts';
import {
  qrHost,
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../../testing/control-plane.ts';
import { codeIdsOf, codesMax } from '../codes-of.ts';

let plane: TestControlPlane;
let own: Workspace;
let other: Workspace;
let clickhouse: ClickHouseClient;

beforeAll(async () => {
  plane = await startTestControlPlane();
  [own, other] = [await plane.workspace(), await plane.workspace()];
  clickhouse = createClickHouse(plane.clickhouseUrl, 'test', 10_000);
  afterFile(() => clickhouse.close());
});

const record = (codeId: string, countries: readonly string[]): Promise<unknown> =>
  clickhouse.insert({
    table: 'scans',
    format: 'JSONEachRow',
    values: countries.map((country) => ({
      workspace_id: own.workspaceId,
      code_id: codeId,
      ts: new Date().toISOString().slice(0, -1).replace('T', ' '),
      kind: 'scan',
      device: 'mobile',
      country,
    })),
  });

const analytics = async (workspace: Workspace, query: string): Promise<WorkspaceAnalytics> => {
  const { status, body } = await workspace.call('GET', `/api/qr/analytics?${query}`);
  expect(status).toBe(200);
  return workspaceAnalytics.parse(body);
};

const rowsOf = ({ data }: WorkspaceAnalytics): string[] =>
  data.map(({ value, scans }) => `${value} ${scans}`);

test('scans are grouped and filtered by the host that their code is printed with', async () => {
  const [printed, shared] = [await own.createCode(), await own.createCode()];
  await plane.pool.query(`UPDATE codes SET link_base = 'https://go.example.com/q/' WHERE id = $1`, [
    printed.id,
  ]);
  await record(printed.id, ['DE', 'DE', 'FR']);
  await record(shared.id, ['DE']);
  const host = new URL(qrHost).host;
  expect(rowsOf(await analytics(own, 'groupBy=domain'))).toEqual(['go.example.com 3', `${host} 1`]);
  expect(rowsOf(await analytics(own, 'groupBy=code&domain=go.example.com'))).toEqual([`${printed.id} 3`]);
  expect(rowsOf(await analytics(own, 'groupBy=country&domain=-go.example.com'))).toEqual(['DE 1']);
  expect(await analytics(own, 'groupBy=country&limit=1')).toMatchObject({
    data: [{ value: 'DE', scans: 3 }],
    other: { scans: 1 },
    none: { scans: 0 },
  });
  expect(await analytics(other, 'groupBy=domain')).toMatchObject({ total: { scans: 0 }, data: [] });
  expect((await analytics(other, `code=${printed.id}`)).total).toEqual({ scans: 0, uniqueScans: 0 });
});

describe('a filter by domain', () => {
  const host = new URL(qrHost).host;
  let large: Workspace;
  /** Codes at the domain, beside more at the shared host than a filter may have. */
  beforeAll(async () => {
    large = await plane.workspace();
    await plane.pool.query(
      `INSERT INTO codes (id, workspace_id, data_type, destination, link_base)
       SELECT lpad(translate(n::text, '0', 'z'), 9, 'D'), $1, 'url', 'https://example.com/',
         CASE WHEN n <= 3 THEN 'https://go.example.com/q/' WHEN n = 4 THEN 'https://Go.example.com.evil.example/' END
       FROM generate_series(1, $2::int) n`,
      [large.workspaceId, codesMax + 5],
    );
    await plane.pool.query('ANALYZE codes');
  }, 120_000);

  /** PostgreSQL, which says how many rows each statement has read of codes. */
  const measuring = () => {
    const read: number[] = [];
    const rowsOf = (plan: Plan): number =>
      (plan['Relation Name'] === 'codes'
        ? (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']
        : 0) + (plan.Plans ?? []).reduce((sum, each) => sum + rowsOf(each), 0);
    const query = async (statement: { text: string; values: unknown[] }) => {
      const { text, values } = statement;
      const { rows } = await plane.pool.query({ text: `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values });
      read.push(rowsOf(rows[0]['QUERY PLAN'][0].Plan));
      return plane.pool.query({ text, values });
    };
    return { read, db: { query } as unknown as Queryable };
  };
  const filterOf = (...values: string[]) => ({ domain: { not: false, values } }) as ScanFilters;

  test('reads only codes of that domain, and none if they are too many', async () => {
    const { db, read } = measuring();
    const facts = { db, qrHost };
    const [found] = await codeIdsOf(facts, large.workspaceId, filterOf('GO.example.com', 'unknown.example'));
    expect(found!.values).toHaveLength(3);
    expect(Math.max(...read)).toBe(3);
    read.length = 0;
    await expect(codeIdsOf(facts, large.workspaceId, filterOf(host))).rejects.toThrow(
      `domain must have at most ${codesMax} codes`,
    );
    expect(Math.max(...read)).toBe(0);
  });

  test('counts archived codes, and those at the shared host once they are few enough', async () => {
    const few = await plane.workspace();
    const [a, b] = [await few.createCode(), await few.createCode({ archived: true })];
    const ids = async (...hosts: string[]) =>
      (
        await codeIdsOf({ db: plane.pool, qrHost }, few.workspaceId, filterOf(...hosts))
      )[0]!.values.toSorted();
    expect(await ids(host)).toEqual([a.id, b.id].toSorted());
    await plane.pool.query(`UPDATE codes SET link_base = 'https://few.example/' WHERE id = $1`, [b.id]);
    expect([await ids(host), await ids('few.example'), await ids('few.example', host)]).toEqual([
      [a.id],
      [b.id],
      [a.id, b.id].toSorted(),
    ]);
  });
});

interface Plan {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

test.each([
  ['groupBy=country&interval=hour', 'interval must only be given with groupBy=timeseries'],
  ['limit=5', 'limit must not be given with groupBy=timeseries'],
  ['days=5&from=2026-01-01', 'days must not be given together with from and to'],
  ['to=2026-01-01', 'from must be given together with to'],
  ['from=2026-02-01&to=2026-01-01', 'to must be after from'],
  ['from=2026-01-01&to=2026-06-01', 'from and to must be at most 90 days apart'],
  ['from=2026-01-01T00:00:00&to=2026-01-02', 'from must be a day such as'],
  ['country=US,-CA', 'country must have a minus before its first value, or before none'],
  ['device=phone', 'device must have values among mobile, tablet, desktop'],
  ['groupBy=place', 'groupBy'],
  ['from=2020-01-01&to=2020-01-10&country=DE', 'from must be at most 400 days ago'],
])('%s is 400: %s', async (query, message) => {
  const { status, body } = await own.call('GET', `/api/qr/analytics?${query}`);
  expect(status).toBe(400);
  expect((body as { error: string }).error).toContain(message);
});
