import { expect, test } from 'vitest';
import { compare } from '../rows/kills.ts';
import { sumOfMetric } from '../waymark.ts';
import { criteria, judge } from './criteria.ts';
import { findingsOf, type Results } from './results.ts';
import { criteriaTable, formatTable } from './table.ts';

const criterion = (id: string) => criteria.find((each) => each.id === id)!;

const results = (rows: Results['rows']): Results => ({
  date: '2026-01-01T00:00:00.000Z',
  machine: { cpu: 'x', cores: 2, memoryGb: 1, kernel: '6', node: '22', commit: 'c', pinned: true },
  quick: false,
  rows,
});

test('a figure meets its aim, or what it must, or neither', () => {
  const cpu = criterion('cpuBare');
  expect([1.25, 1.26, 1.6, 1.61].map((value) => judge(cpu, { value }))).toEqual([
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

test('what was not measured is said to be so, with the reason', () => {
  const empty = results({ kills: { failed: 'it broke' } });
  expect(findingsOf(empty).lost).toEqual({ why: 'it broke' });
  expect(findingsOf(empty).cpuBare).toEqual({ why: 'not asked for' });
  expect(criteriaTable(empty)).toMatch(/acknowledged scans lost .*\| not measured \| it broke/);
});

test('a peer that is missing leaves its row out, with the reason', () => {
  const row = results({ servers: { servers: [], missing: { kutt: 'no checkout was given (--kutt PATH)' } } });
  expect(findingsOf(row).kutt).toEqual({ why: 'no checkout was given (--kutt PATH)' });
});

test('a figure is not judged when others took too much of the core', () => {
  const routing = { plainCpuUs: 10, routedCpuUs: 11, foreignShare: 0.04 };
  const findingAt = (foreignShare: number) =>
    findingsOf(results({ routing: { ...routing, foreignShare } })).routing;
  expect(findingAt(0.04)).toEqual({ value: 1.1, note: '11.0 / 10.0 µs' });
  expect(findingAt(0.1)).toEqual({ value: 1.1, note: '11.0 / 10.0 µs; others took up to 10% of the core' });
  expect(findingAt(0.3)).toEqual({
    why: 'disturbed: 1.10 from 11.0 / 10.0 µs; others took up to 30% of the core',
  });
});

test('what ClickHouse took counts, and the report says how much waited for it', () => {
  const events = { rowsPerSecond: 60_000, redirectsPerSecond: 80_000, lagMiddleS: 2, lagEndS: 5 };
  expect(findingsOf(results({ events })).events).toEqual({
    value: 60_000,
    note: 'of 80000 redirects/s; 5.0 s of them waited at the end',
  });
});

test('a scan that was acknowledged and is not recorded is lost; one that no client was told of is not', () => {
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
