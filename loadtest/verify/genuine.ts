/** Genuine items beside a flood of forgeries and without it, and a claimed item against a plain redirect. */

import { mediansOf, takeRounds } from '../bench/interleave.ts';
import { openRound, openRoundBeside } from '../bench/open-rounds.ts';
import { type ClosedFigures, closedRound, interleavedRounds } from '../bench/rounds.ts';
import { scanAll } from '../claims/scanners.ts';
import { runWrk } from '../load/wrk.ts';
import type { Context } from './context.ts';

export interface GenuineFigures {
  /** Claimed items, which are answered from memory and recorded. */
  claimed: ClosedFigures;
  redirect: ClosedFigures;
  ratePerSecond: number;
  aloneP99Ms: number;
  /** Beside forgeries at a constant rate, of which the redirector could answer twice as many. */
  besideP99Ms: number;
  floodPerSecond: number;
  /** Beside as many as it can answer. */
  saturatedP99Ms: number;
  /** The generator's own delay. */
  generatorP99Ms: number;
}

/** A busy day of a large brand. */
const ratePerSecond = 200;
const itemsClaimed = 1000;
/** Of the forgeries that the redirector answers in a closed loop, as in the row `forged`. */
const floodShare = 0.5;
/** Enough to keep the redirector's core busy without a break. */
const floodConnections = 8;

const claimAll = async ({ redirector, takeItems }: Context): Promise<string[]> => {
  const paths = takeItems(itemsClaimed);
  const { answers } = await scanAll({
    origins: [redirector.url],
    paths,
    processes: 1,
    parallel: 16,
    scansPerUnit: 1,
    onProgress: () => undefined,
  });
  const unclaimed = answers.filter(({ first, again }) => first + again === 0).length;
  if (unclaimed > 0) throw new Error(`${unclaimed} items could not be claimed`);
  return paths;
};

export const measureGenuine = async (context: Context): Promise<GenuineFigures> => {
  const { redirects, forgeries, quick } = context;
  const genuine = await context.targetOf('genuine', await claimAll(context));
  const [rounds, seconds] = quick ? [1, 2] : [3, 5];
  const floodPerSecond = (await closedRound(forgeries, seconds)).perSecond * floodShare;
  const latencies = mediansOf(
    await takeRounds({ rounds }, async () => {
      const quiet = await openRound(genuine, ratePerSecond, seconds);
      const paced = await openRoundBeside(genuine, ratePerSecond, forgeries, floodPerSecond, seconds);
      const [flooded] = await Promise.all([
        openRound(genuine, ratePerSecond, seconds),
        // The generator warms up for a second.
        runWrk({ ...forgeries, connections: floodConnections, seconds: seconds + 1 }),
      ]);
      return {
        aloneP99Ms: quiet.p99Ms,
        besideP99Ms: paced.p99Ms,
        saturatedP99Ms: flooded.p99Ms,
        generatorP99Ms: paced.generatorP99Ms,
      };
    }),
  );
  await runWrk({ ...redirects, connections: floodConnections, seconds: 2 });
  const figures = await interleavedRounds([redirects, genuine], { rounds, seconds: quick ? 1 : 2 });
  return {
    claimed: figures.get(genuine)!,
    redirect: figures.get(redirects)!,
    ratePerSecond,
    floodPerSecond,
    ...latencies,
  };
};
