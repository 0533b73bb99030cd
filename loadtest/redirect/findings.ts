/** The findings that follow from the rows' figures. */
import { floorP99QuietMs, generatorWasLate, quietPairs } from '../bench/open-rounds.ts';
import { median, rangeOf } from '../measure/statistics.ts';
import { withDisturbance } from '../report/findings.ts';
import type { Finding } from '../report/judge.ts';
import type { KillsResult } from './rows/kills.ts';
import type { MillionResult } from './rows/million.ts';
import type { ServerFigures, ServerKind, ServersResult } from './rows/servers.ts';
import type { UpdateFigures } from './rows/update.ts';

export const round = (value: number, digits: number): string => value.toFixed(digits);

type Ratio = (
  ours: ServerFigures,
  theirs: ServerFigures,
) => { value: number; note: string } | { why: string };

export const against =
  (kind: ServerKind, ratio: Ratio) =>
  ({ servers, missing }: ServersResult): Finding => {
    const [ours, theirs] = ['waymark', kind].map((each) => servers.find((server) => server.kind === each));
    if (!ours || !theirs) return { why: missing[kind] ?? missing.waymark ?? 'it did not run' };
    return withDisturbance(ratio(ours, theirs), [ours.foreignShare, theirs.foreignShare]);
  };

const withRange = ({ cpuUs, cpuUsRange }: ServerFigures): string =>
  `${round(cpuUs, 1)} (${round(cpuUsRange.low, 1)}–${round(cpuUsRange.high, 1)})`;

export const cpuRatio: Ratio = (ours, theirs) => ({
  value: ours.cpuUs / theirs.cpuUs,
  note: `${withRange(ours)} / ${withRange(theirs)} µs`,
});

export const throughputRatio: Ratio = (ours, theirs) => ({
  value: ours.perSecond / theirs.perSecond,
  note: `${round(ours.perSecond, 0)} / ${round(theirs.perSecond, 0)} per second`,
});

/** The quiet pairs that a 99th percentile needs. */
const quietPairsMin = 3;

/** The ratio of the 99th percentiles, if the floor's own is quiet: the median of the pairs. */
export const latencyFinding = ({ pairs, missing }: ServersResult): Finding => {
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

export const millionFinding = ({ codes, residentBytes, peakBytes }: MillionResult): Finding => {
  const note = `${codes} codes; at most ${round(peakBytes / 2 ** 20, 0)} MB`;
  // Ids are drawn at random: a few of a million are the same.
  if (codes < 999_900)
    return { why: `too few for the promise: ${round(residentBytes / 2 ** 20, 0)} MB for ${note}` };
  return { value: residentBytes / 2 ** 20, note };
};

export const killsNote = ({ kills, acknowledged, recorded }: KillsResult): string =>
  `${kills} kills; ${acknowledged} acknowledged, ${recorded} recorded`;

/** Not judged if the command that measures was itself kept waiting, or if others took much of the cores. */
export const updateFinding = (figures: UpdateFigures): Finding => {
  const { p99Ms, updates, loadPerSecond, busyShare, p50Ms, maxMs, generatorP99Ms, foreignShare } = figures;
  const load = `${loadPerSecond} scans/s, cores ${round(busyShare * 100, 0)}% busy`;
  if (generatorWasLate(figures))
    return {
      why: `the generator was ${round(generatorP99Ms, 1)} ms late, of ${round(p99Ms, 1)} ms; ${load}`,
    };
  const note = `${updates} updates beside ${load}; p50 ${round(p50Ms, 1)} ms, at most ${round(maxMs, 1)} ms`;
  return withDisturbance({ value: p99Ms, note }, [foreignShare]);
};
