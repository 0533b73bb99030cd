/** What it takes to mint a batch, from the call to the status that says completed; and to read its file. */
import { watchCores } from '../bulk/cores.ts';
import { median, type Range, rangeOf } from '../measure/statistics.ts';
import { call, mint, untilCompleted } from './client.ts';
import type { Context } from './context.ts';

interface MintRound {
  ms: number;
  /** From the call for items.csv to its last byte. */
  fileMs: number;
  /** CPU of the control plane for 1,000 items. */
  cpuMs: number;
  /** CPU of PostgreSQL, Redis, ClickHouse and this command for 1,000 items. */
  behindCpuMs: number;
  foreignShare: number;
}

/** Medians of the rounds. */
export interface MintFigures extends MintRound {
  items: number;
  msRange: Range;
}

const measureRound = async ({ pid, client }: Context, items: number): Promise<MintRound> => {
  const stopWatching = watchCores(pid);
  const startMs = performance.now();
  const { jobId, batchId } = await mint(client, items);
  await untilCompleted(client, jobId);
  const ms = performance.now() - startMs;
  const { planeMs, behindMs, foreignShare } = stopWatching();
  const fileStartMs = performance.now();
  const file = await (await call(client, `/${batchId}/items.csv`)).text();
  const lines = file.split('\n').length - 2;
  if (lines !== items) throw new Error(`items.csv has ${lines} of ${items} items`);
  const thousands = items / 1_000;
  return {
    ms,
    fileMs: performance.now() - fileStartMs,
    cpuMs: planeMs / thousands,
    behindCpuMs: behindMs / thousands,
    foreignShare,
  };
};

/** The first round is a warm-up and does not count. */
export const measureMint = async (context: Context): Promise<MintFigures> => {
  const items = context.quick ? 5_000 : 50_000;
  const rounds: MintRound[] = [];
  for (let round = 0; round <= context.rounds; round++) {
    const measured = await measureRound(context, items);
    context.say(JSON.stringify({ round, items, ...measured }));
    if (round > 0) rounds.push(measured);
  }
  const middle = (figure: keyof MintRound) => median(rounds.map((each) => each[figure]));
  return {
    items,
    ms: middle('ms'),
    fileMs: middle('fileMs'),
    cpuMs: middle('cpuMs'),
    behindCpuMs: middle('behindCpuMs'),
    foreignShare: middle('foreignShare'),
    msRange: rangeOf(rounds.map(({ ms }) => ms)),
  };
};
