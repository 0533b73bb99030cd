/** The rows: batches of one workspace, turns of several, and memory. */
import { interleave, mediansOf, takeRounds } from '../bench/interleave.ts';
import type { Client } from '../bench/workspace.ts';
import { type KindOfRows, kindsOfRows, newRows } from '../load/bulk-rows.ts';
import { watchAllCores } from '../measure/core-use.ts';
import { residentBytesOf } from '../measure/processes.ts';
import { type Range, rangeOf } from '../measure/statistics.ts';
import { type Context, submit, timeBatch, untilCompleted } from './batch.ts';

interface BatchRound {
  ms: number;
  /** CPU of the control plane and its children for one row. */
  cpuMs: number;
  /** CPU of PostgreSQL, Redis, ClickHouse and this command for one row. */
  behindCpuMs: number;
  foreignShare: number;
}

/** Medians of the rounds. */
export interface BatchFigures extends BatchRound {
  kind: KindOfRows;
  rows: number;
  msRange: Range;
}

const measureBatch = async (context: Context, kind: KindOfRows, round: number): Promise<BatchRound> => {
  const { pid, first, rowsOfBatch, say } = context;
  const rows = newRows(kind, rowsOfBatch);
  const stopWatching = watchAllCores(pid);
  const ms = await timeBatch(first, rows);
  const { serverMs, behindMs, foreignShare } = stopWatching();
  const measured = { ms, cpuMs: serverMs / rowsOfBatch, behindCpuMs: behindMs / rowsOfBatch, foreignShare };
  say(JSON.stringify({ kind, round, ...measured }));
  return measured;
};

/** Batches of one workspace, of each kind in turn. The first round of each is a warm-up. */
export const measureBatches = async (context: Context): Promise<BatchFigures[]> => {
  const kinds = Object.keys(kindsOfRows) as KindOfRows[];
  const results = await interleave(kinds, { rounds: context.rounds, warmUps: 1 }, (kind, round) =>
    measureBatch(context, kind, round),
  );
  return [...results].map(([kind, rounds]) => ({
    kind,
    rows: context.rowsOfBatch,
    ...mediansOf(rounds),
    msRange: rangeOf(rounds.map(({ ms }) => ms)),
  }));
};

interface FairnessRound {
  aloneMs: number;
  /** The time of one batch beside a workspace that has submitted twenty. */
  besideMs: number;
  /** The same against the time alone. */
  besideRatio: number;
  /** If as many workspaces submit one batch each at once: the slowest against the fastest. */
  spreadRatio: number;
}

/** Medians of the rounds. */
export interface FairnessFigures extends FairnessRound {
  workspaces: number;
  /** The share of all cores that others took meanwhile. */
  foreignShare: number;
}

const batchesOfTheOther = 20;

const timeBeside = async (
  { first, rowsOfBatch }: Context,
  other: Client,
  batches: number,
): Promise<number> => {
  const ids: string[] = [];
  for (let n = 0; n < batches; n++) ids.push(await submit(other, newRows('plain', rowsOfBatch)));
  const ms = await timeBatch(first, newRows('plain', rowsOfBatch));
  for (const id of ids) await untilCompleted(other, id);
  return ms;
};

const measureFairnessRound = async (context: Context): Promise<FairnessRound> => {
  const { first, others, rowsOfBatch, quick: isQuick, say } = context;
  const aloneMs = await timeBatch(first, newRows('plain', rowsOfBatch));
  const besideMs = await timeBeside(context, others[0]!, isQuick ? 2 : batchesOfTheOther);
  const times = await Promise.all(
    [first, ...others].map((client) => timeBatch(client, newRows('plain', rowsOfBatch))),
  );
  say(JSON.stringify({ aloneMs, besideMs, times }));
  const spreadRatio = Math.max(...times) / Math.min(...times);
  return { aloneMs, besideMs, besideRatio: besideMs / aloneMs, spreadRatio };
};

/** Whether workspaces take turns: how long one of them waits beside others. */
export const measureFairness = async (context: Context): Promise<FairnessFigures> => {
  const stopWatching = watchAllCores(context.pid);
  const rounds = await takeRounds({ rounds: context.rounds }, () => measureFairnessRound(context));
  const { foreignShare } = stopWatching();
  return { workspaces: context.others.length + 1, ...mediansOf(rounds), foreignShare };
};

interface MemoryFigures {
  batches: number;
  /** Megabytes after a plain and a styled batch … */
  beforeMb: number;
  /** … the most since the start of the process … */
  peakMb: number;
  /** … after half of the batches … */
  halfMb: number;
  /** … and after all. */
  afterMb: number;
}

/** No style each: the first 5,000 styles fill a cache, which then grows no more. */
const alternatingKinds: readonly KindOfRows[] = ['plain', 'styled'];

/** Whether the control plane's memory stays flat over many batches. */
export const measureMemory = async (context: Context): Promise<MemoryFigures> => {
  const { pid, first, rowsOfBatch, quick: isQuick, say } = context;
  const residentMb = (field?: 'VmHWM') => residentBytesOf(pid, field) / 2 ** 20;
  const batches = isQuick ? 4 : 40;
  const run = async (from: number, to: number): Promise<number> => {
    for (let n = from; n < to; n++) await timeBatch(first, newRows(alternatingKinds[n % 2]!, rowsOfBatch));
    say(JSON.stringify({ batches: to, residentMb: residentMb() }));
    return residentMb();
  };
  const beforeMb = await run(0, alternatingKinds.length);
  const halfMb = await run(0, batches / 2);
  const afterMb = await run(batches / 2, batches);
  return { batches, beforeMb, halfMb, afterMb, peakMb: residentMb('VmHWM') };
};
