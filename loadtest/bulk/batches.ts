/** What batches of one workspace take: rounds of each kind in turn. */
import os from 'node:os';
import { cpuMsBetween, lookAtCpu } from '../measure/cpu-time.ts';
import { busyMsOf, foreignShare } from '../measure/quiet.ts';
import { median, type Range, rangeOf } from '../measure/statistics.ts';
import { timeBatch } from './batch.ts';
import type { Context } from './context.ts';
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

const busyMs = (): number => os.cpus().reduce((sum, _, core) => sum + busyMsOf(core), 0);

const measureRound = async ({ pid, first, rowsOfBatch }: Context, kind: KindOfRows): Promise<BatchRound> => {
  const rows = newRows(kind, rowsOfBatch);
  const look = () => ({ plane: lookAtCpu([pid]), all: lookAtCpu([process.pid]), busyMs: busyMs() });
  const before = look();
  const ms = await timeBatch(first, rows);
  const after = look();
  const planeMs = cpuMsBetween(before.plane, after.plane);
  const allMs = cpuMsBetween(before.all, after.all);
  return {
    ms,
    cpuMs: planeMs / rowsOfBatch,
    behindCpuMs: (allMs - planeMs) / rowsOfBatch,
    foreignShare: foreignShare(after.busyMs - before.busyMs, allMs, ms * os.cpus().length),
  };
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
