/** Analytics against a slow, obvious count of the same scans, in any zone and window. */
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { CodeAnalytics } from '#schemas/api/codes.ts';
import { devices, operatingSystems, scanKinds } from '#schemas/scan-event.ts';
import { type ClickHouseClient, createClickHouse } from '#shared/clickhouse.ts';
import { afterFile, createTestClickHouse } from '../../../../deploy/testing/index.ts';
import { readAnalytics } from './analytics.ts';

const workspaceId = 'ws_1111111111111111';
const dayMs = 86_400_000;
let clickhouse: ClickHouseClient;

beforeAll(async () => {
  // The days below are fixed, whatever the clock says.
  clickhouse = createClickHouse(await createTestClickHouse({ scanRetentionDays: 25_000 }), 'test', 60_000);
  afterFile(() => clickhouse.close());
});

/** Whole, half and quarter hours; changes of the clock by an hour, by half an hour, and at midnight; both ends of the world. */
const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/St_Johns',
  'America/Santiago',
  'America/Havana',
  'Africa/Cairo',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
  'Etc/GMT+12',
] as const;

interface Scan {
  tsMs: number;
  kind: string;
  device: string;
  os: string;
  visitor: number;
  browser: string;
  country: string;
  referrer_host: string;
  source: string;
  variant_id: string;
  rule_id: string;
}

const oneOf = (...values: string[]) => fc.constantFrom(...values);

const scanOf = (tsMs: fc.Arbitrary<number>): fc.Arbitrary<Scan> =>
  fc.record({
    tsMs,
    kind: fc.constantFrom('scan', 'scan', 'scan', ...scanKinds),
    device: fc.constantFrom(...devices),
    os: fc.constantFrom(...operatingSystems),
    visitor: fc.nat(20),
    browser: oneOf('', 'Safari', 'Firefox'),
    country: oneOf('', 'DE', 'FR', 'NP'),
    referrer_host: oneOf('', 'news.example', 't.co'),
    source: oneOf('', 'flyer'),
    variant_id: oneOf('', 'a', 'b'),
    rule_id: oneOf('', 'r1'),
  });

/** Windows of a year with all its changes of the clock, and scans in and around them, many at the ends. */
const cases = fc
  .record({
    nowMs: fc.integer({ min: Date.parse('2027-01-01T00:00Z'), max: Date.parse('2027-12-31T23:59Z') }),
    days: fc.oneof(fc.integer({ min: 1, max: 90 }), fc.integer({ min: 1, max: 4 })),
    timezone: fc.constantFrom(...zones),
  })
  .chain(({ nowMs, days, timezone }) => {
    const anywhere = fc.integer({ min: -2 * dayMs, max: (days + 2) * dayMs });
    const quarterMs = 900_000;
    const edge = fc
      .tuple(
        fc.constantFrom(0, days),
        fc.integer({ min: -3 * 96, max: 3 * 96 }),
        fc.constantFrom(-1, 0, 1, 60_000),
      )
      .map(([day, quarters, ms]) => day * dayMs + (nowMs % quarterMs) + quarters * quarterMs + ms);
    const tsMs = fc.oneof(anywhere, edge).map((agoMs) => nowMs - agoMs);
    return fc.record({
      now: fc.constant(new Date(nowMs)),
      days: fc.constant(days),
      timezone: fc.constant(timezone),
      scans: fc.array(scanOf(tsMs), { minLength: 30, maxLength: 300 }),
    });
  });

/** The figures of the scans, one scan after the other. Days come from the time zone database of Node. */
const countSlowly = (scans: readonly Scan[], dates: readonly string[], timezone: string) => {
  const local = new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' });
  const counted = scans
    .map((scan) => ({ ...scan, date: local.format(scan.tsMs) }))
    .filter(({ kind, date }) => kind === 'scan' && dates.includes(date));
  const visitorsOf = (some: readonly Scan[]): number => new Set(some.map(({ visitor }) => visitor)).size;
  const by = (column: keyof Scan, key: string) => {
    const counts = new Map<string, number>();
    for (const scan of counted) counts.set(String(scan[column]), (counts.get(String(scan[column])) ?? 0) + 1);
    counts.delete('');
    return [...counts]
      .sort(([a, scansOfA], [b, scansOfB]) => scansOfB - scansOfA || (a < b ? -1 : 1))
      .map(([value, count]) => ({ [key]: value, scans: count }));
  };
  return {
    totalScans: counted.length,
    uniqueScans: visitorsOf(counted),
    series: dates.map((date) => {
      const ofDay = counted.filter((scan) => scan.date === date);
      return { date, scans: ofDay.length, uniqueScans: visitorsOf(ofDay) };
    }),
    countries: by('country', 'country'),
    devices: by('device', 'device'),
    os: by('os', 'os'),
    browsers: by('browser', 'browser'),
    referrers: by('referrer_host', 'referrer'),
    sources: by('source', 'source'),
    variants: by('variant_id', 'variant'),
    rules: by('rule_id', 'rule'),
  };
};

/** The days of a window, from the local day of its last moment. */
const datesOf = (now: Date, days: number, timezone: string): string[] => {
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' }).format(now);
  return Array.from({ length: days }, (_, n) =>
    new Date(Date.parse(today) - (days - 1 - n) * dayMs).toISOString().slice(0, 10),
  );
};

const record = (codeId: string, scans: readonly Scan[]): Promise<unknown> =>
  clickhouse.insert({
    table: 'scans',
    format: 'JSONEachRow',
    values: scans.map(({ tsMs, ...columns }) => ({
      workspace_id: workspaceId,
      code_id: codeId,
      ts: new Date(tsMs).toISOString().slice(0, -1).replace('T', ' '),
      ...columns,
    })),
  });

test('in any zone and window, analytics are what counting the scans one by one gives', async () => {
  let codes = 0;
  await fc.assert(
    fc.asyncProperty(cases, async ({ now, days, timezone, scans }) => {
      const id = `code${codes++}`;
      await record(id, scans);
      const window = { days, timezone };
      const analytics: CodeAnalytics = await readAnalytics(clickhouse, { id, workspaceId }, window, now);
      const dates = datesOf(now, days, timezone);
      const [from, to] = [dates[0], dates.at(-1)];
      expect(analytics).toEqual({ id, days, from, to, timezone, ...countSlowly(scans, dates, timezone) });
    }),
    { numRuns: 60, endOnFailure: true },
  );
});
