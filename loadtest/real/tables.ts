/** The tables of scans: a line for each kind of scan, and one for each server in it. */
import type { Outcomes } from '../bench/run-rows.ts';
import { measured } from '../report/findings.ts';
import { formatTable } from '../report/table.ts';
import type { ScanRound, ScenarioResult, ServerScan } from './rounds.ts';
import type { MemoryResult } from './rows/memory.ts';
import type { MillionResult } from './rows/million.ts';
import type { TraceResult } from './rows/trace.ts';
import type { ScenarioRow } from './scenarios.ts';
import type { ServerId } from './server-kinds.ts';

export interface ScenarioResults {
  scenarios: ScenarioResult[];
}

type Rows = Outcomes<Record<ScenarioRow, ScenarioResults> & { million: MillionResult; trace: TraceResult }>;

export const scanOf = (scenario: ScenarioResult, id: ServerId): ServerScan | undefined =>
  scenario.servers.find(({ server }) => server === id);

/** A generator that got less far than this share of its rate did not keep it. */
const keptRateMin = 0.98;

/** Whether scans came at the rate that was asked for. */
export const keptRate = (perSecond: number, ratePerSecond: number | undefined): boolean =>
  ratePerSecond === undefined || perSecond >= keptRateMin * ratePerSecond;

type Measured = Extract<ServerScan, ScanRound>;

const measuredScan = (scan: ServerScan | undefined): Measured | undefined =>
  scan && 'cpuUs' in scan ? scan : undefined;

const us = (value: number): string => (value < 20 ? value.toFixed(1) : value.toFixed(0));

/** The floor of a scenario. */
const floors: readonly ServerId[] = ['bare', 'bareTls'];
const ours: readonly ServerId[] = ['waymark', 'waymarkTls'];

const oneOf = (scenario: ScenarioResult, ids: readonly ServerId[]): Measured | undefined =>
  ids.map((id) => measuredScan(scanOf(scenario, id))).find((scan) => scan !== undefined);

/** All other servers, the cheapest first. */
const othersOf = (scenario: ScenarioResult): Measured[] =>
  scenario.servers
    .filter(({ server }) => !floors.includes(server) && !ours.includes(server))
    .map(measuredScan)
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

export const scenariosOf = (rows: Rows): ScenarioResult[] =>
  (['keep-alive', 'new-tcp', 'rates', 'tls', 'tls-rates'] as const).flatMap(
    (name) => measured(rows[name])?.scenarios ?? [],
  );

/** Microseconds of CPU for a scan, a line for each kind of scan. */
export const summaryTable = (rows: Rows): string => {
  const [million, trace] = [measured(rows.million), measured(rows.trace)];
  return formatTable(
    ['a scan as', 'bare uWS', 'Waymark', 'to bare', 'others'],
    [
      ...scenariosOf(rows).map(summaryRow),
      ...(million ? millionSummary(million) : []),
      ...(trace ? [traceSummary(trace)] : []),
    ],
  );
};

const percent = (share: number, digits = 0): string => `${(share * 100).toFixed(digits)}%`;

/** The reasons why a figure is worth less than it looks. */
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
export const detailTable = (rows: Rows): string =>
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
    scenariosOf(rows).flatMap((scenario) => scenario.servers.map((scan) => detailRow(scenario, scan))),
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
