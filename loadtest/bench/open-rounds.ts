/** An open loop's round on one server, and the rounds that nothing disturbed. */
import { messageOf } from '#shared/errors.ts';
import { runGenerator } from '../load/generator.ts';
import type { GeneratorOptions } from '../load/generator-options.ts';
import type { Latencies } from '../measure/statistics.ts';
import type { Target } from './rounds.ts';

/** More than a closed loop has, so that a stall leaves connections free for the requests that are due meanwhile. */
const openLoopConnections = 256;

export interface OpenRound extends Latencies {
  /** The generator's own delay: differences below it mean nothing. */
  generatorP99Ms: number;
}

/** @throws {Error} if a request failed */
export const openRound = async (
  { port, requestsFile, name, status }: Target,
  ratePerSecond: number,
  seconds: number,
  measured?: GeneratorOptions['measured'],
): Promise<OpenRound> => {
  const { latencies, sendLag } = await runGenerator({
    port,
    connections: openLoopConnections,
    connectionKind: 'kept',
    requests: { kind: 'requests', file: requestsFile },
    load: { kind: 'steady', ratePerSecond, seconds },
    ...(status === undefined ? {} : { status }),
    ...(measured && { measured }),
    watch: { serverPids: [], behindPids: [] },
  }).catch((error: unknown) => {
    throw new Error(`${name} at ${Math.round(ratePerSecond)}/s: ${messageOf(error)}`);
  });
  if (!latencies || !sendLag) throw new Error('the generator reported no latencies');
  return { ...latencies, generatorP99Ms: sendLag.p99Ms };
};

/**
 * Latencies of one target's requests beside the requests of another one, on the same server. One generator sends both: two of them would
 * take the core from each other, and measure that.
 * @throws {Error} if a request failed
 */
export const openRoundBeside = async (
  { requestsFile, status }: Target,
  ratePerSecond: number,
  others: Target,
  othersPerSecond: number,
  seconds: number,
): Promise<OpenRound> => {
  const every = Math.round(othersPerSecond / ratePerSecond) + 1;
  return openRound(others, every * ratePerSecond, seconds, {
    file: requestsFile,
    every,
    status: status ?? '30',
  });
};

/** A generator that is later than this share of the latencies measures itself. */
const generatorShareMax = 0.5;

export const generatorWasLate = ({
  generatorP99Ms,
  p99Ms,
}: Pick<OpenRound, 'generatorP99Ms' | 'p99Ms'>): boolean => generatorP99Ms > generatorShareMax * p99Ms;

/**
 * A constant answer takes some 10 µs of CPU. If its 99th percentile at half load is above this, the machine paused, and the
 * latencies of every server beside it are the machine's.
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
