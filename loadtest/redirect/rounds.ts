/** One round of load on one server, and the median of several. */
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { loadCore, onCore, serverCore } from '../measure/pinning.ts';
import { cpuMsOf } from '../measure/processes.ts';
import { busyMsOf, foreignShare } from '../measure/quiet.ts';
import { type Latencies, median, type Range, rangeOf } from '../measure/statistics.ts';
import { type ClosedLoopResult, runWrk } from './load/wrk.ts';
import type { ServerProcess } from './server-process.ts';

/** As many as a busy edge proxy keeps open to one process. */
export const connections = 64;
/** Open loop: more, so that a stall leaves connections free for what is due meanwhile. */
const openLoopConnections = 256;
/** What a server does after a round (sending its log on) belongs to it. */
const settleMs = 1000;

/** A server with the requests that it understands. */
export interface Target extends Pick<ServerProcess, 'name' | 'pid' | 'port'> {
  requestsFile: string;
  /** Processes that work for this server alone while it is measured, such as the ClickHouse that takes its scans. */
  behindPids?: readonly number[];
  /** Resolves once nothing of a round is left to be done: what is would be charged to the next server's round. */
  drained?(): Promise<void>;
}

export interface ClosedRound {
  /** Microseconds of the server's CPU for each request answered. */
  cpuUs: number;
  /** Microseconds of CPU that what stands behind the server took for each request; 0 where nothing does. */
  behindCpuUs: number;
  perSecond: number;
  foreignShare: number;
}

/** Medians of several rounds, with the lowest and the highest. */
export interface ClosedFigures extends ClosedRound {
  cpuUsRange: Range;
  perSecondRange: Range;
}

/** @throws {Error} when a request failed: an average over errors would mean nothing */
export const closedRound = async (target: Target, seconds: number): Promise<ClosedRound> => {
  const startMs = performance.now();
  const [cpuMs, behindMs, busyMs] = [cpuMsOf(target.pid), behindCpuMsOf(target), busyMsOf(serverCore)];
  const result: ClosedLoopResult = await runWrk({ ...target, connections, seconds });
  await sleep(settleMs);
  const usedMs = cpuMsOf(target.pid) - cpuMs;
  const others = foreignShare(busyMsOf(serverCore) - busyMs, usedMs, performance.now() - startMs);
  if (result.failed > 0)
    throw new Error(`${target.name}: ${result.failed} of ${result.requests} requests failed`);
  await target.drained?.();
  return {
    cpuUs: ((cpuMsOf(target.pid) - cpuMs) * 1000) / result.requests,
    behindCpuUs: ((behindCpuMsOf(target) - behindMs) * 1000) / result.requests,
    perSecond: (result.requests * 1000) / result.durationMs,
    foreignShare: others,
  };
};

const behindCpuMsOf = ({ behindPids = [] }: Target): number =>
  behindPids.reduce((sum, pid) => sum + cpuMsOf(pid), 0);

/** A report mentions when others took more than this of the server's core. */
export const foreignShareNoted = 0.05;
/** Beyond this share a round is repeated … */
const foreignShareMax = 0.1;
/** … so often at most. */
const repeatsMax = 1;

const quietRound = async (target: Target, seconds: number): Promise<ClosedRound> => {
  let best = await closedRound(target, seconds);
  for (let repeat = 0; repeat < repeatsMax && best.foreignShare > foreignShareMax; repeat++) {
    const again = await closedRound(target, seconds);
    if (again.foreignShare < best.foreignShare) best = again;
  }
  return best;
};

export interface RoundsOptions {
  rounds: number;
  seconds: number;
}

/** Rounds in turn (A B C, A B C, …), so that a disturbance meets all alike; the median of each figure. */
export const interleavedRounds = async <T extends Target>(
  targets: readonly T[],
  { rounds, seconds }: RoundsOptions,
): Promise<Map<T, ClosedFigures>> => {
  const results = new Map<T, ClosedRound[]>(targets.map((target) => [target, []]));
  for (let round = 0; round < rounds; round++) {
    for (const target of targets) results.get(target)!.push(await quietRound(target, seconds));
  }
  return new Map(targets.map((target) => [target, medianRound(results.get(target)!)]));
};

const medianRound = (rounds: ClosedRound[]): ClosedFigures => {
  const cpuUs = rounds.map((round) => round.cpuUs);
  const perSecond = rounds.map((round) => round.perSecond);
  return {
    cpuUs: median(cpuUs),
    cpuUsRange: rangeOf(cpuUs),
    behindCpuUs: median(rounds.map((round) => round.behindCpuUs)),
    perSecond: median(perSecond),
    perSecondRange: rangeOf(perSecond),
    foreignShare: median(rounds.map((round) => round.foreignShare)),
  };
};

const latencies = z.object({ p50Ms: z.number(), p99Ms: z.number(), p999Ms: z.number(), maxMs: z.number() });
const openLoopResult = latencies.extend({ answered: z.number(), failed: z.number(), sendLag: latencies });

export interface OpenRound extends Latencies {
  /** How late the generator itself was: differences below it mean nothing. */
  generatorP99Ms: number;
}

const program = fileURLToPath(new URL('load/open-loop-main.ts', import.meta.url));

const outputOf = async (command: string, args: string[]): Promise<string> => {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`);
  return output;
};

/** @throws {Error} when a request failed */
export const openRound = async (
  { port, requestsFile, name }: Target,
  ratePerSecond: number,
  seconds: number,
): Promise<OpenRound> => {
  const options = { port, requestsFile, connections: openLoopConnections, ratePerSecond, seconds };
  const [command, args] = onCore(loadCore, process.execPath, [program, JSON.stringify(options)]);
  const { failed, sendLag, ...result } = openLoopResult.parse(JSON.parse(await outputOf(command, args)));
  if (failed > 0) throw new Error(`${name}: ${failed} requests failed at ${Math.round(ratePerSecond)}/s`);
  return { ...result, generatorP99Ms: sendLag.p99Ms };
};

/** When the generator itself was later than this share of what it measured, it measured itself. */
const generatorShareMax = 0.5;

export const generatorWasLate = ({ generatorP99Ms, p99Ms }: OpenRound): boolean =>
  generatorP99Ms > generatorShareMax * p99Ms;

/**
 * A constant answer takes some 10 µs of CPU: where its 99th percentile at half load is above this, the machine paused, and what
 * any server shows beside it is the machine's.
 */
export const floorP99QuietMs = 1;

/** A round of the floor (the bare answer) and one of the redirector right after it, at the same rate. */
export interface Pair {
  floor: OpenRound;
  round: OpenRound;
}

/** The pairs in which neither the generator nor the floor was disturbed. */
export const quietPairs = (pairs: readonly Pair[]): Pair[] =>
  pairs.filter(
    ({ floor, round }) =>
      floor.p99Ms <= floorP99QuietMs && !generatorWasLate(floor) && !generatorWasLate(round),
  );

/**
 * The round in which the generator itself was least late. A pause of the whole machine, as a hypervisor makes, is in the
 * latencies of every server alike and says nothing of any of them.
 */
export const quietestOpenRound = (rounds: readonly OpenRound[]): OpenRound =>
  rounds.reduce((best, round) => (round.generatorP99Ms < best.generatorP99Ms ? round : best));
