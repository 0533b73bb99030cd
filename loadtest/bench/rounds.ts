/** A closed loop's round on one server, and the median of several. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type ClosedLoopResult, runWrk } from '../load/wrk.ts';
import { cpuMsBetween, readCpu } from '../measure/cpu-time.ts';
import { serverCore } from '../measure/pinning.ts';
import { busyMsOf, foreignShare } from '../measure/quiet.ts';
import type { ServerProcess } from '../measure/server-process.ts';
import { type Range, rangeOf } from '../measure/statistics.ts';
import { interleave, mediansOf } from './interleave.ts';

/** As many as a busy edge proxy keeps open to one process. */
export const connections = 64;
/** The work of a server after a round, such as sending its log on, counts as the round's. */
const settleMs = 1000;

/** A server with the requests that it understands. */
export interface Target extends Pick<ServerProcess, 'name' | 'pid' | 'port'> {
  requestsFile: string;
  /** Further processes that answer together with the first, such as the redirector behind a proxy. */
  alsoPids?: readonly number[];
  /** The first two digits of the status of its answers, if they are no redirects. A closed loop takes all below 400, or all from there on. */
  status?: '20' | '40';
  /** See the option of wrk. */
  closesUnannounced?: boolean;
  /** Processes that work for this server alone while it is measured, such as the ClickHouse that takes its scans. */
  behindPids?: readonly number[];
  /** Resolves once the work of a round is done. The rest of it would be charged to the next server's round. */
  drained?(): Promise<void>;
}

export interface ClosedRound {
  /** Microseconds of the server's CPU for each request answered. */
  cpuUs: number;
  /** Microseconds of CPU of the processes behind the server for each request; 0 if there is no such process. */
  behindCpuUs: number;
  perSecond: number;
  foreignShare: number;
}

/** Medians of several rounds, with the lowest and the highest. */
export interface ClosedFigures extends ClosedRound {
  cpuUsRange: Range;
  perSecondRange: Range;
}

/** @throws {Error} if a request failed: an average over errors would mean nothing */
export const closedRound = async (target: Target, seconds: number): Promise<ClosedRound> => {
  const startMs = performance.now();
  const [before, behindBefore] = [readCpu(serverPidsOf(target)), readCpu(behindPidsOf(target))];
  const busyMs = busyMsOf(serverCore);
  const result: ClosedLoopResult = await runWrk({ ...target, connections, seconds });
  await sleep(settleMs);
  const usedMs = cpuMsBetween(before, readCpu(serverPidsOf(target)));
  const others = foreignShare(busyMsOf(serverCore) - busyMs, usedMs, performance.now() - startMs);
  const failed = target.status === '40' ? result.requests - result.failed : result.failed;
  if (failed > 0) throw new Error(`${target.name}: ${failed} of ${result.requests} requests failed`);
  await target.drained?.();
  return {
    cpuUs: (cpuMsBetween(before, readCpu(serverPidsOf(target))) * 1000) / result.requests,
    behindCpuUs: (cpuMsBetween(behindBefore, readCpu(behindPidsOf(target))) * 1000) / result.requests,
    perSecond: (result.requests * 1000) / result.durationMs,
    foreignShare: others,
  };
};

export const serverPidsOf = ({ pid, alsoPids = [] }: Target): number[] => [pid, ...alsoPids];

export const behindPidsOf = ({ behindPids = [] }: Target): number[] => [...behindPids];

/** A report mentions a larger share of the server's core that others took. */
export const foreignShareNoted = 0.05;
/** A round with a larger share is repeated. */
const foreignShareMax = 0.1;

export type QuietRound = <R extends { foreignShare: number }>(measure: () => Promise<R>) => Promise<R>;

/** Measures a round that others disturbed once more, as long as repetitions are left, and keeps the quieter one. */
export const createQuietRounds = (repetitions: number): QuietRound => {
  let left = repetitions;
  return async (measure) => {
    const first = await measure();
    if (left === 0 || first.foreignShare <= foreignShareMax) return first;
    left--;
    const again = await measure();
    return again.foreignShare < first.foreignShare ? again : first;
  };
};

export interface RoundsOptions {
  rounds: number;
  seconds: number;
}

/** Rounds in turn; the median of each figure, with the lowest and the highest of the first two. */
export const interleavedRounds = async <T extends Target>(
  targets: readonly T[],
  { rounds, seconds }: RoundsOptions,
): Promise<Map<T, ClosedFigures>> => {
  const results = await interleave(targets, { rounds }, (target) =>
    createQuietRounds(1)(() => closedRound(target, seconds)),
  );
  return new Map([...results].map(([target, each]) => [target, medianRound(each)]));
};

const medianRound = (rounds: readonly ClosedRound[]): ClosedFigures => ({
  ...mediansOf(rounds),
  cpuUsRange: rangeOf(rounds.map(({ cpuUs }) => cpuUs)),
  perSecondRange: rangeOf(rounds.map(({ perSecond }) => perSecond)),
});
