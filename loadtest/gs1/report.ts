/** The report of the load test of GS1 Digital Links: goals and verdicts. */
import { floorP99QuietMs } from '../bench/open-rounds.ts';
import { withDisturbance } from '../report/findings.ts';
import type { Criterion, Finding } from '../report/judge.ts';
import { goalTable } from '../report/table.ts';
import { type Figures, type Measured, ratePerSecond } from './rounds.ts';

type CriterionId = 'productP50' | 'unitP50' | 'productCpu' | 'unitCpu';

const atMost = { better: 'lower', must: 1.3, aim: 1.3, unit: '×' } as const;

export const criteria: readonly (Criterion & { id: CriterionId })[] = [
  { id: 'productP50', title: 'the default link of a GTIN against a plain redirect: p50', ...atMost },
  { id: 'unitP50', title: 'a batch and serial that walk up to their GTIN: p50', ...atMost },
  { id: 'productCpu', title: 'the default link of a GTIN: CPU under full load', ...atMost },
  { id: 'unitCpu', title: 'a batch and serial that walk up: CPU under full load', ...atMost },
];

/** Where the generator itself was late, the machine is measured, not the server. */
const p50Against = ({ open: one }: Figures, { open: redirect }: Figures): Finding => {
  const value = one.p50Ms / redirect.p50Ms;
  const lateMs = Math.max(one.generatorP99Ms, redirect.generatorP99Ms);
  const note = `${one.p50Ms.toFixed(3)} / ${redirect.p50Ms.toFixed(3)} ms at ${ratePerSecond}/s; the generator itself was up to ${lateMs.toFixed(2)} ms late`;
  return lateMs <= floorP99QuietMs ? { value, note } : { why: `disturbed: ${value.toFixed(2)} from ${note}` };
};

const cpuAgainst = ({ closed: one }: Figures, { closed: redirect }: Figures): Finding =>
  withDisturbance(
    {
      value: one.cpuUs / redirect.cpuUs,
      note: `${one.cpuUs.toFixed(1)} / ${redirect.cpuUs.toFixed(1)} µs; ${Math.round(one.perSecond)} / ${Math.round(redirect.perSecond)} per second`,
    },
    [one.foreignShare, redirect.foreignShare],
  );

export const findingsOf = ({ redirect, product, unit }: Measured): Record<CriterionId, Finding> => ({
  productP50: p50Against(product, redirect),
  unitP50: p50Against(unit, redirect),
  productCpu: cpuAgainst(product, redirect),
  unitCpu: cpuAgainst(unit, redirect),
});

export const goals = (findings: Record<CriterionId, Finding>): string => goalTable(criteria, findings);
