/** The results of a run, and the findings that follow from them. */

import { floorP99QuietMs, quietPairs } from '../../bench/open-rounds.ts';
import type { Machine } from '../../measure/machine.ts';
import { median, rangeOf } from '../../measure/statistics.ts';
import { findingOf, withDisturbance } from '../../report/findings.ts';
import type { Finding } from '../../report/judge.ts';
import type { EventsResult } from '../rows/events.ts';
import type { KillsResult } from '../rows/kills.ts';
import type { MillionResult } from '../rows/million.ts';
import type { MissesResult } from '../rows/misses.ts';
import type { RoutingResult } from '../rows/routing.ts';
import type { ServerFigures, ServerKind, ServersResult } from '../rows/servers.ts';
import type { SyncResult } from '../rows/sync.ts';
import type { UpdateResult } from '../rows/update.ts';
import type { CriterionId } from './criteria.ts';

export interface RowResults {
  servers: ServersResult;
  misses: MissesResult;
  million: MillionResult;
  routing: RoutingResult;
  sync: SyncResult;
  update: UpdateResult;
  kills: KillsResult;
  events: EventsResult;
}

export interface Results {
  date: string;
  machine: Machine;
  quick: boolean;
  /** Rows that were not asked for are absent; a row that failed says why. */
  rows: { [Name in keyof RowResults]?: RowResults[Name] | { failed: string } };
}

const round = (value: number, digits: number): string => value.toFixed(digits);

type Ratio = (
  ours: ServerFigures,
  theirs: ServerFigures,
) => { value: number; note: string } | { why: string };

const against =
  (kind: ServerKind, ratio: Ratio) =>
  ({ servers, missing }: ServersResult): Finding => {
    const [ours, theirs] = ['waymark', kind].map((each) => servers.find((server) => server.kind === each));
    if (!ours || !theirs) return { why: missing[kind] ?? missing.waymark ?? 'it did not run' };
    return withDisturbance(ratio(ours, theirs), [ours.foreignShare, theirs.foreignShare]);
  };

const withRange = ({ cpuUs, cpuUsRange }: ServerFigures): string =>
  `${round(cpuUs, 1)} (${round(cpuUsRange.low, 1)}–${round(cpuUsRange.high, 1)})`;

const cpuRatio: Ratio = (ours, theirs) => ({
  value: ours.cpuUs / theirs.cpuUs,
  note: `${withRange(ours)} / ${withRange(theirs)} µs`,
});

const throughputRatio: Ratio = (ours, theirs) => ({
  value: ours.perSecond / theirs.perSecond,
  note: `${round(ours.perSecond, 0)} / ${round(theirs.perSecond, 0)} per second`,
});

/** The quiet pairs that a 99th percentile needs. */
const quietPairsMin = 3;

/** The ratio of the 99th percentiles, where the floor's own is quiet: the median of the pairs. */
const latencyFinding = ({ pairs, missing }: ServersResult): Finding => {
  if (pairs.length === 0) return { why: missing.waymark ?? missing.bare ?? 'it did not run' };
  const quiet = quietPairs(pairs);
  const floors = rangeOf(pairs.map(({ floor }) => floor.p99Ms));
  if (quiet.length < quietPairsMin) {
    return {
      why: `the machine was not quiet: the bare answer's own p99 was ${round(floors.low, 2)} to ${round(floors.high, 2)} ms, at most ${floorP99QuietMs} ms in ${quiet.length} of ${pairs.length} rounds`,
    };
  }
  const ratios = quiet.map((pair) => pair.round.p99Ms / pair.floor.p99Ms);
  const range = rangeOf(ratios);
  return {
    value: median(ratios),
    note: `${quiet.length} quiet rounds of ${pairs.length}; ${round(range.low, 2)} to ${round(range.high, 2)} ×; bare ${round(median(quiet.map(({ floor }) => floor.p99Ms)), 2)} ms`,
  };
};

/** While the spool grows, ClickHouse takes as much as it can. */
const eventsFinding = (events: EventsResult): Finding => ({
  value: events.rowsPerSecond,
  note: `of ${round(events.redirectsPerSecond, 0)} redirects/s; ${round(events.lagEndS, 1)} s of them waited at the end`,
});

const missesFinding = ({ hitsPerSecond, missesPerSecond, missShare, foreignShare }: MissesResult): Finding =>
  withDisturbance(
    {
      value: missesPerSecond / hitsPerSecond,
      note: `${round(missesPerSecond, 0)} / ${round(hitsPerSecond, 0)} per second; ${round(missShare * 100, 1)}% were misses`,
    },
    [foreignShare],
  );

const millionFinding = ({ codes, residentBytes, peakBytes }: MillionResult): Finding => {
  const note = `${codes} codes; at most ${round(peakBytes / 2 ** 20, 0)} MB`;
  // Ids are drawn at random: a few of a million are the same.
  if (codes < 999_900)
    return { why: `too few for the promise: ${round(residentBytes / 2 ** 20, 0)} MB for ${note}` };
  return { value: residentBytes / 2 ** 20, note };
};

const routingFinding = ({ plainCpuUs, routedCpuUs, foreignShare }: RoutingResult): Finding =>
  withDisturbance(
    { value: routedCpuUs / plainCpuUs, note: `${round(routedCpuUs, 1)} / ${round(plainCpuUs, 1)} µs` },
    [foreignShare],
  );

const updateFinding = (update: UpdateResult): Finding => ({
  value: update.p99Ms,
  note: `${update.updates} updates; p50 ${round(update.p50Ms, 1)} ms, at most ${round(update.maxMs, 1)} ms`,
});

const killsNote = ({ kills, acknowledged, recorded }: KillsResult): string =>
  `${kills} kills; ${acknowledged} acknowledged, ${recorded} recorded`;

export const findingsOf = ({ rows }: Results): Record<CriterionId, Finding> => ({
  cpuNginx: findingOf(rows.servers, against('nginxJob', cpuRatio)),
  cpuBare: findingOf(rows.servers, against('bare', cpuRatio)),
  cpuNginxUnlimited: findingOf(rows.servers, against('nginxUnlimited', cpuRatio)),
  kutt: findingOf(rows.servers, against('kutt', throughputRatio)),
  p99Bare: findingOf(rows.servers, latencyFinding),
  misses: findingOf(rows.misses, missesFinding),
  million: findingOf(rows.million, millionFinding),
  routing: findingOf(rows.routing, routingFinding),
  update: findingOf(rows.update, updateFinding),
  lost: findingOf(rows.kills, (kills) => ({ value: kills.lost, note: killsNote(kills) })),
  twice: findingOf(rows.kills, (kills) => ({ value: kills.countedTwice, note: killsNote(kills) })),
  events: findingOf(rows.events, eventsFinding),
});
