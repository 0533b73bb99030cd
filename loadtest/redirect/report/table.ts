/** The tables, as Markdown that reads well in a terminal. */
import { generatorWasLate, type OpenRound } from '../rounds.ts';
import type { ServerFigures } from '../rows/servers.ts';
import { type Criterion, criteria, type Finding, judge } from './criteria.ts';
import { findingsOf, type Results } from './results.ts';

/** Columns of equal width; the first is aligned left, the others as given. */
export const formatTable = (header: readonly string[], rows: readonly (readonly string[])[]): string => {
  const widths = header.map((_, column) => Math.max(...[header, ...rows].map((row) => row[column]!.length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  return [
    line(header),
    `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`,
    ...rows.map(line),
  ].join('\n');
};

const formatValue = (value: number, unit: Criterion['unit']): string => {
  if (unit === '×') return `${value.toFixed(2)} ×`;
  if (unit === ' ms') return `${value.toFixed(1)} ms`;
  return `${Math.round(value).toLocaleString('en-US')}${unit}`;
};

const formatBound = ({ better, unit }: Criterion, bound: number): string => {
  const sign = better === 'lower' ? '≤' : '≥';
  const text = unit === '×' ? `${bound} ×` : `${bound.toLocaleString('en-US')}${unit}`;
  return bound === 0 ? text : `${sign} ${text}`;
};

const criterionRow = (criterion: Criterion, finding: Finding): string[] => [
  criterion.title,
  formatBound(criterion, criterion.must),
  formatBound(criterion, criterion.aim),
  'value' in finding ? formatValue(finding.value, criterion.unit) : '-',
  judge(criterion, finding),
  'value' in finding ? (finding.note ?? '') : finding.why,
];

export const criteriaTable = (results: Results): string => {
  const findings = findingsOf(results);
  return formatTable(
    ['figure', 'must', 'aim', 'measured', 'verdict', 'from'],
    criteria.map((criterion) => criterionRow(criterion, findings[criterion.id])),
  );
};

const ms = (value: number): string => value.toFixed(2);

const latencyCell = (round: OpenRound | undefined): string => {
  if (!round) return '';
  if (generatorWasLate(round)) return `generator ${ms(round.generatorP99Ms)} ms late`;
  return `${ms(round.p50Ms)} / ${ms(round.p99Ms)} / ${ms(round.p999Ms)}`;
};

const serverRow = (server: ServerFigures): string[] => [
  server.label,
  server.cpuUs.toFixed(1),
  Math.round(server.perSecond).toLocaleString('en-US'),
  latencyCell(server.halfLoad),
  latencyCell(server.sameRate),
  String(Math.round(server.residentBytes / 2 ** 20)),
  `${(server.foreignShare * 100).toFixed(0)}%`,
];

export const serversTable = (servers: readonly ServerFigures[]): string =>
  formatTable(
    [
      'server',
      'CPU µs/redirect',
      'redirects/s on one core',
      'ms at half its peak: p50 / p99 / p99.9',
      'at the same rate',
      'RSS MB',
      'core used by others',
    ],
    servers.map(serverRow),
  );
