/**
 * Bulk operations as an integrator sees them: from the call that submits a batch to the status that says completed. The control plane
 * has both cores, as on a machine that runs everything; PostgreSQL waits for its disk.
 */
import type { KindOfRows } from '../load/bulk-rows.ts';
import { build, quick } from '../load-test/flags.ts';
import { defineLoadTest } from '../load-test/load-test.ts';
import { despiteOthers, tableOf, withDisturbance } from '../report/findings.ts';
import { atMost, type Finding } from '../report/judge.ts';
import { formatTable } from '../report/table.ts';
import { environment } from './batch.ts';
import {
  type BatchFigures,
  type FairnessFigures,
  measureBatches,
  measureFairness,
  measureMemory,
} from './rows.ts';

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

const goalsMs = { plain: 2_000, styled: 4_000 };

/** Others only make a batch slower. */
const timeOf = (figures: readonly BatchFigures[], kind: keyof typeof goalsMs): Finding => {
  const { ms, rows, cpuMs, foreignShare } = figures.find((each) => each.kind === kind)!;
  if (rows < 1_000) return { why: `a short round: ${rows} rows` };
  const finding = { value: ms, note: `${cpuMs.toFixed(2)} CPU ms a row` };
  return despiteOthers(finding, ms <= goalsMs[kind], foreignShare);
};

const ratioOf = ({ foreignShare }: FairnessFigures, value: number, note: string): Finding =>
  withDisturbance({ value, note }, [foreignShare]);

export const bulk = defineLoadTest({
  name: 'bulk',
  about: 'measures bulk operations: batches, turns of workspaces, memory',
  flags: { quick, build: build('control-plane/features/bulk') },
  only: { noun: 'row' },
  environment,
  rows: { batches: measureBatches, fairness: measureFairness, memory: measureMemory },
  criteria: [
    {
      id: 'plain',
      title: '1,000 plain rows, from the call to completed',
      ...atMost(goalsMs.plain, ' ms'),
      row: 'batches',
      finding: (figures) => timeOf(figures, 'plain'),
    },
    {
      id: 'styled',
      title: '1,000 fully styled rows of one style',
      ...atMost(goalsMs.styled, ' ms'),
      row: 'batches',
      finding: (figures) => timeOf(figures, 'styled'),
    },
    {
      // Two workspaces share four jobs at once and two cores: twice the time alone, and the wait for the slices under way.
      id: 'beside',
      title: 'one batch beside a workspace with twenty, against alone',
      ...atMost(3, '×'),
      row: 'fairness',
      finding: (figures) => {
        const { besideRatio, besideMs, aloneMs } = figures;
        return ratioOf(figures, besideRatio, `${besideMs.toFixed(0)} / ${aloneMs.toFixed(0)} ms`);
      },
    },
    {
      id: 'spread',
      title: 'twenty workspaces with a batch each at once: the slowest against the fastest',
      ...atMost(1.5, '×'),
      row: 'fairness',
      finding: (figures) => ratioOf(figures, figures.spreadRatio, `${figures.workspaces} workspaces`),
    },
    {
      id: 'memory',
      title: 'growth of memory over the second half of forty batches',
      ...atMost(50, ' MB'),
      row: 'memory',
      finding: ({ beforeMb, peakMb, halfMb, afterMb }) => ({
        value: Math.max(0, afterMb - halfMb),
        note: `${[beforeMb, halfMb, afterMb].map(Math.round).join(' → ')} MB, at most ${Math.round(peakMb)} MB`,
      }),
    },
  ],
  tables: ({ batches }) => tableOf(batches, batchesTable),
});
