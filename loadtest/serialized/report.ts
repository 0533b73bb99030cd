/** The report of the load test of serialized codes: goals and verdicts. */
import type { Outcomes } from '../bench/run-rows.ts';
import { findingOf, withDisturbance } from '../report/findings.ts';
import type { Criterion, Finding } from '../report/judge.ts';
import { goalTable } from '../report/table.ts';
import type { MintFigures } from './mint.ts';

/** A row of its own for each thing that is measured; index.ts measures them in this order. */
export interface Rows {
  mint: MintFigures;
}

type CriterionId = 'mint';

export const criteria: readonly (Criterion & { id: CriterionId })[] = [
  {
    id: 'mint',
    title: '50,000 items, from the call to completed',
    better: 'lower',
    must: 5_000,
    aim: 2_000,
    unit: ' ms',
  },
];

/** Others only make a job slower: a time that is met beside them is met. */
const timeOf = (ms: number, mustMs: number, foreignShare: number, note: string): Finding => {
  const finding = { value: ms, note };
  if (ms > mustMs) return withDisturbance(finding, [foreignShare]);
  return { ...finding, note: `${note}; others took ${(foreignShare * 100).toFixed(0)}% of the cores` };
};

const mintFinding = ({
  items,
  ms,
  msRange,
  fileMs,
  cpuMs,
  behindCpuMs,
  foreignShare,
}: MintFigures): Finding => {
  if (items < 50_000) return { why: `a short round: ${items} items` };
  const range = `${msRange.low.toFixed(0)}–${msRange.high.toFixed(0)}`;
  const note = `${range}; ${cpuMs.toFixed(1)} + ${behindCpuMs.toFixed(1)} CPU ms for 1,000; items.csv in ${fileMs.toFixed(0)} ms`;
  return timeOf(ms, 5_000, foreignShare, note);
};

export const findingsOf = ({ mint }: Outcomes<Rows>): Record<CriterionId, Finding> => ({
  mint: findingOf(mint, mintFinding),
});

export const goals = (findings: Record<CriterionId, Finding>): string => goalTable(criteria, findings);
