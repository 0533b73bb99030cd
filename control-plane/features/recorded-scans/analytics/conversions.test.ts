/** Conversions, tags and folders in the analytics of a workspace, against a slow, obvious count of the same rows. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { codeAnalytics } from '#schemas/api/codes.ts';
import type { ConversionFigures, ConversionTime } from '#schemas/api/conversion-figures.ts';
import type { ListFilter } from '#schemas/api/scan-filters.ts';
import { type WorkspaceAnalyticsQuery, workspaceAnalytics } from '#schemas/api/workspace-analytics.ts';
import { type ClickHouseClient, createClickHouse } from '#shared/clickhouse.ts';
import { afterFile } from '../../../../deploy/testing/local.ts';
import {
  qrHost,
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../../testing/control-plane.ts';
import { type AnalyticsSources, readWorkspaceAnalytics } from './analytics.ts';
import { createAskScans } from './query.ts';

const dayMs = 86_400_000;
const hourMs = 3_600_000;
let plane: TestControlPlane;
let own: Workspace;
let clickhouse: ClickHouseClient;
let sources: AnalyticsSources;

interface OwnCode {
  id: string;
  tags: readonly string[];
  folder: readonly string[];
}
let codes: OwnCode[];

beforeAll(async () => {
  plane = await startTestControlPlane();
  own = await plane.workspace();
  clickhouse = createClickHouse(plane.clickhouseUrl, 'test', 10_000);
  afterFile(() => clickhouse.close());
  sources = {
    ask: createAskScans(clickhouse),
    facts: { db: plane.pool, qrHost },
    keptDaysOf: async () => 250_000,
  };
  const folder = (await own.call('POST', '/api/qr/folders', { name: 'Trade fair' })).body as { id: string };
  const made = async (tags: string[], folderId: string | null): Promise<OwnCode> => ({
    id: (await own.createCode({ tags, folderId })).id,
    tags,
    folder: folderId === null ? [] : [folderId],
  });
  codes = [
    await made([], null),
    await made(['Summer'], folder.id),
    await made(['Summer', 'Print'], null),
    await made(['Print'], folder.id),
  ];
});

interface Converted {
  event: string;
  afterMs: number;
  units: number;
  currency: string;
}

interface Scan {
  atMs: number;
  code: number;
  kind: 'scan' | 'bot';
  country: string;
  variant: string;
  rule: string;
  conversions: Converted[];
}

const conversion = fc
  .record({
    event: fc.constantFrom('purchase', 'visit'),
    afterMs: fc.integer({ min: 0, max: 5 * dayMs }),
    units: fc.integer({ min: -10_000_000, max: 10_000_000 }),
    currency: fc.constantFrom('', 'EUR', 'USD', 'JPY'),
  })
  .map((each) => ({ ...each, units: each.currency === '' ? 0 : each.units }));

const scan: fc.Arbitrary<Scan> = fc.record({
  atMs: fc.integer({ min: 0, max: 20 * dayMs }),
  code: fc.nat(3),
  kind: fc.constantFrom('scan', 'scan', 'scan', 'bot'),
  country: fc.constantFrom('', 'DE', 'FR', 'NP'),
  variant: fc.constantFrom('', 'a', 'b'),
  rule: fc.constantFrom('', 'r1'),
  conversions: fc.array(conversion, { maxLength: 3 }),
});

const groups = [
  'timeseries',
  'timeseries',
  'code',
  'tag',
  'folder',
  'domain',
  'country',
  'variant',
  'rule',
] as const;

const filterOf = (...values: string[]): fc.Arbitrary<ListFilter> =>
  fc.record({ not: fc.boolean(), values: fc.subarray(values, { minLength: 1 }) });

const cases = fc.record({
  scans: fc.array(scan, { minLength: 20, maxLength: 80 }),
  groupBy: fc.constantFrom(...groups),
  time: fc.constantFrom<ConversionTime>('scanned', 'occurred'),
  interval: fc.constantFrom('hour', 'day', 'week'),
  timezone: fc.constantFrom('UTC', 'America/St_Johns'),
  compare: fc.constantFrom(undefined, 'previous' as const),
  from: fc.integer({ min: 0, max: 15 * dayMs }),
  length: fc.integer({ min: 1, max: 10 * dayMs }),
  limit: fc.constantFrom(1, 100),
  country: fc.option(filterOf('DE', 'FR'), { nil: undefined }),
  tag: fc.option(filterOf('summer', 'PRINT', 'unknown'), { nil: undefined }),
  inFolder: fc.option(fc.boolean(), { nil: undefined }),
  event: fc.option(filterOf('purchase', 'visit'), { nil: undefined }),
});

const momentOf = (ms: number): string => new Date(ms).toISOString().slice(0, -1).replace('T', ' ');

const rowOf = (each: Scan, baseMs: number) => ({
  workspace_id: own.workspaceId,
  code_id: codes[each.code]!.id,
  event_id: randomUUID(),
  ts: momentOf(baseMs + each.atMs),
  kind: each.kind,
  device: 'mobile',
  os: 'ios',
  country: each.country,
  variant_id: each.variant,
  rule_id: each.rule,
});

/** Every conversion is written twice, as by a call that was repeated. */
const record = async (scans: readonly Scan[], baseMs: number): Promise<void> => {
  const rows = scans.map((each) => rowOf(each, baseMs));
  const conversions = scans.flatMap((each, at) =>
    each.conversions.map(({ event, afterMs, units, currency }) => ({
      ...rows[at]!,
      conversion_id: randomUUID(),
      event,
      occurred_at: momentOf(baseMs + each.atMs + afterMs),
      units,
      currency,
    })),
  );
  await clickhouse.insert({ table: 'scans', format: 'JSONEachRow', values: rows });
  for (let time = 0; time < 2; time++)
    await clickhouse.insert({ table: 'conversions', format: 'JSONEachRow', values: conversions });
};

const among = (filter: ListFilter | undefined, values: readonly string[]): boolean =>
  filter === undefined || filter.not !== values.some((value) => filter.values.includes(value));

interface Counted {
  scan: Scan;
  conversion: Converted;
}

const figuresOf = (counted: readonly Counted[], scans: number | undefined): ConversionFigures => {
  const distinct = new Set(counted.map((each) => each.scan)).size;
  const rate = (part: number): number | null => (scans ? Math.round((part / scans) * 1e6) / 1e6 : null);
  const currencies = [...new Set(counted.map((each) => each.conversion.currency))].filter(Boolean).sort();
  return {
    count: counted.length,
    convertedScans: distinct,
    ...(scans !== undefined && { rate: rate(distinct), perScan: rate(counted.length) }),
    values: currencies.map((currency) => ({
      currency,
      value:
        counted
          .filter((each) => each.conversion.currency === currency)
          .reduce((sum, each) => sum + each.conversion.units, 0) / 10_000,
    })),
  };
};

let runs = 0;

test('conversions and scans by time, code, tag, folder, domain, variant and rule are exact, in any window and by any filter', async () => {
  await fc.assert(
    fc.asyncProperty(cases, async (given) => {
      const { scans, groupBy, time, interval, compare, timezone } = given;
      // Each run has years of its own.
      const baseMs = Date.UTC(2030, 0, 1) + runs++ * 100 * dayMs;
      await record(scans, baseMs);
      const folderId = codes[1]!.folder[0]!;
      const folder = given.inFolder === undefined ? undefined : { not: !given.inFolder, values: [folderId] };
      const [fromMs, toMs] = [baseMs + given.from, baseMs + given.from + given.length];
      const query = {
        groupBy,
        timezone,
        from: { ms: fromMs },
        to: { ms: toMs },
        compare,
        ...(groupBy === 'timeseries' ? { interval } : { limit: given.limit }),
        country: given.country,
        tag: given.tag,
        folder,
        conversions: time,
        event: given.event,
      } as WorkspaceAnalyticsQuery;
      const answer = await readWorkspaceAnalytics(sources, own.workspaceId, query, new Date(toMs));
      workspaceAnalytics.parse(answer);

      const tagFilter = given.tag && {
        ...given.tag,
        values: given.tag.values.map((tag) => tag.toLowerCase()),
      };
      const selected = scans.filter(
        (each) =>
          each.kind === 'scan' &&
          among(given.country, [each.country]) &&
          among(
            tagFilter,
            codes[each.code]!.tags.map((tag) => tag.toLowerCase()),
          ) &&
          among(folder, codes[each.code]!.folder),
      );
      const scansIn = (begin: number, end: number) =>
        selected.filter(({ atMs }) => baseMs + atMs >= begin && baseMs + atMs < end);
      const convertedIn = (begin: number, end: number): Counted[] =>
        selected.flatMap((each) =>
          each.conversions
            .filter(({ event, afterMs }) => {
              const ms = baseMs + each.atMs + (time === 'occurred' ? afterMs : 0);
              return ms >= begin && ms < end && among(given.event, [event]);
            })
            .map((converted) => ({ scan: each, conversion: converted })),
        );
      const rated = (counted: readonly Counted[], made: readonly Scan[]) =>
        figuresOf(counted, time === 'scanned' ? made.length : undefined);
      const windows = [
        { scans: scansIn(fromMs, toMs), converted: convertedIn(fromMs, toMs) },
        { scans: scansIn(2 * fromMs - toMs, fromMs), converted: convertedIn(2 * fromMs - toMs, fromMs) },
      ] as const;
      /** What a row must say of the scans that a condition chooses. */
      const row = (belongs: (each: Scan) => boolean) => {
        const [current, before] = windows.map((window) => {
          const made = window.scans.filter(belongs);
          return {
            made,
            figures: rated(
              window.converted.filter((each) => belongs(each.scan)),
              made,
            ),
          };
        });
        return {
          scans: current!.made.length,
          conversions: current!.figures,
          ...(compare && { previousScans: before!.made.length, previousConversions: before!.figures }),
        };
      };
      expect(answer.total).toMatchObject(row(() => true));
      if (groupBy === 'timeseries') {
        const ends = answer.data.map(({ start }, at) => [
          Date.parse(start!),
          at + 1 < answer.data.length ? Date.parse(answer.data[at + 1]!.start!) : toMs,
        ]);
        expect(answer.data.map(({ scans: made, conversions }) => ({ scans: made, conversions }))).toEqual(
          ends.map(([begin, end]) => ({
            scans: scansIn(begin!, end!).length,
            conversions: rated(convertedIn(begin!, end!), scansIn(begin!, end!)),
          })),
        );
        return;
      }
      const host = new URL(qrHost).host;
      const valuesOf = (each: Scan): readonly string[] =>
        ({
          code: [codes[each.code]!.id],
          tag: codes[each.code]!.tags,
          folder: codes[each.code]!.folder,
          domain: [host],
          country: [each.country],
          variant: [each.variant],
          rule: [each.rule],
        })[groupBy].filter((value) => value !== '');
      for (const { value, ...figures } of answer.data)
        expect(figures).toEqual(row((each) => valuesOf(each).includes(value!)));
      expect(answer.none).toEqual(row((each) => valuesOf(each).length === 0));
      const listed = new Set(answer.data.map(({ value }) => value));
      // A scan of two tags is in the rows of both.
      if (groupBy !== 'tag')
        expect(answer.other).toEqual(row((each) => valuesOf(each).some((value) => !listed.has(value))));
    }),
    { numRuns: 40, endOnFailure: true },
  );
});

const analyticsOf = (query: string) => own.call('GET', `/api/qr/analytics?${query}`);

test.each([
  ['event=purchase', 'event must only be given together with conversions'],
  ['conversions=true', 'conversions must be one of'],
  ['conversions=scanned&from=2020-01-01&to=2020-01-10', 'from must be at most 400 days ago: conversions'],
])('%s is 400: %s', async (query, message) => {
  const { status, body } = await analyticsOf(query);
  expect([status, (body as { error: string }).error]).toEqual([400, expect.stringContaining(message)]);
});

test('a tag with more than 10,000 codes is refused as a filter', async () => {
  const many = await plane.workspace();
  const { id } = await many.createCode({ tags: ['everything'] });
  const { rows } = await plane.pool.query(
    `SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'codes' AND is_generated = 'NEVER'
     AND column_name NOT IN ('id', 'seq') AND table_schema = current_schema()`,
  );
  const names = rows.map(({ name }) => name).join(', ');
  await plane.pool.query(
    `INSERT INTO codes (id, ${names}) SELECT 'many' || n, ${names} FROM codes, generate_series(1, 10000) AS n WHERE id = $1`,
    [id],
  );
  const { status, body } = await many.call('GET', '/api/qr/analytics?tag=-everything');
  expect([status, (body as { error: string }).error]).toEqual([
    400,
    'tag must have at most 10000 codes; it has more',
  ]);
});

test('a merged tag counts for the tag that it became, and a deleted folder for none', async () => {
  const some = await plane.workspace();
  const folder = (await some.call('POST', '/api/qr/folders', { name: 'Gone' })).body as { id: string };
  const one = await some.createCode({ tags: ['old'], folderId: folder.id });
  const two = await some.createCode({ tags: ['New'] });
  const rows = [one.id, two.id].map((id) => ({
    workspace_id: some.workspaceId,
    code_id: id,
    event_id: randomUUID(),
    ts: momentOf(Date.now() - hourMs),
    kind: 'scan',
    device: 'mobile',
  }));
  await clickhouse.insert({ table: 'scans', format: 'JSONEachRow', values: rows });
  const read = async (query: string) => {
    const { status, body } = await some.call('GET', `/api/qr/analytics?days=2&${query}`);
    expect(status).toBe(200);
    return workspaceAnalytics.parse(body);
  };
  expect((await read('groupBy=folder')).data).toEqual([{ value: folder.id, scans: 1 }]);
  await some.call('PATCH', '/api/qr/tags/old', { name: 'new' });
  await some.call('DELETE', `/api/qr/folders/${folder.id}`);
  expect((await read('groupBy=tag')).data).toEqual([{ value: 'New', scans: 2 }]);
  expect((await read('tag=NEW')).total.scans).toBe(2);
  expect(await read('groupBy=folder')).toMatchObject({ data: [], none: { scans: 2 } });
  expect((await read(`folder=${folder.id}`)).total.scans).toBe(0);
});

test('the analytics of a code have its conversions by day, variant and rule', async () => {
  const some = await plane.workspace();
  const { id } = await some.createCode();
  const nowMs = Date.now();
  const row = (variant: string, rule: string, agoMs: number) => ({
    workspace_id: some.workspaceId,
    code_id: id,
    event_id: randomUUID(),
    ts: momentOf(nowMs - agoMs),
    kind: 'scan',
    device: 'mobile',
    variant_id: variant,
    rule_id: rule,
  });
  const scans = [
    ...[row('a', '', dayMs), row('a', '', dayMs), row('b', '', dayMs), row('', 'r', dayMs)],
    // A crawler, whose conversion does not count.
    { ...row('a', '', dayMs), kind: 'bot' },
  ];
  await clickhouse.insert({ table: 'scans', format: 'JSONEachRow', values: scans });
  const converted = (at: number, units: number, currency: string) => ({
    ...scans[at]!,
    conversion_id: randomUUID(),
    event: 'purchase',
    occurred_at: momentOf(nowMs),
    units,
    currency,
  });
  await clickhouse.insert({
    table: 'conversions',
    format: 'JSONEachRow',
    values: [
      ...[converted(0, 10_000, 'EUR'), converted(0, 5_000, 'USD'), converted(3, 2_500, 'EUR')],
      converted(4, 1_000, 'EUR'),
    ],
  });
  const read = async (time: ConversionTime) => {
    const { body } = await some.call('GET', `/api/qr/codes/${id}/analytics?days=3&conversions=${time}`);
    return codeAnalytics.parse(body).conversions!;
  };
  const both = [
    { currency: 'EUR', value: 1 },
    { currency: 'USD', value: 0.5 },
  ];
  const scanned = await read('scanned');
  expect(scanned).toMatchObject({ count: 3, convertedScans: 2, rate: 0.5, perScan: 0.75 });
  expect(scanned.variants).toEqual([
    { variant: 'a', count: 2, convertedScans: 1, rate: 0.5, perScan: 1, values: both },
  ]);
  expect(scanned.rules).toEqual([
    {
      rule: 'r',
      count: 1,
      convertedScans: 1,
      rate: 1,
      perScan: 1,
      values: [{ currency: 'EUR', value: 0.25 }],
    },
  ]);
  expect(scanned.series.map(({ count }) => count).reduce((sum, each) => sum + each)).toBe(3);
  const occurred = await read('occurred');
  expect(occurred.series.map(({ count }) => count)).toEqual([0, 0, 3]);
  expect(occurred).not.toHaveProperty('rate');
  const plain = await some.call('GET', `/api/qr/codes/${id}/analytics`);
  expect(plain.body).not.toHaveProperty('conversions');
});
