import { expect, test } from 'vitest';
import type { Outcomes } from '../bench/run-rows.ts';
import { findingsOf as findings } from '../report/findings.ts';
import { brokenPromises } from '../report/judge.ts';
import { goalTable } from '../report/table.ts';
import { criteriaOf, type Rows } from './real.ts';
import type { ScanRound, ScenarioResult, ServerScan } from './rounds.ts';
import type { MillionResult } from './rows/million.ts';
import type { ServerId } from './server-kinds.ts';
import { detailTable, memoryTable, summaryTable } from './tables.ts';

const criteria = criteriaOf(false);
const findingsOf = (rows: Outcomes<Rows>) => findings(criteria, rows);

const round = (cpuUs: number, perSecond = 1000): ScanRound => ({
  cpuUs,
  behindCpuUs: 0,
  perSecond,
  foreignShare: 0.01,
});

const scan = (server: ServerId, cpuUs: number, perSecond = 1000): ServerScan => ({
  server,
  label: server,
  ...round(cpuUs, perSecond),
  cpuUsRange: { low: cpuUs, high: cpuUs },
});

const scenario = (
  id: string,
  servers: ServerScan[],
  ratePerSecond?: number,
): { scenarios: ScenarioResult[] } => ({
  scenarios: [{ id, title: id, servers, ...(ratePerSecond === undefined ? {} : { ratePerSecond }) }],
});

const cellsOf = (table: string): string[][] =>
  table.split('\n').map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

const million: MillionResult = {
  codes: 999_990,
  ratePerSecond: 5000,
  bare: round(10, 5000),
  hot: round(20, 5000),
  tail: round(26, 5000),
  residentBytes: 350 * 2 ** 20,
  peakBytes: 400 * 2 ** 20,
  redis: {
    scans: 100_000,
    calls: [
      ['xread', 400],
      ['mget', 100],
    ],
  },
};

test('the goal at full load depends on whether the generator is the sibling thread', () => {
  const goalAt = (isSibling: boolean) => criteriaOf(isSibling).find(({ id }) => id === 'keptFull');
  expect(goalAt(false)).toMatchObject({ must: 1.6, aim: 1.4 });
  expect(goalAt(true)).toMatchObject({ must: 1.9, aim: 1.7 });
  const row = { 'keep-alive': scenario('kept-full', [scan('bare', 10), scan('waymark', 18)]) };
  const brokenOn = (isSibling: boolean) => {
    const all = criteriaOf(isSibling);
    return brokenPromises(all, findings(all, row), false);
  };
  expect(brokenOn(true)).toEqual([]);
  expect(brokenOn(false)).toEqual([
    'keep-alive at full load against bare uWS (the generator on a core of its own)',
  ]);
});

test('every goal follows from its row', () => {
  const found = findingsOf({
    'keep-alive': scenario('kept-full', [scan('bare', 8), scan('waymark', 10)]),
    rates: {
      scenarios: (
        [
          ['kept-1000-hot', 48],
          ['tcp-1000-hot', 56],
          ['tcp-1000-tail', 60],
        ] as const
      ).flatMap(([id, cpuUs]) => scenario(id, [scan('bare', 40), scan('waymark', cpuUs)], 1000).scenarios),
    },
    tls: scenario('tls-full', [scan('bareTls', 400), scan('waymarkTls', 500)]),
    idle: { codes: 110_000, seconds: 35, share: 0.003 },
    million,
  });
  expect(found).toEqual({
    keptFull: { value: 1.25, note: '10.0 / 8.0 µs' },
    keptRate: { value: 1.2, note: '48.0 / 40.0 µs' },
    tcpRate: { value: 1.4, note: '56.0 / 40.0 µs' },
    tcpTail: { value: 1.5, note: '60.0 / 40.0 µs' },
    tls: { value: 1.25, note: '500.0 / 400.0 µs' },
    longTail: { value: 1.3, note: '26.0 / 20.0 µs' },
    memory: { value: 350, note: 'after the load; at most 400 MB' },
    redisCommands: { value: 5, note: '500 for 100000 scans: xread 400, mget 100' },
    idle: { value: 0.3, note: '35 s with 110,000 codes held' },
  });
});

test('a figure is not judged if the generator did not keep the rate, or with fewer codes than a million', () => {
  const rates = scenario('tcp-1000-tail', [scan('bare', 40), scan('waymark', 60, 970)], 1000);
  const found = findingsOf({ rates, million: { ...million, codes: 100_000 } });
  expect(found.tcpTail).toEqual({ why: 'the generator kept 970/s of 1000/s; 60.0 / 40.0 µs' });
  expect(found.memory).toEqual({
    why: 'with 100,000 codes only: 350.00; after the load; at most 400 MB',
  });
});

test('a figure that was not asked for, failed or is missing has the reason', () => {
  const rates = scenario('tcp-1000-tail', [
    scan('bare', 40),
    { server: 'waymark', label: 'Waymark', why: 'gone' },
  ]);
  const found = findingsOf({ rates, idle: { failed: 'it broke' } });
  expect(found).toMatchObject({
    tcpTail: { why: 'gone' },
    idle: { why: 'it broke' },
    memory: { why: 'not asked for' },
  });
  expect(goalTable(criteria, found)).toMatch(
    /share of a core while no client asks .*\| not measured \| it broke/,
  );
});

test('a line for each kind of scan: the floor, the redirector, and the others, the cheapest first', () => {
  const servers = [
    scan('bareTls', 100),
    scan('waymarkTls', 150),
    scan('caddyEdge', 400),
    scan('nginxEdge', 300),
  ];
  const table = summaryTable({ tls: scenario('TLS', servers), million });
  expect(cellsOf(table).slice(2)).toEqual([
    ['TLS', '100', '150', '1.50 ×', 'nginxEdge 300; caddyEdge 400'],
    ['keep-alive, 5,000/s, hot codes', '10.0', '20', '2.00 ×', ''],
    ['keep-alive, 5,000/s, 999,990 codes held, each once in 200 s', '10.0', '26', '2.60 ×', ''],
  ]);
});

test('each server has its share of the core, and a remark if the generator did not keep the rate', () => {
  const servers = [scan('bare', 50), scan('waymark', 100, 900)];
  const [bare, waymark] = cellsOf(detailTable({ rates: scenario('x', servers, 1000) })).slice(2);
  expect(bare).toEqual(['x', 'bare', '50 (50–50)', '1.00 ×', '', '1,000', '', '5% / 1%', '', '']);
  expect(waymark!.at(-1)).toBe('the generator did not keep the rate');
});

test('memory is printed for each idle connection and for 10,000', () => {
  const figures = [
    { server: 'waymark', label: 'Waymark', isTls: false, connections: 10_000, bytesEach: 540 },
    { server: 'waymarkTls', label: 'Waymark, native TLS', isTls: true, why: 'too old' },
  ] as const;
  expect(cellsOf(memoryTable({ figures: [...figures] })).slice(2)).toEqual([
    ['Waymark', 'plain', '10,000', '0.5', '5'],
    ['Waymark, native TLS', 'TLS', 'not measured', 'too old', ''],
  ]);
});
