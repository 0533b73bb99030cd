/** Tables as Markdown that reads well in a terminal. */
import { type Criterion, type Finding, judge } from './judge.ts';

/** A table with columns of equal width. */
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
  if (unit === ' ms' || unit === ' per 1,000 scans') return `${value.toFixed(1)}${unit}`;
  // A share, such as that of a layout that shifts. Counts are whole.
  if (unit === '' && !Number.isInteger(value)) return value.toFixed(3);
  if (unit === '%') return `${value.toFixed(2)}%`;
  return `${Math.round(value).toLocaleString('en-US')}${unit}`;
};

const formatBound = ({ better, unit }: Criterion, bound: number | undefined): string => {
  if (bound === undefined) return '';
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

/** Each criterion with its finding and the verdict. */
export const verdictTable = (
  criteria: readonly Criterion[],
  findings: Readonly<Record<string, Finding>>,
): string =>
  formatTable(
    ['figure', 'must', 'aim', 'measured', 'verdict', 'from'],
    criteria.map((criterion) => criterionRow(criterion, findings[criterion.id]!)),
  );

/** A criterion whose must is its aim: it is met, or not. */
const goalRow = (criterion: Criterion, finding: Finding): string[] => {
  const [title, goal, , measured, , from] = criterionRow(criterion, finding);
  const verdict = judge(criterion, finding);
  return [title!, goal!, measured!, verdict === 'aim met' ? 'met' : verdict, from!];
};

/** Each goal with its finding, and whether it is met. */
export const goalTable = (
  criteria: readonly Criterion[],
  findings: Readonly<Record<string, Finding>>,
): string =>
  formatTable(
    ['figure', 'goal', 'measured', 'verdict', 'from'],
    criteria.map((criterion) => goalRow(criterion, findings[criterion.id]!)),
  );

/** Figures that have no table. */
export const jsonOf = (figures: unknown): string => JSON.stringify(figures, null, 2);
