/**
 * A million codes held, 5,000 scans a second over connections that stay open, each code once in 200 s: no round asks for a code that
 * an earlier one asked for. Beside it the same rate on 50 codes, on the redirector of the other rows. The rounds are long
 * enough for a snapshot, which is written every 30 s.
 */

import type { Target } from '../../bench/rounds.ts';
import { runGenerator } from '../../load/generator.ts';
import type { RequestSource } from '../../load/requests.ts';
import { residentBytesOf } from '../../measure/processes.ts';
import { callsBetween } from '../../measure/redis-commands.ts';
import type { RealContext } from '../context.ts';
import { type ScanRound, toRound } from '../rounds.ts';

/** Ids are drawn at random: a few of a million are the same. */
export const millionComplete = 999_900;

export interface MillionResult {
  codes: number;
  ratePerSecond: number;
  bare: ScanRound;
  hot: ScanRound;
  tail: ScanRound;
  residentBytes: number;
  peakBytes: number;
  /** Redis' commands while only this redirector ran. */
  redis: { scans: number; calls: [name: string, calls: number][] };
}

const ratePerSecond = 5000;

/** Seconds of the rounds. */
const lengths = (quick: boolean) =>
  quick ? { bare: 2, hot: 2, tail: 2, redis: 2 } : { bare: 5, hot: 10, tail: 31, redis: 15 };

const steadyRound = async (
  target: Omit<Target, 'requestsFile'>,
  requests: RequestSource,
  seconds: number,
): Promise<ScanRound & { scans: number }> => {
  const result = await runGenerator({
    port: target.port,
    connections: 256,
    connectionKind: 'kept',
    roundRobin: true,
    requests,
    load: { kind: 'steady', ratePerSecond, seconds },
    watch: { serverPids: [target.pid], behindPids: [...(target.behindPids ?? [])] },
  });
  await target.drained?.();
  return { ...toRound(result), scans: result.counted };
};

/** Both looks are outside of the warm-up's second, whose scans count as well. */
const redisCalls = async (context: RealContext, load: () => Promise<{ scans: number }>) => {
  const { redis } = context.environment;
  const before = await redis.info('commandstats');
  const { scans } = await load();
  const calls = callsBetween(before, await redis.info('commandstats'));
  return { scans: scans + ratePerSecond, calls };
};

export const measureMillion = async (context: RealContext): Promise<MillionResult> => {
  const { servers, codes, environment, say } = context;
  const seconds = lengths(context.quick);
  const { redirector, idsFile, codes: held } = await servers.million();
  const million = { ...redirector, behindPids: environment.behindPids };
  const [bare, waymark] = [await servers.get('bare'), await servers.get('waymark')];
  let first = 0;
  const nextCodes = (count: number): RequestSource => {
    const source = { kind: 'ids' as const, file: idsFile, first };
    first += count * ratePerSecond;
    return source;
  };
  const hotCodes = await codes.source('hot', 0);
  say(`${held} codes at ${ratePerSecond}/s`);
  const bareRound = await steadyRound(bare, hotCodes, seconds.bare);
  const hotBefore = await steadyRound(waymark, hotCodes, seconds.hot);
  const tail = await steadyRound(million, nextCodes(seconds.tail + 1), seconds.tail);
  const hotAfter = await steadyRound(waymark, hotCodes, seconds.hot);
  await servers.stopWaymark();
  say('the commands that Redis takes meanwhile');
  const redis = await redisCalls(context, () =>
    steadyRound(million, nextCodes(seconds.redis + 1), seconds.redis),
  );
  return {
    codes: await redirector.metric('records'),
    ratePerSecond,
    bare: bareRound,
    hot: meanOf(hotBefore, hotAfter),
    tail,
    residentBytes: residentBytesOf(redirector.pid),
    peakBytes: residentBytesOf(redirector.pid, 'VmHWM'),
    redis,
  };
};

/** The mean of the rounds before and after, so that a drift of the machine meets the one between as well. */
const meanOf = (a: ScanRound, b: ScanRound): ScanRound => ({
  ...a,
  cpuUs: (a.cpuUs + b.cpuUs) / 2,
  behindCpuUs: (a.behindCpuUs + b.behindCpuUs) / 2,
  foreignShare: Math.max(a.foreignShare, b.foreignShare),
});
