/** An open loop's round on one server, and the rounds that nothing disturbed. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { loadCore, onCore } from '../measure/pinning.ts';
import type { Latencies } from '../measure/statistics.ts';
import type { Target } from './rounds.ts';

/** More than a closed loop has, so that a stall leaves connections free for the requests that are due meanwhile. */
const openLoopConnections = 256;

const latencies = z.object({ p50Ms: z.number(), p99Ms: z.number(), p999Ms: z.number(), maxMs: z.number() });
const openLoopResult = latencies.extend({ answered: z.number(), failed: z.number(), sendLag: latencies });

export interface OpenRound extends Latencies {
  /** The generator's own delay: differences below it mean nothing. */
  generatorP99Ms: number;
}

const program = fileURLToPath(new URL('../load/open-loop-main.ts', import.meta.url));

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

/** A generator that is later than this share of the latencies measures itself. */
const generatorShareMax = 0.5;

export const generatorWasLate = ({ generatorP99Ms, p99Ms }: OpenRound): boolean =>
  generatorP99Ms > generatorShareMax * p99Ms;

/**
 * A constant answer takes some 10 µs of CPU. Where its 99th percentile at half load is above this, the machine paused, and the
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
