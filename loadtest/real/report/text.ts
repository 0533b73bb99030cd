/** The report of a run: the table of scans, the goals, and what each server took. */
import { formatTable, goalTable } from '../../report/table.ts';
import type { ScanRound, ScenarioResult, ServerScan } from '../rounds.ts';
import type { MemoryResult } from '../rows/memory.ts';
import type { MillionResult } from '../rows/million.ts';
import type { TraceResult } from '../rows/trace.ts';
import type { ServerId } from '../servers.ts';
import { criteriaOf } from './criteria.ts';
import { findingsOf, keptRate, type RealResults, scanOf } from './results.ts';

type Measured = Extract<ServerScan, ScanRound>;

const measured = (scan: ServerScan | undefined): Measured | undefined =>
  scan && 'cpuUs' in scan ? scan : undefined;

const us = (value: number): string => (value < 20 ? value.toFixed(1) : value.toFixed(0));

/** The floor of a scenario. */
const floors: readonly ServerId[] = ['bare', 'bareTls'];
const ours: readonly ServerId[] = ['waymark', 'waymarkTls'];

const oneOf = (scenario: ScenarioResult, ids: readonly ServerId[]): Measured | undefined =>
  ids.map((id) => measured(scanOf(scenario, id))).find((scan) => scan !== undefined);

/** All other servers, the cheapest first. */
const othersOf = (scenario: ScenarioResult): Measured[] =>
  scenario.servers
    .filter(({ server }) => !floors.includes(server) && !ours.includes(server))
    .map(measured)
    .filter((scan) => scan !== undefined)
    .sort((a, b) => a.cpuUs - b.cpuUs);

const times = (value: number | undefined, floor: number | undefined): string =>
  value === undefined || floor === undefined ? '' : `${(value / floor).toFixed(2)} ×`;

const summaryRow = (scenario: ScenarioResult): string[] => {
  const [floor, our] = [oneOf(scenario, floors), oneOf(scenario, ours)];
  return [
    scenario.title,
    floor ? us(floor.cpuUs) : '-',
    our ? us(our.cpuUs) : '-',
    times(our?.cpuUs, floor?.cpuUs),
    othersOf(scenario)
      .map(({ label, cpuUs }) => `${label} ${us(cpuUs)}`)
      .join('; '),
  ];
};

const millionSummary = ({ bare, hot, tail, codes }: MillionResult): string[][] =>
  [
    ['keep-alive, 5,000/s, hot codes', hot] as const,
    [`keep-alive, 5,000/s, ${codes.toLocaleString('en-US')} codes held, each once in 200 s`, tail] as const,
  ].map(([title, round]) => [title, us(bare.cpuUs), us(round.cpuUs), times(round.cpuUs, bare.cpuUs), '']);

const traceSummary = ({ bare, waymark, scans, codes, misses }: TraceResult): string[] => [
  `an hour in a minute: ${scans.toLocaleString('en-US')} scans by Zipf over ${codes.toLocaleString('en-US')} codes`,
  us(bare.cpuUs),
  us(waymark.cpuUs),
  times(waymark.cpuUs, bare.cpuUs),
  `(${misses} misses)`,
];

const scenariosOf = ({ rows }: RealResults): ScenarioResult[] =>
  (['keep-alive', 'new-tcp', 'rates', 'tls', 'tls-rates'] as const).flatMap((name) => {
    const row = rows[name];
    return row && 'scenarios' in row ? row.scenarios : [];
  });

/** Microseconds of CPU for a scan, a line for each kind of scan. */
export const summaryTable = (results: RealResults): string => {
  const { million, trace } = results.rows;
  return formatTable(
    ['a scan as', 'bare uWS', 'Waymark', 'to bare', 'others'],
    [
      ...scenariosOf(results).map(summaryRow),
      ...(million && 'tail' in million ? millionSummary(million) : []),
      ...(trace && 'waymark' in trace ? [traceSummary(trace)] : []),
    ],
  );
};

const percent = (share: number, digits = 0): string => `${(share * 100).toFixed(digits)}%`;

/** What makes a figure worth less than it looks. */
const remarkOf = (scan: Measured, ratePerSecond: number | undefined): string => {
  const remarks = [];
  if (!keptRate(scan.perSecond, ratePerSecond)) remarks.push('the generator did not keep the rate');
  if (scan.lagP99Ms !== undefined && scan.lagP99Ms > 5) {
    remarks.push(`the generator was up to ${scan.lagP99Ms.toFixed(0)} ms late`);
  }
  return remarks.join('; ');
};

const detailRow = (scenario: ScenarioResult, scan: ServerScan): string[] => {
  if ('why' in scan) return [scenario.title, scan.label, 'not measured', '', '', '', '', '', '', scan.why];
  const { low, high } = scan.cpuUsRange;
  return [
    scenario.title,
    scan.label,
    `${us(scan.cpuUs)} (${us(low)}–${us(high)})`,
    times(scan.cpuUs, oneOf(scenario, floors)?.cpuUs),
    scan.behindCpuUs === 0 ? '' : us(scan.behindCpuUs),
    Math.round(scan.perSecond).toLocaleString('en-US'),
    scan.p50Ms === undefined ? '' : `${scan.p50Ms.toFixed(2)} / ${scan.p99Ms?.toFixed(2)}`,
    `${percent((scan.cpuUs * scan.perSecond) / 1e6)} / ${percent(scan.foreignShare)}`,
    scan.idleShare === undefined ? '' : percent(scan.idleShare, 2),
    remarkOf(scan, scenario.ratePerSecond),
  ];
};

/** Each server in each kind of scan. */
export const detailTable = (results: RealResults): string =>
  formatTable(
    [
      'a scan as',
      'server',
      'CPU µs/scan',
      'to bare',
      'behind it',
      'scans/s',
      'ms p50 / p99',
      'core: server / others',
      'idle',
      'remark',
    ],
    scenariosOf(results).flatMap((scenario) => scenario.servers.map((scan) => detailRow(scenario, scan))),
  );

/** Kilobytes of each idle connection. */
export const memoryTable = ({ figures }: MemoryResult): string =>
  formatTable(
    ['server', 'connections', 'idle connections held', 'kB each', 'MB for 10,000'],
    figures.map((figure) => {
      const head = [figure.label, figure.isTls ? 'TLS' : 'plain'];
      if ('why' in figure) return [...head, 'not measured', figure.why, ''];
      const kB = figure.bytesEach / 1000;
      return [...head, figure.connections.toLocaleString('en-US'), kB.toFixed(1), (kB * 10).toFixed(0)];
    }),
  );

const headLines = ({ machine, quick, isSibling }: RealResults): string[] => [
  `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, Linux ${machine.kernel}, Node ${machine.node}, ${machine.commit}`,
  `the generator runs on ${isSibling ? "the sibling thread of the server's core" : 'a core of its own'}, according to the kernel`,
  ...(quick ? ['--quick: short rounds, not to be quoted'] : []),
  ...(machine.pinned ? [] : ['nothing was pinned to a core: taskset or a second core is missing']),
];

/** The whole report. */
export const reportText = (results: RealResults): string => {
  const { memory } = results.rows;
  return [
    headLines(results).join('\n'),
    ...(scenariosOf(results).length > 0 ? [detailTable(results)] : []),
    ...(memory && 'figures' in memory ? [memoryTable(memory)] : []),
    `CPU µs a scan, user and system, medians:\n\n${summaryTable(results)}`,
    goalTable(criteriaOf(results), findingsOf(results)),
  ].join('\n\n');
};
