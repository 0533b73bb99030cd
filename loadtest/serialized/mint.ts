/** The time to mint a batch, from the call to the status that says completed, and to read its file. */
import { mediansOf, takeRounds } from '../bench/interleave.ts';
import { call } from '../bench/workspace.ts';
import { watchAllCores } from '../measure/core-use.ts';
import { type Range, rangeOf } from '../measure/statistics.ts';
import { batchesPath, type Context, mint, untilCompleted } from './context.ts';

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
  const stopWatching = watchAllCores(pid);
  const startMs = performance.now();
  const { jobId, batchId } = await mint(client, items);
  await untilCompleted(client, jobId);
  const ms = performance.now() - startMs;
  const { serverMs, behindMs, foreignShare } = stopWatching();
  const fileStartMs = performance.now();
  const file = await (await call(client, 'GET', `${batchesPath}/${batchId}/items.csv`)).text();
  const lines = file.split('\n').length - 2;
  if (lines !== items) throw new Error(`items.csv has ${lines} of ${items} items`);
  const thousands = items / 1_000;
  return {
    ms,
    fileMs: performance.now() - fileStartMs,
    cpuMs: serverMs / thousands,
    behindCpuMs: behindMs / thousands,
    foreignShare,
  };
};

/** The first round is a warm-up. */
export const measureMint = async (context: Context): Promise<MintFigures> => {
  const items = context.quick ? 5_000 : 50_000;
  const rounds = await takeRounds({ rounds: context.quick ? 1 : 5, warmUps: 1 }, async (round) => {
    const measured = await measureRound(context, items);
    context.say(JSON.stringify({ round, items, ...measured }));
    return measured;
  });
  return { items, ...mediansOf(rounds), msRange: rangeOf(rounds.map(({ ms }) => ms)) };
};
