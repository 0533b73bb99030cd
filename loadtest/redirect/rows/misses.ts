/**
 * A code that is in Redis but not in memory, against one that is in memory: the same requests to a redirector that
 * may hold a tenth of the codes. They are asked for one after the other, so that each is displaced before it is
 * asked for again.
 */
import type { Context } from '../../bench/context.ts';
import { connections, interleavedRounds } from '../../bench/rounds.ts';
import type { Waymark } from '../../bench/waymark.ts';
import { runWrk } from '../../load/wrk.ts';

export interface MissesResult {
  hitsPerSecond: number;
  missesPerSecond: number;
  /** The share of misses in the second redirector's requests: it must be nearly 1, or the figure means nothing. */
  missShare: number;
  /** The larger one of the two. */
  foreignShare: number;
}

const missShareOf = async (redirector: Waymark): Promise<number> => {
  const [hits, misses] = [
    await redirector.metric('record_hits_total'),
    await redirector.metric('record_misses_total'),
  ];
  return misses / (hits + misses);
};

export const measureMisses = async ({ environment, start, closedLoop }: Context): Promise<MissesResult> => {
  const redirectors: Waymark[] = [];
  try {
    redirectors.push(await start({ name: 'hits' }));
    redirectors.push(await start({ name: 'misses', environment: { REDIRECTOR_CODES_MAX: '1000' } }));
    const { requestsFile } = environment;
    const [hits, misses] = redirectors.map((redirector) => ({ ...redirector, requestsFile }));
    for (const target of [hits!, misses!])
      await runWrk({ ...target, connections, seconds: closedLoop.seconds });
    const rounds = await interleavedRounds([hits!, misses!], closedLoop);
    return {
      hitsPerSecond: rounds.get(hits!)!.perSecond,
      missesPerSecond: rounds.get(misses!)!.perSecond,
      missShare: await missShareOf(misses!),
      foreignShare: Math.max(...[...rounds.values()].map(({ foreignShare }) => foreignShare)),
    };
  } finally {
    await Promise.all(redirectors.map((redirector) => redirector.stop()));
  }
};
