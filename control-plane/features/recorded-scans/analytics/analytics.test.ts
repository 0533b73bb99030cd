/** Analytics of a workspace against a slow, obvious count of the same scans: in any zone, window, group and filter. */
import fc from 'fast-check';
import { pino } from 'pino';
import { beforeAll, expect, test } from 'vitest';
import type { ColumnFilter, ListFilter } from '#schemas/api/scan-filters.ts';
import { type WorkspaceAnalyticsQuery, workspaceAnalytics } from '#schemas/api/workspace-analytics.ts';
import { operatingSystems, scanKinds } from '#schemas/scan-event.ts';
import { type ClickHouseClient, createClickHouse } from '#shared/clickhouse.ts';
import { afterFile, createTestClickHouse, createTestDatabase } from '../../../../deploy/testing/index.ts';
import { createPool } from '../../../platform/db/pool.ts';
import { type AnalyticsSources, readWorkspaceAnalytics } from './analytics.ts';
import { createAskScans } from './query.ts';

const dayMs = 86_400_000;
let clickhouse: ClickHouseClient;
let sources: AnalyticsSources;

beforeAll(async () => {
  clickhouse = createClickHouse(await createTestClickHouse({ scanRetentionDays: 25_000 }), 'test', 60_000);
  afterFile(() => clickhouse.close());
  const db = createPool(await createTestDatabase(), 'test', pino({ level: 'silent' }));
  afterFile(() => db.end());
  sources = {
    ask: createAskScans(clickhouse),
    facts: { db, qrHost: 'https://qr.example.com' },
    keptDaysOf: async () => 25_000,
  };
});

const zones = [
  'UTC',
  'Europe/Berlin',
  'America/St_Johns',
  'America/Havana',
  'Africa/Cairo',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
] as const;

const columns = {
  country: 'country',
  device: 'device',
  os: 'os',
  browser: 'browser',
  referrer: 'referrer_host',
  source: 'source',
  variant: 'variant_id',
  rule: 'rule_id',
  code: 'code_id',
} as const;
type Named = keyof typeof columns;
const names = Object.keys(columns) as Named[];

interface Scan extends Record<(typeof columns)[Named], string> {
  tsMs: number;
  kind: string;
  visitor: number;
}

const oneOf = (...values: string[]) => fc.constantFrom(...values);
const values = {
  country: ['', 'DE', 'FR', 'NP'],
  device: ['mobile', 'tablet', 'desktop'],
  os: [...operatingSystems],
  browser: ['', 'Safari', "O'Brow\\ser"],
  referrer: ['', 'news.example', 't.co'],
  source: ['', 'flyer'],
  variant: ['', 'a', 'b'],
  rule: ['', 'r1', "'; --"],
  code: ['c1', 'c2', 'c3'],
} as const satisfies Record<Named, readonly string[]>;

const scanOf = (tsMs: fc.Arbitrary<number>): fc.Arbitrary<Scan> =>
  fc.record({
    tsMs,
    kind: fc.constantFrom('scan', 'scan', 'scan', ...scanKinds),
    visitor: fc.nat(12),
    device: oneOf(...values.device),
    os: oneOf(...values.os),
    browser: oneOf(...values.browser),
    country: oneOf(...values.country),
    referrer_host: oneOf(...values.referrer),
    source: oneOf(...values.source),
    variant_id: oneOf(...values.variant),
    rule_id: oneOf(...values.rule),
    code_id: oneOf(...values.code),
  });

/** A filter has values that a filter can have: not the empty one. */
const filterOf = (name: Named): fc.Arbitrary<ListFilter> =>
  fc.record({
    not: fc.boolean(),
    values: fc.subarray(
      values[name].filter((value) => value !== ''),
      { minLength: 1 },
    ),
  });

const filters = fc
  .uniqueArray(fc.constantFrom(...names), { maxLength: 2 })
  .chain((some) => fc.record(Object.fromEntries(some.map((name) => [name, filterOf(name)]))));

/** Windows of days, and of instants that are no whole quarters. */
const windowOf = (nowMs: number) =>
  fc.oneof(
    fc.record({ days: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 90 })) }),
    fc
      .tuple(fc.integer({ min: 1, max: 20 * dayMs }), fc.integer({ min: 1, max: 20 * dayMs }))
      .map(([a, b]) => ({ from: { ms: nowMs - a - b }, to: { ms: nowMs - b } })),
  );

const cases = fc
  .record({
    nowMs: fc.integer({ min: Date.parse('2027-01-01T00:00Z'), max: Date.parse('2027-12-31T23:59Z') }),
    timezone: fc.constantFrom(...zones),
    groupBy: fc.constantFrom('timeseries', 'timeseries', ...names),
    interval: fc.constantFrom('hour', 'day', 'week', 'month'),
    compare: fc.constantFrom(undefined, 'previous'),
    filters: fc.oneof(fc.constant({}), filters),
  })
  .chain((given) =>
    fc.record({
      given: fc.constant(given),
      window: windowOf(given.nowMs),
      scans: fc.array(
        scanOf(
          fc
            .oneof(
              fc.integer({ min: -2 * dayMs, max: 185 * dayMs }),
              fc.integer({ min: -2 * dayMs, max: 10 * dayMs }),
            )
            .map((agoMs) => given.nowMs - agoMs),
        ),
        { minLength: 30, maxLength: 200 },
      ),
    }),
  );

const record = (workspaceId: string, scans: readonly Scan[]): Promise<unknown> =>
  clickhouse.insert({
    table: 'scans',
    format: 'JSONEachRow',
    values: scans.map(({ tsMs, ...row }) => ({
      workspace_id: workspaceId,
      ts: new Date(tsMs).toISOString().slice(0, -1).replace('T', ' '),
      ...row,
    })),
  });

const passes = (scan: Scan, given: Partial<Record<Named, ListFilter>>): boolean =>
  Object.entries(given).every(
    ([name, filter]) => filter.values.includes(scan[columns[name as Named]]) !== filter.not,
  );

/** What a moment of an interval is called in a zone: the same for all of its moments, and for no other one's. */
const nameOf = (interval: string, timezone: string) => {
  const day = new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' });
  const hour = new Intl.DateTimeFormat('en-CA', {
    timeZone: timezone,
    dateStyle: 'short',
    timeStyle: 'short',
    hourCycle: 'h23',
  });
  return (ms: number): string => {
    if (interval === 'hour') return hour.format(ms).slice(0, -3);
    const date = day.format(ms);
    if (interval === 'month') return date.slice(0, 7);
    if (interval === 'day') return date;
    const monday = Date.parse(date) - ((new Date(date).getUTCDay() + 6) % 7) * dayMs;
    return new Date(monday).toISOString().slice(0, 10);
  };
};

const countBy = <Key>(scans: readonly Scan[], keyOf: (scan: Scan) => Key): Map<Key, Scan[]> =>
  Map.groupBy(scans, keyOf);

const visitors = (scans: readonly Scan[]): number => new Set(scans.map(({ visitor }) => visitor)).size;

let workspaces = 0;

test('in any zone, window, group and filter, analytics are what counting the scans one by one gives', async () => {
  await fc.assert(
    fc.asyncProperty(cases, async ({ given, window, scans }) => {
      const workspaceId = `ws_${workspaces++}`;
      await record(workspaceId, scans);
      const { timezone, groupBy, interval, compare } = given;
      const query: WorkspaceAnalyticsQuery = { timezone, groupBy, compare, ...given.filters, ...window };
      if (groupBy === 'timeseries') query.interval = interval;
      const answer = await readWorkspaceAnalytics(sources, workspaceId, query, new Date(given.nowMs));
      workspaceAnalytics.parse(answer);
      const inside = ({ from, to }: { from: string; to: string }) =>
        scans.filter(
          (scan) =>
            scan.kind === 'scan' &&
            scan.tsMs >= Date.parse(from) &&
            scan.tsMs < Date.parse(to) &&
            passes(scan, given.filters),
        );
      const counted = inside(answer);
      const before = answer.previous && inside(answer.previous);
      expect(answer.total.scans).toBe(counted.length);
      expect(answer.total.previousScans).toBe(before?.length);
      if (answer.previous) expect(answer.previous.to).toBe(answer.from);
      if (groupBy === 'timeseries') {
        expect(answer.total.uniqueScans).toBe(visitors(counted));
        expect(answer.total.previousUniqueScans).toBe(before && visitors(before));
        const name = nameOf(interval, timezone);
        const expected = countBy(counted, ({ tsMs }) => name(tsMs));
        const rows = Map.groupBy(answer.data, ({ start }) => name(Date.parse(start!)));
        for (const [label, some] of expected)
          expect(rows.get(label)?.reduce((sum, row) => sum + row.scans, 0)).toBe(some.length);
        for (const [label, [row, ...more]] of rows)
          if (more.length === 0) expect(row!.uniqueScans).toBe(visitors(expected.get(label) ?? []));
        expect(answer.data.reduce((sum, row) => sum + row.scans, 0)).toBe(counted.length);
        // A row for each interval of the window, and no more, except for hours that come twice.
        const labels = new Set([name(Date.parse(answer.to) - 1)]);
        for (let ms = Date.parse(answer.from); ms < Date.parse(answer.to); ms += 900_000)
          labels.add(name(ms));
        expect([...rows.keys()].sort()).toEqual([...labels].sort());
        if (interval !== 'hour') expect(answer.data).toHaveLength(labels.size);
      } else {
        const column = columns[groupBy as ColumnFilter | 'code'];
        const [now, then] = [
          countBy(counted, (scan) => scan[column]),
          countBy(before ?? [], (scan) => scan[column]),
        ];
        const all = new Set([...now.keys(), ...then.keys()].filter((value) => value !== ''));
        const rowOf = (value: string) => ({
          scans: now.get(value)?.length ?? 0,
          ...(before && { previousScans: then.get(value)?.length ?? 0 }),
        });
        const expected = [...all]
          .map((value) => ({ value, ...rowOf(value) }))
          .sort(
            (a, b) =>
              b.scans - a.scans ||
              (b.previousScans ?? 0) - (a.previousScans ?? 0) ||
              (a.value < b.value ? -1 : 1),
          );
        expect(answer.data).toEqual(expected);
        expect(answer.none).toEqual(rowOf(''));
        expect(answer.other).toEqual({ scans: 0, ...(before && { previousScans: 0 }) });
      }
    }),
    { numRuns: 80, endOnFailure: true },
  );
});

test('visitors of a workspace are estimated with an error below 5%, three times what the documentation states', async () => {
  const workspaceId = 'ws_visitors';
  // A day of 200,000 visitors, each of whom scans up to three times.
  await clickhouse.command({
    query: `INSERT INTO scans (workspace_id, code_id, ts, kind, device, os, visitor)
            SELECT '${workspaceId}', concat('c', toString(number % 50)), toDateTime64('2027-05-04 00:00:00', 3, 'UTC') + number % 86400,
              'scan', 'mobile', 'ios', cityHash64(number % 200000) FROM numbers(500000)`,
  });
  const query: WorkspaceAnalyticsQuery = {
    groupBy: 'timeseries',
    timezone: 'UTC',
    interval: 'hour',
    days: 1,
  };
  const { total, data } = await readWorkspaceAnalytics(
    sources,
    workspaceId,
    query,
    new Date('2027-05-04T12:00Z'),
  );
  const result = await clickhouse.query({
    query: `SELECT toHour(ts) AS hour, uniqExact(visitor) AS visitors FROM scans WHERE workspace_id = '${workspaceId}'
            GROUP BY hour ORDER BY hour`,
    format: 'JSONEachRow',
  });
  const exact = (await result.json<{ visitors: string }>()).map(({ visitors }) => Number(visitors));
  const errors = [
    total.uniqueScans! / 200_000 - 1,
    ...data.map(({ uniqueScans }, hour) => uniqueScans! / exact[hour]! - 1),
  ];
  expect(total.scans).toBe(500_000);
  expect(Math.max(...errors.map(Math.abs))).toBeLessThan(0.05);
  const meanSquare = errors.reduce((sum, error) => sum + error ** 2, 0) / errors.length;
  expect(Math.sqrt(meanSquare)).toBeLessThan(0.025);
});
