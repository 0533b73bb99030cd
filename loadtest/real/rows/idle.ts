/** The share of a core that a redirector takes which holds 110,000 codes and is asked nothing. */
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuMsBetween, readCpu } from '../../measure/cpu-time.ts';
import type { RealContext } from '../context.ts';

export interface IdleResult {
  codes: number;
  seconds: number;
  /** Of a core, 0 to 1. */
  share: number;
}

/** A snapshot is written every 30 s: one falls into the time. */
const secondsOf = (quick: boolean): number => (quick ? 5 : 35);
/** After the last scan. */
const quietMs = 2000;

export const measureIdle = async ({ servers, codes, quick, say }: RealContext): Promise<IdleResult> => {
  const redirector = await servers.waymark();
  await codes.source('tail', 0);
  await redirector.drained();
  await sleep(quietMs);
  const seconds = secondsOf(quick);
  say(`no client asks for ${seconds} s`);
  const [before, startMs] = [readCpu([redirector.pid]), performance.now()];
  await sleep(seconds * 1000);
  const share = cpuMsBetween(before, readCpu([redirector.pid])) / (performance.now() - startMs);
  return { codes: await redirector.metric('records'), seconds, share };
};
