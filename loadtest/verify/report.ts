/** The report of the load test of verifications: goals and verdicts. */
import type { Outcomes } from '../bench/run-rows.ts';
import { findingOf, withDisturbance } from '../report/findings.ts';
import type { Criterion, Finding } from '../report/judge.ts';
import { goalTable } from '../report/table.ts';
import type { FirstsFigures } from './firsts.ts';
import type { ForgedFigures } from './forged.ts';
import type { GenuineFigures } from './genuine.ts';

export interface Rows {
  forged: ForgedFigures;
  genuine: GenuineFigures;
  firsts: FirstsFigures;
}

type CriterionId = 'forgery' | 'page' | 'reads' | 'lookups' | 'claimed' | 'flat' | 'saturated' | 'firsts';

export const criteria: readonly (Criterion & { id: CriterionId })[] = [
  {
    id: 'forgery',
    title: 'forgeries against plain redirects, JSON: throughput',
    better: 'higher',
    must: 0.8,
    aim: 0.8,
    unit: '×',
  },
  { id: 'page', title: 'the same with a page', better: 'higher', unit: '×' },
  {
    id: 'reads',
    title: 'reads from Redis for each forgery',
    better: 'lower',
    // Heartbeats do not fall alike into two windows of time: one or two more are none of a forgery's.
    must: 0.001,
    aim: 0.001,
    unit: '×',
  },
  {
    id: 'lookups',
    title: 'questions to the control plane for each forgery',
    better: 'lower',
    must: 0.001,
    aim: 0.001,
    unit: '×',
  },
  { id: 'claimed', title: 'claimed items against plain redirects: throughput', better: 'higher', unit: '×' },
  {
    id: 'flat',
    title: 'p99 of claimed items beside forgeries at half their peak, against without',
    better: 'lower',
    unit: '×',
  },
  {
    id: 'saturated',
    title: 'the same beside as many forgeries as one core answers',
    better: 'lower',
    unit: '×',
  },
  { id: 'firsts', title: 'first scans', better: 'higher', unit: '/s' },
];

const against = (
  one: { perSecond: number; cpuUs: number; foreignShare: number },
  redirect: typeof one,
): Finding =>
  withDisturbance(
    {
      value: one.perSecond / redirect.perSecond,
      note: `${Math.round(one.perSecond)} / ${Math.round(redirect.perSecond)} per second; ${one.cpuUs.toFixed(1)} / ${redirect.cpuUs.toFixed(1)} CPU µs`,
    },
    [one.foreignShare, redirect.foreignShare],
  );

export const findingsOf = ({ forged, genuine, firsts }: Outcomes<Rows>): Record<CriterionId, Finding> => ({
  forgery: findingOf(forged, ({ forgery, redirect }) => against(forgery, redirect)),
  page: findingOf(forged, ({ page, redirect }) => against(page, redirect)),
  reads: findingOf(forged, ({ reads, forgeries }) => ({
    value: reads / forgeries,
    note: `${reads} more than without requests, ${forgeries} forgeries`,
  })),
  lookups: findingOf(forged, ({ lookups, forgeries }) => ({
    value: lookups / forgeries,
    note: `${lookups} more than without requests, ${forgeries} forgeries`,
  })),
  claimed: findingOf(genuine, ({ claimed, redirect }) => against(claimed, redirect)),
  flat: findingOf(genuine, ({ aloneP99Ms, besideP99Ms, generatorP99Ms, ratePerSecond, floodPerSecond }) => ({
    value: besideP99Ms / aloneP99Ms,
    note: `${besideP99Ms.toFixed(2)} / ${aloneP99Ms.toFixed(2)} ms at ${ratePerSecond}/s, beside ${Math.round(floodPerSecond)}/s; the generator itself was up to ${generatorP99Ms.toFixed(2)} ms late`,
  })),
  saturated: findingOf(genuine, ({ aloneP99Ms, saturatedP99Ms }) => ({
    value: saturatedP99Ms / aloneP99Ms,
    note: `${saturatedP99Ms.toFixed(2)} / ${aloneP99Ms.toFixed(2)} ms`,
  })),
  firsts: findingOf(firsts, ({ perSecond, claims }) => ({ value: perSecond, note: `${claims} claims` })),
});

export const goals = (findings: Record<CriterionId, Finding>): string => goalTable(criteria, findings);
