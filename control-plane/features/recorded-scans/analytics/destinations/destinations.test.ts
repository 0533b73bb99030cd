/** Scans and conversions by destination, against the destinations that the codes had at the time of each scan. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { type WorkspaceAnalytics, workspaceAnalytics } from '#schemas/api/workspace-analytics.ts';
import { type ClickHouseClient, createClickHouse } from '#shared/clickhouse.ts';
import { afterFile } from '../../../../../deploy/testing/local.ts';
import {
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../../../testing/control-plane.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const nowMs = Date.now();
let plane: TestControlPlane;
let clickhouse: ClickHouseClient;

beforeAll(async () => {
  plane = await startTestControlPlane();
  clickhouse = createClickHouse(plane.clickhouseUrl, 'test', 10_000);
  afterFile(() => clickhouse.close());
});

const momentOf = (ms: number): string => new Date(ms).toISOString().slice(0, -1).replace('T', ' ');

interface Scan {
  code: string;
  agoMs: number;
  rule?: string;
  variant?: string;
  os?: string;
}

const rowOf = (
  { workspaceId }: Workspace,
  { code, agoMs, rule = '', variant = '', os = 'android' }: Scan,
) => ({
  workspace_id: workspaceId,
  code_id: code,
  event_id: randomUUID(),
  ts: momentOf(nowMs - agoMs),
  kind: 'scan',
  device: 'mobile',
  os,
  rule_id: rule,
  variant_id: variant,
});

/** Each scan has a conversion of one euro, an hour later. */
const record = async (workspace: Workspace, scans: readonly Scan[]): Promise<void> => {
  const rows = scans.map((scan) => rowOf(workspace, scan));
  await clickhouse.insert({ table: 'scans', format: 'JSONEachRow', values: rows });
  await clickhouse.insert({
    table: 'conversions',
    format: 'JSONEachRow',
    values: rows.map((row, at) => ({
      ...row,
      conversion_id: randomUUID(),
      event: 'purchase',
      occurred_at: momentOf(nowMs - scans[at]!.agoMs + hourMs),
      units: 10_000,
      currency: 'EUR',
    })),
  });
};

/** Makes the change of a version one of the past. */
const backdate = async (code: string, version: number, agoMs: number): Promise<void> => {
  const at = new Date(nowMs - agoMs).toISOString();
  await plane.pool.query('UPDATE code_versions SET changed_at = $3 WHERE code_id = $1 AND version = $2', [
    code,
    version,
    at,
  ]);
  await plane.pool.query('UPDATE codes SET updated_at = $2 WHERE id = $1', [code, at]);
};

const change = async (workspace: Workspace, code: string, body: object, agoMs: number): Promise<void> => {
  const { status } = await workspace.call('PUT', `/api/qr/codes/${code}`, body);
  expect(status).toBe(200);
  const { rows } = await plane.pool.query('SELECT version::integer AS version FROM codes WHERE id = $1', [
    code,
  ]);
  await backdate(code, rows[0].version, agoMs);
};

const read = async (workspace: Workspace, query = ''): Promise<WorkspaceAnalytics> => {
  const answer = await workspace.call('GET', `/api/qr/analytics?groupBy=destination&days=30${query}`);
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
  return workspaceAnalytics.parse(answer.body);
};

const countsOf = ({ data }: WorkspaceAnalytics): Record<string, number> =>
  Object.fromEntries(data.map(({ value, scans }) => [value!.replace('https://example.com/', ''), scans]));

const url = (name: string): string => `https://example.com/${name}`;

test('a scan counts for the destination, the rule’s, the variant’s or the app’s that its code had at its time', async () => {
  const own = await plane.workspace();
  const { id: code } = await own.createCode({ data: url('first') });
  const steps: [body: object, agoDays: number][] = [
    [{ destination: url('second') }, 20],
    [{ name: 'A change that leads nowhere else' }, 18],
    [{ routingRules: [{ id: 'r', condition: { country: ['DE'] }, destination: url('rule-1') }] }, 16],
    [{ routingRules: [{ id: 'r', condition: { country: ['DE'] }, destination: url('rule-2') }] }, 14],
    [
      {
        campaign: {
          status: 'active',
          variants: [
            { id: 'a', name: 'A', destination: url('a'), weight: 1 },
            { id: 'b', name: 'B', destination: url('b'), weight: 1 },
          ],
        },
      },
      12,
    ],
    [{ campaign: null, deepLinkConfig: { ios: { url: url('app') } } }, 10],
    [{ deepLinkConfig: null, routingRules: null, destination: url('third') }, 8],
  ];
  for (const [body, agoDays] of steps) await change(own, code, body, agoDays * dayMs);
  const { id: wifi } = await own.createCode({
    dataType: 'wifi',
    data: { ssid: 'guests', password: 'secret-1', encryption: 'WPA' },
  });
  const scan = (agoDays: number, more: Partial<Scan> = {}): Scan => ({
    code,
    agoMs: agoDays * dayMs,
    ...more,
  });
  await record(own, [
    scan(25),
    scan(21),
    scan(19),
    scan(17),
    scan(15, { rule: 'r' }),
    scan(13, { rule: 'r' }),
    scan(13),
    scan(11, { variant: 'a' }),
    scan(11, { variant: 'b' }),
    scan(11, { variant: 'b' }),
    scan(9, { os: 'ios' }),
    scan(9, { os: 'android' }),
    scan(9, { os: 'ios', rule: 'r' }),
    scan(7),
    scan(1),
    scan(1, { rule: 'gone' }),
    scan(2, { code: wifi }),
  ]);
  const answer = await read(own, '&conversions=scanned');
  expect(countsOf(answer)).toEqual({
    second: 4,
    first: 2,
    'rule-2': 2,
    b: 2,
    third: 2,
    'rule-1': 1,
    a: 1,
    app: 1,
  });
  expect(answer).toMatchObject({
    total: { scans: 17 },
    none: { scans: 1, conversions: { count: 1 } },
    unknown: { scans: 1, conversions: { count: 1 } },
    other: { scans: 0, conversions: { count: 0 } },
  });
  for (const row of answer.data)
    expect(row.conversions).toMatchObject({
      count: row.scans,
      rate: 1,
      values: [{ currency: 'EUR', value: row.scans }],
    });
  const limited = await read(own, '&limit=1&conversions=occurred');
  expect(limited).toMatchObject({ data: [{ scans: 4 }], other: { scans: 11, conversions: { count: 11 } } });
  const from = new Date(nowMs - 12 * dayMs).toISOString();
  const compared = await own.call(
    'GET',
    `/api/qr/analytics?groupBy=destination&from=${from}&to=${new Date(nowMs).toISOString()}&compare=previous`,
  );
  expect(workspaceAnalytics.parse(compared.body).data).toContainEqual({
    value: url('second'),
    scans: 1,
    previousScans: 3,
  });
});

test('a schedule leads to each of its destinations in its time', async () => {
  const own = await plane.workspace();
  const { id: code } = await own.createCode({ data: url('base') });
  const at = (agoDays: number): string => new Date(nowMs - agoDays * dayMs).toISOString();
  await plane.pool.query('UPDATE codes SET routing = $2 WHERE id = $1', [
    code,
    JSON.stringify({
      schedule: [
        { at: at(10), destination: url('spring') },
        { at: at(5), destination: url('summer') },
      ],
    }),
  ]);
  await record(
    own,
    [12, 11, 9, 6, 6, 4, 1].map((agoDays) => ({ code, agoMs: agoDays * dayMs })),
  );
  expect(countsOf(await read(own))).toEqual({ base: 2, spring: 3, summer: 2 });
});

test('scans from before the history of a code are unknown, and the others are not', async () => {
  const own = await plane.workspace();
  const { id: code } = await own.createCode({ data: url('one') });
  await change(own, code, { destination: url('two') }, 20 * dayMs);
  await change(own, code, { destination: url('three') }, 10 * dayMs);
  await record(
    own,
    [25, 15, 15, 5].map((agoDays) => ({ code, agoMs: agoDays * dayMs })),
  );
  expect(countsOf(await read(own))).toEqual({ one: 1, two: 2, three: 1 });
  await plane.pool.query('DELETE FROM code_versions WHERE code_id = $1 AND version = 2', [code]);
  const answer = await read(own);
  expect(countsOf(answer)).toEqual({ three: 1 });
  expect(answer.unknown).toEqual({ scans: 3 });
});

test('any sequence of changes of several codes is counted as a slow look at each scan does', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          changes: fc.uniqueArray(fc.integer({ min: 1, max: 39 }), { maxLength: 4 }),
          scans: fc.array(fc.integer({ min: 0, max: 29 }), { maxLength: 15 }),
        }),
        { minLength: 1, maxLength: 4 },
      ),
      async (histories) => {
        const own = await plane.workspace();
        const expected = new Map<string, number>();
        const scans: Scan[] = [];
        for (const history of histories) {
          const changes = history.changes.toSorted((one, other) => other - one);
          const { id: code } = await own.createCode({ data: url('0') });
          for (const [at, agoDays] of changes.entries())
            await change(own, code, { destination: url(String(at + 1)) }, agoDays * dayMs);
          for (const agoDays of history.scans) {
            const agoMs = agoDays * dayMs + hourMs;
            if (agoMs >= 29 * dayMs) continue;
            scans.push({ code, agoMs });
            const name = String(changes.filter((each) => each * dayMs >= agoMs).length);
            expected.set(name, (expected.get(name) ?? 0) + 1);
          }
        }
        if (scans.length > 0) await record(own, scans);
        const answer = await read(own);
        expect(countsOf(answer)).toEqual(Object.fromEntries(expected));
        expect(answer.total.scans).toBe(scans.length);
      },
    ),
    { numRuns: 6, endOnFailure: true },
  );
});

test('codes that changed more than 2,000 times in the window are refused by name', async () => {
  const own = await plane.workspace();
  const { id: code } = await own.createCode({ data: url('busy') });
  await plane.pool.query(
    `INSERT INTO code_versions (code_id, version, changed_at, parts, before, after, bytes)
     SELECT $1, n, now(), '{destination}', '{"destination": "x"}', '{}', 30 FROM generate_series(2, 2002) AS n`,
    [code],
  );
  await plane.pool.query('UPDATE codes SET version = 2002, updated_at = now() WHERE id = $1', [code]);
  await record(own, [{ code, agoMs: dayMs }]);
  const { status, body } = await own.call('GET', '/api/qr/analytics?groupBy=destination');
  expect([status, (body as { error: string }).error]).toEqual([
    400,
    expect.stringContaining('groupBy must not be destination for codes that changed more than 2000 times'),
  ]);
});
