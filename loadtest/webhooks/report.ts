/** The report of the load test of webhooks: promises and verdicts. */
import type { Outcomes } from '../bench/run-rows.ts';
import type { Latencies } from '../measure/statistics.ts';
import { findingOf, withDisturbance } from '../report/findings.ts';
import type { Criterion, Finding } from '../report/judge.ts';
import { verdictTable } from '../report/table.ts';
import type { ApiFigures, ApiLook } from './api.ts';
import { type DelayFigures, eventsPerSecond } from './delay.ts';
import type { RateFigures } from './rate.ts';
import type { ScansFigures } from './scans.ts';

/** index.ts measures them in this order. */
export interface Rows {
  rate: RateFigures;
  delay: DelayFigures;
  api: ApiFigures;
  scans: ScansFigures;
}

const ids = [
  'rate',
  'planeCpu',
  'postgresCpu',
  'wrong',
  'delayRatio',
  'delayMissing',
  'getP50',
  'getP99',
  'postP50',
  'postP99',
  'drainingP99',
  'deleteMs',
  'scansP50',
  'scansP99',
  'scansWrong',
] as const;
type CriterionId = (typeof ids)[number];

const lower = (id: CriterionId, title: string, unit: Criterion['unit'], must?: number, aim = must) => ({
  id,
  title,
  better: 'lower' as const,
  unit,
  ...(must === undefined || aim === undefined ? {} : { must, aim }),
});

export const criteria: readonly (Criterion & { id: CriterionId })[] = [
  {
    id: 'rate',
    title: 'deliveries to a healthy endpoint from one control plane',
    better: 'higher',
    must: 1_000,
    aim: 3_000,
    unit: '/s',
  },
  lower('planeCpu', 'CPU of the control plane for 1,000 deliveries', ' ms'),
  lower('postgresCpu', 'CPU of PostgreSQL for 1,000 deliveries', ' ms'),
  lower('wrong', 'requests with a wrong signature or envelope, deliveries missing or twice', '', 0),
  lower(
    'delayRatio',
    'p99 delay of a healthy endpoint beside a dead and a slow one, against alone',
    '×',
    2,
    1.2,
  ),
  lower('delayMissing', 'events that did not come to the healthy endpoint', '', 0),
  lower('getP50', 'a list of codes with a million deliveries queued, against none: p50', '×', 1.3, 1.1),
  lower('getP99', 'the same: p99', '×', 2, 1.3),
  lower('postP50', 'a code is created with a million deliveries queued, against none: p50', '×', 1.3, 1.1),
  lower('postP99', 'the same: p99', '×', 2, 1.3),
  lower('drainingP99', 'a code is created while deliveries go out at full speed: p99', ' ms'),
  lower('deleteMs', 'a webhook is deleted with a quarter of a million deliveries', ' ms'),
  lower('scansP50', 'from a scan to its delivery: p50', ' ms'),
  lower('scansP99', 'from a scan to its delivery: p99', ' ms'),
  lower('scansWrong', 'scans without a delivery, and requests that were no good delivery', '', 0),
];

const rateFinding = (figures: RateFigures): Finding => {
  const { perSecond, perSecondRange, deliveries, foreignShare } = figures;
  const range = `${Math.round(perSecondRange.low)}–${Math.round(perSecondRange.high)}`;
  const finding = { value: perSecond, note: `${deliveries} deliveries; ${range}` };
  // Others only make it slower: what is met beside them is met.
  return perSecond >= 1_000 ? finding : withDisturbance(finding, [foreignShare]);
};

const rounded = ({ p50Ms, p99Ms, maxMs }: Latencies): string =>
  `p50 ${p50Ms.toFixed(0)}, p99 ${p99Ms.toFixed(0)}, max ${maxMs.toFixed(0)} ms`;

const delayFinding = ({ alone, beside, p99Ratio, foreignShare }: DelayFigures): Finding => {
  const note = `${eventsPerSecond} events/s; alone ${rounded(alone)}; beside ${rounded(beside)}`;
  const finding = { value: p99Ratio, note };
  return p99Ratio <= 2 ? finding : withDisturbance(finding, [foreignShare]);
};

/** Against the slower of the two looks at an empty queue. */
const apiFinding =
  (what: keyof ApiLook, figure: 'p50Ms' | 'p99Ms') =>
  ({ queued, empty, full, emptyAgain }: ApiFigures): Finding => {
    const [before, between, after] = [empty, full, emptyAgain].map((look) => look[what][figure]) as [
      number,
      number,
      number,
    ];
    const note = `${queued} queued: ${between.toFixed(1)} ms; none: ${before.toFixed(1)} and then ${after.toFixed(1)} ms`;
    return { value: between / ((before + after) / 2), note };
  };

export const findingsOf = ({ rate, delay, api, scans }: Outcomes<Rows>): Record<CriterionId, Finding> => ({
  rate: findingOf(rate, rateFinding),
  planeCpu: findingOf(rate, ({ planeUs }) => ({ value: planeUs })),
  postgresCpu: findingOf(rate, ({ postgresUs }) => ({ value: postgresUs })),
  wrong: findingOf(rate, ({ wrong }) => ({ value: wrong })),
  delayRatio: findingOf(delay, delayFinding),
  delayMissing: findingOf(delay, ({ missing }) => ({ value: missing })),
  getP50: findingOf(api, apiFinding('get', 'p50Ms')),
  getP99: findingOf(api, apiFinding('get', 'p99Ms')),
  postP50: findingOf(api, apiFinding('post', 'p50Ms')),
  postP99: findingOf(api, apiFinding('post', 'p99Ms')),
  drainingP99: findingOf(api, ({ draining, empty }) => ({
    value: draining.post.p99Ms,
    note: `${draining.post.perSecond.toFixed(0)}/s; with an empty queue ${empty.post.p99Ms.toFixed(1)} ms and ${empty.post.perSecond.toFixed(0)}/s`,
  })),
  deleteMs: findingOf(api, ({ deleteMs, queued }) => ({ value: deleteMs, note: `${queued / 4} deliveries` })),
  scansP50: findingOf(scans, ({ delays, scansPerSecond }) => ({
    value: delays.p50Ms,
    note: `${scansPerSecond} scans/s`,
  })),
  scansP99: findingOf(scans, ({ delays }) => ({ value: delays.p99Ms, note: rounded(delays) })),
  scansWrong: findingOf(scans, ({ wrong, scans: made }) => ({ value: wrong, note: `${made} scans` })),
});

export const verdicts = (findings: Record<CriterionId, Finding>): string => verdictTable(criteria, findings);
