/** Whether workspaces take turns: what one of them waits beside others. */
import { median } from '../measure/statistics.ts';
import { type Client, submit, timeBatch, untilCompleted } from './batch.ts';
import type { Context } from './context.ts';
import { watchCores } from './cores.ts';
import { newRows } from './rows.ts';

export interface FairnessFigures {
  workspaces: number;
  aloneMs: number;
  /** The time of one batch beside a workspace that has submitted twenty. */
  besideMs: number;
  /** The same against the time alone: the median of the rounds' ratios. */
  besideRatio: number;
  /** Of as many workspaces that submit one batch each at once, the slowest against the fastest. */
  spreadRatio: number;
  /** The share of all cores that others took meanwhile. */
  foreignShare: number;
}

const batchesOfTheOther = 20;

const timeBeside = async (context: Context, other: Client, batches: number): Promise<number> => {
  const { first, rowsOfBatch } = context;
  const ids: string[] = [];
  for (let n = 0; n < batches; n++) ids.push(await submit(other, newRows('plain', rowsOfBatch)));
  const ms = await timeBatch(first, newRows('plain', rowsOfBatch));
  for (const id of ids) await untilCompleted(other, id);
  return ms;
};

const timesAtOnce = ({ first, others, rowsOfBatch }: Context): Promise<number[]> =>
  Promise.all([first, ...others].map((client) => timeBatch(client, newRows('plain', rowsOfBatch))));

export const measureFairness = async (context: Context): Promise<FairnessFigures> => {
  const { pid, first, others, rowsOfBatch, quick, rounds } = context;
  const stopWatching = watchCores(pid);
  const found: { aloneMs: number; besideMs: number; spread: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const aloneMs = await timeBatch(first, newRows('plain', rowsOfBatch));
    const besideMs = await timeBeside(context, others[0]!, quick ? 2 : batchesOfTheOther);
    const times = await timesAtOnce(context);
    const spread = Math.max(...times) / Math.min(...times);
    context.say(JSON.stringify({ round, aloneMs, besideMs, times }));
    found.push({ aloneMs, besideMs, spread });
  }
  return {
    workspaces: others.length + 1,
    aloneMs: median(found.map(({ aloneMs }) => aloneMs)),
    besideMs: median(found.map(({ besideMs }) => besideMs)),
    besideRatio: median(found.map(({ aloneMs, besideMs }) => besideMs / aloneMs)),
    spreadRatio: median(found.map(({ spread }) => spread)),
    foreignShare: stopWatching().foreignShare,
  };
};
