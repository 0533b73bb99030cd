/**
 * Webhooks: one control plane on a core of its own; PostgreSQL, which waits for its disk, the receivers, each in a process of its own,
 * and this command on the other one.
 */
import { build, quick } from '../load-test/flags.ts';
import { defineLoadTest } from '../load-test/load-test.ts';
import type { Latencies } from '../measure/statistics.ts';
import { withDisturbance } from '../report/findings.ts';
import { atLeast, atMost, type Finding, noPromise } from '../report/judge.ts';
import { type ApiFigures, type ApiReading, measureApi } from './api.ts';
import { environment } from './context.ts';
import { type DelayFigures, eventsPerSecond, measureDelay } from './delay.ts';
import { measureRate, type RateFigures } from './rate.ts';
import { measureScans } from './scans.ts';

const rateFinding = (figures: RateFigures): Finding => {
  const { perSecond, perSecondRange, deliveries, foreignShare } = figures;
  const range = `${Math.round(perSecondRange.low)}–${Math.round(perSecondRange.high)}`;
  const finding = { value: perSecond, note: `${deliveries} deliveries; ${range}` };
  // Others only make it slower: a goal that is met beside them is met.
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
  (what: keyof ApiReading, figure: 'p50Ms' | 'p99Ms') =>
  ({ queued, empty, full, emptyAgain }: ApiFigures): Finding => {
    const [before, between, after] = [empty, full, emptyAgain].map((look) => look[what][figure]) as [
      number,
      number,
      number,
    ];
    const note = `${queued} queued: ${between.toFixed(1)} ms; none: ${before.toFixed(1)} and then ${after.toFixed(1)} ms`;
    return { value: between / ((before + after) / 2), note };
  };

export const webhooks = defineLoadTest({
  name: 'webhooks',
  about: 'measures deliveries: their rate, their delay beside bad endpoints, the API beside them',
  flags: {
    quick,
    build: build('control-plane/features/webhooks/delivery'),
    profile: {
      kind: 'folder',
      takes: 'FOLDER',
      contents: ['.'],
      help: 'the control plane writes a CPU profile there when it ends',
    },
  },
  only: { noun: 'row' },
  pinned: true,
  environment,
  rows: { rate: measureRate, delay: measureDelay, api: measureApi, scans: measureScans },
  criteria: [
    {
      id: 'rate',
      title: 'deliveries to a healthy endpoint from one control plane',
      ...atLeast(1_000, '/s', 3_000),
      row: 'rate',
      finding: rateFinding,
    },
    {
      id: 'planeCpu',
      title: 'CPU of the control plane for 1,000 deliveries',
      ...noPromise('lower', ' ms'),
      row: 'rate',
      // Microseconds for one are milliseconds for 1,000.
      finding: ({ planeUs }) => ({ value: planeUs }),
    },
    {
      id: 'postgresCpu',
      title: 'CPU of PostgreSQL for 1,000 deliveries',
      ...noPromise('lower', ' ms'),
      row: 'rate',
      finding: ({ postgresUs }) => ({ value: postgresUs }),
    },
    {
      id: 'wrong',
      title: 'requests with a wrong signature or envelope, deliveries missing or twice',
      ...atMost(0, ''),
      row: 'rate',
      finding: ({ wrong }) => ({ value: wrong }),
    },
    {
      id: 'delayRatio',
      title: 'p99 delay of a healthy endpoint beside a dead and a slow one, against alone',
      ...atMost(2, '×', 1.2),
      row: 'delay',
      finding: delayFinding,
    },
    {
      id: 'delayMissing',
      title: 'events that did not come to the healthy endpoint',
      ...atMost(0, ''),
      row: 'delay',
      finding: ({ missing }) => ({ value: missing }),
    },
    {
      id: 'getP50',
      title: 'a list of codes with a million deliveries queued, against none: p50',
      ...atMost(1.3, '×', 1.1),
      row: 'api',
      finding: apiFinding('get', 'p50Ms'),
    },
    {
      id: 'getP99',
      title: 'the same: p99',
      ...atMost(2, '×', 1.3),
      row: 'api',
      finding: apiFinding('get', 'p99Ms'),
    },
    {
      id: 'postP50',
      title: 'a code is created with a million deliveries queued, against none: p50',
      ...atMost(1.3, '×', 1.1),
      row: 'api',
      finding: apiFinding('post', 'p50Ms'),
    },
    {
      id: 'postP99',
      title: 'the same: p99',
      ...atMost(2, '×', 1.3),
      row: 'api',
      finding: apiFinding('post', 'p99Ms'),
    },
    {
      id: 'drainingP99',
      title: 'a code is created while deliveries go out at full speed: p99',
      ...noPromise('lower', ' ms'),
      row: 'api',
      finding: ({ draining, empty }) => ({
        value: draining.post.p99Ms,
        note: `${draining.post.perSecond.toFixed(0)}/s; with an empty queue ${empty.post.p99Ms.toFixed(1)} ms and ${empty.post.perSecond.toFixed(0)}/s`,
      }),
    },
    {
      id: 'deleteMs',
      title: 'a webhook is deleted with a quarter of a million deliveries',
      ...noPromise('lower', ' ms'),
      row: 'api',
      finding: ({ deleteMs, queued }) => ({ value: deleteMs, note: `${queued / 4} deliveries` }),
    },
    {
      id: 'scansP50',
      title: 'from a scan to its delivery: p50',
      ...noPromise('lower', ' ms'),
      row: 'scans',
      finding: ({ delays, scansPerSecond }) => ({ value: delays.p50Ms, note: `${scansPerSecond} scans/s` }),
    },
    {
      id: 'scansP99',
      title: 'from a scan to its delivery: p99',
      ...noPromise('lower', ' ms'),
      row: 'scans',
      finding: ({ delays }) => ({ value: delays.p99Ms, note: rounded(delays) }),
    },
    {
      id: 'scansWrong',
      title: 'scans without a delivery, and requests that were no good delivery',
      ...atMost(0, ''),
      row: 'scans',
      finding: ({ wrong, scans }) => ({ value: wrong, note: `${scans} scans` }),
    },
  ],
});
