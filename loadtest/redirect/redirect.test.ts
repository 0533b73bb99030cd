import { expect, test } from 'vitest';
import { type OpenRound, quietPairs } from '../bench/open-rounds.ts';
import type { Outcomes } from '../bench/run-rows.ts';
import { sumOfMetric } from '../bench/waymark.ts';
import type { RowsOf } from '../load-test/load-test.ts';
import { findingsOf as findings } from '../report/findings.ts';
import { brokenPromises, type Criterion, judge } from '../report/judge.ts';
import { formatTable, verdictTable } from '../report/table.ts';
import { redirect } from './redirect.ts';
import { compare } from './rows/kills.ts';
import type { ServerFigures, ServerKind } from './rows/servers.ts';
import { serversTable, sustainedLine } from './tables.ts';

const criteria = redirect.criteria();

const criterion = (id: string): Criterion => criteria.find((each) => each.id === id)!;

const findingsOf = (rows: Outcomes<RowsOf<typeof redirect>>) => findings(criteria, rows);

test('a figure meets its aim, or its must, or neither', () => {
  const cpu = criterion('cpuBare');
  expect([1.4, 1.41, 1.6, 1.61].map((value) => judge(cpu, { value }))).toEqual([
    'aim met',
    'must met',
    'must met',
    'NOT MET',
  ]);
  const events = criterion('events');
  expect([50_000, 20_000, 19_999].map((value) => judge(events, { value }))).toEqual([
    'aim met',
    'must met',
    'NOT MET',
  ]);
  expect(judge(criterion('lost'), { value: 1 })).toBe('NOT MET');
});

test('a figure that was not measured has the reason', () => {
  const empty = { kills: { failed: 'it broke' } };
  expect(findingsOf(empty).lost).toEqual({ why: 'it broke' });
  expect(findingsOf(empty).cpuBare).toEqual({ why: 'not asked for' });
  expect(verdictTable(criteria, findingsOf(empty))).toMatch(
    /acknowledged scans lost .*\| not measured \| it broke/,
  );
});

test('a peer that is missing leaves its row out, with the reason', () => {
  const row = {
    servers: { servers: [], pairs: [], missing: { kutt: 'no checkout was given (--kutt PATH)' } },
  };
  expect(findingsOf(row).kutt).toEqual({ why: 'no checkout was given (--kutt PATH)' });
});

test('a figure is not judged if others took too much of the core', () => {
  const routing = { plainCpuUs: 10, routedCpuUs: 11, foreignShare: 0.04 };
  const findingAt = (foreignShare: number) => findingsOf({ routing: { ...routing, foreignShare } }).routing;
  expect(findingAt(0.04)).toEqual({ value: 1.1, note: '11.0 / 10.0 µs' });
  expect(findingAt(0.1)).toEqual({ value: 1.1, note: '11.0 / 10.0 µs; others took up to 10% of the core' });
  expect(findingAt(0.3)).toEqual({
    why: 'disturbed: 1.10 from 11.0 / 10.0 µs; others took up to 30% of the core',
  });
});

test('the rows that ClickHouse took count, and the report says how much waited for it', () => {
  const events = {
    rowsPerSecond: 60_000,
    redirectsPerSecond: 80_000,
    rowsPerInsert: 120_000,
    redirectorCpuUs: 9,
    clickhouseCpuUs: 3.5,
    lagMiddleS: 2,
    lagEndS: 5,
    bytesPerScan: 100,
    spoolFullAfterS: 540,
    spoolFullAloneS: 132,
  };
  expect(findingsOf({ events }).events).toEqual({
    value: 60_000,
    note: 'of 80000 redirects/s; 5.0 s of them waited at the end',
  });
  const lines = [
    'With ClickHouse on the same two cores: 80,000 redirects/s at the peak, 60,000/s for good, in INSERTs of 120,000 rows.',
    'A scan takes 9.0 µs of CPU in the redirector and 3.5 in ClickHouse: a core that does both keeps up 80,000/s.',
    'It takes 100 bytes in the spool: one of 1 GiB is full after 9.0 minutes at the peak, and after 2.2 minutes while ClickHouse is away.',
  ];
  expect(sustainedLine(events).split('\n')).toEqual(lines);
  // Scans that waited before arrive as well.
  const keepsUp = sustainedLine({
    ...events,
    rowsPerSecond: 81_000,
    spoolFullAfterS: Number.POSITIVE_INFINITY,
  });
  expect(keepsUp).toContain('80,000 redirects/s at the peak, 80,000/s for good');
  expect(keepsUp).toContain(
    'one of 1 GiB does not fill at the peak, and is full after 2.2 minutes while ClickHouse is away.',
  );
});

const openRound = (p99Ms: number, generatorP99Ms = 0.01): OpenRound => ({
  p50Ms: 0.05,
  p99Ms,
  p999Ms: p99Ms,
  maxMs: p99Ms,
  generatorP99Ms,
});

const serverFigures = (kind: ServerKind, cpuUs: number, floorP99Ms: number): ServerFigures => ({
  kind,
  label: kind,
  cpuUs,
  cpuUsRange: { low: cpuUs - 1, high: cpuUs + 2 },
  behindCpuUs: kind === 'waymark' ? 4 : 0,
  perSecond: 60_000,
  perSecondRange: { low: 50_000, high: 70_000 },
  foreignShare: 0.01,
  residentBytes: 2 ** 20,
  halfLoad: { ...openRound(floorP99Ms), ratePerSecond: 30_000 },
});

test('latencies are compared only in rounds in which the bare answer is quiet', () => {
  const pair = (floorMs: number, ourMs: number) => ({ floor: openRound(floorMs), round: openRound(ourMs) });
  const findingOf = (pairs: ReturnType<typeof pair>[]) =>
    findingsOf({ servers: { servers: [], pairs, missing: {} } }).p99Bare;
  const quiet = [pair(0.25, 0.375), pair(0.25, 0.25), pair(0.25, 0.625)];
  expect(findingOf([...quiet, pair(3, 2.9), pair(3, 2.8)])).toEqual({
    value: 1.5,
    note: '3 quiet rounds of 5; 1.00 to 2.50 ×; bare 0.25 ms',
  });
  expect(findingOf([...quiet.slice(1), pair(3, 2.9)])).toEqual({
    why: "the machine was not quiet: the bare answer's own p99 was 0.25 to 3.00 ms, at most 1 ms in 2 of 3 rounds",
  });
  const late = { floor: openRound(0.2), round: openRound(0.2, 0.15) };
  expect(quietPairs([...quiet, late])).toEqual(quiet);
});

test('the table gives a percentile only if the bare answer is quiet, and the spread of its figures', () => {
  const row = (floorP99Ms: number) =>
    serversTable([serverFigures('waymark', 16, 2.5), serverFigures('bare', 8, floorP99Ms)]).split('\n')[2]!;
  expect(row(0.9)).toMatch(/\| 16\.0 \(15\.0–18\.0\) +\| 4\.0 +\| 60\.0 \(50\.0–70\.0\)/);
  expect(row(0.9)).toContain('| 0.05 / 2.50 / 2.50 ');
  expect(row(1.1)).toContain('| 0.05 / not quiet ');
});

test('the time of an update is not judged if the generator was late, or if others took much of the cores', () => {
  const quiet = {
    updates: 300,
    loadPerSecond: 500,
    p50Ms: 8,
    p99Ms: 18,
    p999Ms: 20,
    maxMs: 21,
    busyShare: 0.3,
    foreignShare: 0.02,
    generatorP99Ms: 1,
  };
  const late = { ...quiet, generatorP99Ms: 10 };
  const found = (calm: typeof quiet, full: typeof quiet) =>
    findingsOf({ update: { processes: 4, calm, full } });
  expect(found(quiet, { ...quiet, foreignShare: 0.3 })).toMatchObject({
    update: {
      value: 18,
      note: '300 updates beside 500 scans/s, cores 30% busy; p50 8.0 ms, at most 21.0 ms',
    },
    updateFull: { why: expect.stringMatching(/^disturbed: 18/) },
  });
  expect(found(late, quiet)).toMatchObject({
    update: { why: 'the generator was 10.0 ms late, of 18.0 ms; 500 scans/s, cores 30% busy' },
    updateFull: { value: 18 },
  });
});

test('a promise that does not hold is named, so that the command can fail', () => {
  const findings = {
    cpuBare: { value: 1.7 },
    misses: { value: 0.4 },
    lost: { value: 1 },
    kutt: { why: 'x' },
  };
  expect(brokenPromises(criteria, findings, false)).toEqual([
    'CPU per redirect, each scan from another address, against bare uWS',
    'acknowledged scans lost over kill -9 under full load',
  ]);
  // Times and rates of short rounds mean nothing; a lost scan is lost.
  expect(brokenPromises(criteria, findings, true)).toEqual([
    'acknowledged scans lost over kill -9 under full load',
  ]);
});

test('a figure without a promise is printed, and breaks no promise', () => {
  const findings = { cpuNginxUnlimited: { value: 9 } };
  expect(judge(criterion('cpuNginxUnlimited'), findings.cpuNginxUnlimited)).toBe('no promise');
  expect(brokenPromises(criteria, findings, false)).toEqual([]);
});

test('a scan that was acknowledged and is not recorded is lost; a scan without an acknowledgement is not', () => {
  const totals = {
    raw: new Map([
      ['a', 5],
      ['b', 1],
    ]),
    duplicates: 0,
    daily: 6,
    breakdown: 6,
  };
  expect(compare(['a', 'b', 'c'], [4, 3, 1], totals)).toEqual({
    acknowledged: 8,
    recorded: 6,
    lost: 3,
    countedTwice: 0,
  });
});

test('a scan is counted twice in the raw table or in a rollup', () => {
  const totals = { raw: new Map([['a', 5]]), duplicates: 1, daily: 7, breakdown: 5 };
  expect(compare(['a'], [5], totals).countedTwice).toBe(3);
});

test('columns of a table have one width', () => {
  expect(formatTable(['a', 'long'], [['wide', 'b']])).toBe(
    '| a    | long |\n| ---- | ---- |\n| wide | b    |',
  );
});

test('a metric is added up over its labels', () => {
  const text = '# HELP x y\nx{kind="a"} 2\nx{kind="b"} 3\nx_total 9\n';
  expect(sumOfMetric(text, 'x')).toBe(5);
  expect(sumOfMetric(text, 'nothing')).toBe(0);
});
