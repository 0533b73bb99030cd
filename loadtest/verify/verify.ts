/** Verifications of serialized items: forgeries, claimed items and first scans. */
import { quick } from '../load-test/flags.ts';
import { defineLoadTest } from '../load-test/load-test.ts';
import { withDisturbance } from '../report/findings.ts';
import { atLeast, atMost, type Finding, noPromise } from '../report/judge.ts';
import { environment } from './context.ts';
import { measureFirsts } from './firsts.ts';
import { measureForged } from './forged.ts';
import { measureGenuine } from './genuine.ts';

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

/** Heartbeats do not fall alike into two windows of time: one or two more belong to no forgery. */
const nearlyNone = atMost(0.001, '×');

export const verify = defineLoadTest({
  name: 'verify',
  about: 'measures verifications of serialized codes: forgeries, claimed items, first scans',
  flags: { quick },
  only: { noun: 'row' },
  environment,
  rows: { forged: measureForged, genuine: measureGenuine, firsts: measureFirsts },
  criteria: [
    {
      id: 'forgery',
      title: 'forgeries against plain redirects, JSON: throughput',
      ...atLeast(0.8, '×'),
      row: 'forged',
      finding: ({ forgery, redirect }) => against(forgery, redirect),
    },
    {
      id: 'page',
      title: 'the same with a page',
      ...noPromise('higher', '×'),
      row: 'forged',
      finding: ({ page, redirect }) => against(page, redirect),
    },
    {
      id: 'reads',
      title: 'reads from Redis for each forgery',
      ...nearlyNone,
      row: 'forged',
      finding: ({ reads, forgeries }) => ({
        value: reads / forgeries,
        note: `${reads} more than without requests, ${forgeries} forgeries`,
      }),
    },
    {
      id: 'lookups',
      title: 'questions to the control plane for each forgery',
      ...nearlyNone,
      row: 'forged',
      finding: ({ lookups, forgeries }) => ({
        value: lookups / forgeries,
        note: `${lookups} more than without requests, ${forgeries} forgeries`,
      }),
    },
    {
      id: 'claimed',
      title: 'claimed items against plain redirects: throughput',
      ...noPromise('higher', '×'),
      row: 'genuine',
      finding: ({ claimed, redirect }) => against(claimed, redirect),
    },
    {
      id: 'flat',
      title: 'p99 of claimed items beside forgeries at half their peak, against without',
      ...noPromise('lower', '×'),
      row: 'genuine',
      finding: ({ aloneP99Ms, besideP99Ms, generatorP99Ms, ratePerSecond, floodPerSecond }) => ({
        value: besideP99Ms / aloneP99Ms,
        note: `${besideP99Ms.toFixed(2)} / ${aloneP99Ms.toFixed(2)} ms at ${ratePerSecond}/s, beside ${Math.round(floodPerSecond)}/s; the generator itself was up to ${generatorP99Ms.toFixed(2)} ms late`,
      }),
    },
    {
      id: 'saturated',
      title: 'the same beside as many forgeries as one core answers',
      ...noPromise('lower', '×'),
      row: 'genuine',
      finding: ({ aloneP99Ms, saturatedP99Ms }) => ({
        value: saturatedP99Ms / aloneP99Ms,
        note: `${saturatedP99Ms.toFixed(2)} / ${aloneP99Ms.toFixed(2)} ms`,
      }),
    },
    {
      id: 'firsts',
      title: 'first scans',
      ...noPromise('higher', '/s'),
      row: 'firsts',
      finding: ({ perSecond, claims }) => ({ value: perSecond, note: `${claims} claims` }),
    },
  ],
});
