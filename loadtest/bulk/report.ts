/** The report of the load test of bulk operations: tables, goals and verdicts. */
import type { Outcomes } from '../bench/run-rows.ts';
import { findingOf, withDisturbance } from '../report/findings.ts';
import type { Criterion, Finding } from '../report/judge.ts';
import { formatTable, goalTable } from '../report/table.ts';
import type { BatchFigures } from './batches.ts';
import type { FairnessFigures } from './fairness.ts';
import type { MemoryFigures } from './memory.ts';
import type { KindOfRows } from './rows.ts';

export interface Rows {
  batches: BatchFigures[];
  fairness: FairnessFigures;
  memory: MemoryFigures;
}

type CriterionId = 'plain' | 'styled' | 'beside' | 'spread' | 'memory';

const goal = (id: CriterionId, title: string, bound: number, unit: Criterion['unit']) =>
  ({ id, title, better: 'lower', must: bound, aim: bound, unit }) as const;

/** Two workspaces share four jobs at once and two cores: twice the time alone, and the wait for the slices under way. */
export const criteria: readonly (Criterion & { id: CriterionId })[] = [
  goal('plain', '1,000 plain rows, from the call to completed', 2_000, ' ms'),
  goal('styled', '1,000 fully styled rows of one style', 4_000, ' ms'),
  goal('beside', 'one batch beside a workspace with twenty, against alone', 3, '×'),
  goal('spread', 'twenty workspaces with a batch each at once: the slowest against the fastest', 1.5, '×'),
  goal('memory', 'growth of memory over the second half of forty batches', 50, ' MB'),
];

const titles: Record<KindOfRows, string> = {
  plain: 'plain',
  styled: 'fully styled, one style',
  distinct: 'fully styled, a style each',
};

export const batchesTable = (figures: readonly BatchFigures[]): string => {
  const plain = figures.find(({ kind }) => kind === 'plain')!;
  return formatTable(
    ['rows', 'ms to completed', 'to plain', 'rows/s', 'CPU ms/row', 'behind it', 'cores used by others'],
    figures.map(({ kind, rows, ms, msRange, cpuMs, behindCpuMs, foreignShare }) => [
      `${rows.toLocaleString('en-US')} ${titles[kind]}`,
      `${ms.toFixed(0)} [${msRange.low.toFixed(0)}–${msRange.high.toFixed(0)}]`,
      `${(ms / plain.ms).toFixed(2)} ×`,
      ((rows * 1000) / ms).toFixed(0),
      cpuMs.toFixed(2),
      behindCpuMs.toFixed(2),
      `${Math.round(foreignShare * 100)}%`,
    ]),
  );
};

/** Others only make a batch slower: a time that is met beside them is met. */
const timeOf = (figures: readonly BatchFigures[], kind: 'plain' | 'styled'): Finding => {
  const { ms, rows, cpuMs, foreignShare } = figures.find((each) => each.kind === kind)!;
  if (rows < 1_000) return { why: `a short round: ${rows} rows` };
  const finding = { value: ms, note: `${cpuMs.toFixed(2)} CPU ms a row` };
  const goalMs = criteria.find(({ id }) => id === kind)!.must;
  const disturbance = `others took ${(foreignShare * 100).toFixed(0)}% of the cores`;
  if (goalMs !== undefined && ms <= goalMs) return { ...finding, note: `${finding.note}; ${disturbance}` };
  return withDisturbance(finding, [foreignShare]);
};

const ratioOf = (figures: FairnessFigures, value: number, note: string): Finding =>
  withDisturbance({ value, note }, [figures.foreignShare]);

export const findingsOf = ({ batches, fairness, memory }: Outcomes<Rows>): Record<CriterionId, Finding> => ({
  plain: findingOf(batches, (figures) => timeOf(figures, 'plain')),
  styled: findingOf(batches, (figures) => timeOf(figures, 'styled')),
  beside: findingOf(fairness, (figures) =>
    ratioOf(
      figures,
      figures.besideRatio,
      `${figures.besideMs.toFixed(0)} / ${figures.aloneMs.toFixed(0)} ms`,
    ),
  ),
  spread: findingOf(fairness, (figures) =>
    ratioOf(figures, figures.spreadRatio, `${figures.workspaces} workspaces`),
  ),
  memory: findingOf(memory, ({ beforeMb, peakMb, halfMb, afterMb }) => ({
    value: Math.max(0, afterMb - halfMb),
    note: `${[beforeMb, halfMb, afterMb].map(Math.round).join(' → ')} MB, at most ${Math.round(peakMb)} MB`,
  })),
});

export const goals = (findings: Record<CriterionId, Finding>): string => goalTable(criteria, findings);
