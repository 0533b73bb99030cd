/** What batches of one workspace take: rounds of each kind in turn. */
import { median, type Range, rangeOf } from '../measure/statistics.ts';
import { timeBatch } from './batch.ts';
import type { Context } from './context.ts';
import { watchCores } from './cores.ts';
import { type KindOfRows, kindsOfRows, newRows } from './rows.ts';

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

const measureRound = async ({ pid, first, rowsOfBatch }: Context, kind: KindOfRows): Promise<BatchRound> => {
  const rows = newRows(kind, rowsOfBatch);
  const stopWatching = watchCores(pid);
  const ms = await timeBatch(first, rows);
  const { planeMs, behindMs, foreignShare } = stopWatching();
  return { ms, cpuMs: planeMs / rowsOfBatch, behindCpuMs: behindMs / rowsOfBatch, foreignShare };
};

const medianOf = (kind: KindOfRows, rows: number, rounds: readonly BatchRound[]): BatchFigures => {
  const middle = (figure: keyof BatchRound) => median(rounds.map((round) => round[figure]));
  return {
    kind,
    rows,
    ms: middle('ms'),
    cpuMs: middle('cpuMs'),
    behindCpuMs: middle('behindCpuMs'),
    foreignShare: middle('foreignShare'),
    msRange: rangeOf(rounds.map(({ ms }) => ms)),
  };
};

/** The first round of each kind is a warm-up and does not count. */
export const measureBatches = async (context: Context): Promise<BatchFigures[]> => {
  const kinds = Object.keys(kindsOfRows) as KindOfRows[];
  const results = new Map<KindOfRows, BatchRound[]>(kinds.map((kind) => [kind, []]));
  for (let round = 0; round <= context.rounds; round++) {
    for (const kind of kinds) {
      const measured = await measureRound(context, kind);
      context.say(JSON.stringify({ kind, round, ...measured }));
      if (round > 0) results.get(kind)!.push(measured);
    }
  }
  return kinds.map((kind) => medianOf(kind, context.rowsOfBatch, results.get(kind)!));
};
