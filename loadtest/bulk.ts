/**
 * Bulk operations as an integrator sees them: from the call that submits a batch to the status that says completed. The control plane
 * has both cores, as on a machine that runs everything; PostgreSQL waits for its disk.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { openApiEnvironment } from './bench/api-environment.ts';
import { apiKey } from './bench/planes.ts';
import { mediansOf, takeRounds, takeTurns } from './bench/turns.ts';
import { type Client, callFor, createWorkspace, liftLimits } from './bench/workspace.ts';
import { type BulkRow, type KindOfRows, kindsOfRows, newRows } from './load/bulk-rows.ts';
import { build, quick } from './load-test/flags.ts';
import { defineLoadTest, type Run } from './load-test/load-test.ts';
import { watchAllCores } from './measure/core-use.ts';
import { residentBytesOf } from './measure/processes.ts';
import { type Range, rangeOf } from './measure/statistics.ts';
import { despiteOthers, tableOf, withDisturbance } from './report/findings.ts';
import { atMost, type Finding } from './report/judge.ts';
import { formatTable } from './report/table.ts';

interface Context extends Run {
  /** The control plane's process. */
  pid: number;
  first: Client;
  /** Further workspaces. */
  others: readonly Client[];
  rowsOfBatch: number;
  rounds: number;
}

/** As many as are served at the same time in the row on fairness. */
const workspaces = 20;

const environment = async (run: Run<{ build: string | undefined }>): Promise<Context> => {
  const { controlPlane, databaseUrl, folder } = await openApiEnvironment(run.closer, {
    build: run.options.build,
    pinned: false,
  });
  const { url, pid } = controlPlane;
  const others: Client[] = [];
  for (let n = 1; n < (run.quick ? 3 : workspaces); n++)
    others.push(await createWorkspace(folder, { databaseUrl, url, plan: 'business' }));
  await liftLimits(databaseUrl);
  const [rowsOfBatch, rounds] = run.quick ? [200, 1] : [1_000, 3];
  return { ...run, pid, first: { url, apiKey }, others, rowsOfBatch, rounds };
};

const path = '/api/qr/codes/bulk';
const askEveryMs = 20;
const completedMsMax = 300_000;

const progress = z.object({
  bulkId: z.string(),
  status: z.string(),
  total: z.number(),
  succeeded: z.number(),
});

/** @returns the id of the batch */
const submit = async (client: Client, rows: readonly BulkRow[]): Promise<string> =>
  (await callFor(progress, client, 'POST', path, rows)).bulkId;

/** @throws {Error} if a row failed: a time with failures would mean nothing */
const untilCompleted = async (client: Client, bulkId: string): Promise<void> => {
  const deadlineMs = performance.now() + completedMsMax;
  while (performance.now() < deadlineMs) {
    const { status, total, succeeded } = await callFor(progress, client, 'GET', `${path}/${bulkId}`);
    if (status === 'completed' && succeeded === total) return;
    if (status === 'completed' || status === 'failed')
      throw new Error(`a batch is ${status} with ${succeeded} of ${total} rows`);
    await sleep(askEveryMs);
  }
  throw new Error(`a batch is not completed after ${completedMsMax / 1000} s`);
};

/** @returns milliseconds from the submission of a batch to its completion, as the client sees both */
const timeBatch = async (client: Client, rows: readonly BulkRow[]): Promise<number> => {
  const startMs = performance.now();
  await untilCompleted(client, await submit(client, rows));
  return performance.now() - startMs;
};

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
const measureBatches = async (context: Context): Promise<BatchFigures[]> => {
  const kinds = Object.keys(kindsOfRows) as KindOfRows[];
  const results = await takeTurns(kinds, { rounds: context.rounds, warmUps: 1 }, (kind, round) =>
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
const measureFairness = async (context: Context): Promise<FairnessFigures> => {
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
const kindsInTurn: readonly KindOfRows[] = ['plain', 'styled'];

/** Whether the control plane's memory stays flat over many batches. */
const measureMemory = async (context: Context): Promise<MemoryFigures> => {
  const { pid, first, rowsOfBatch, quick: isQuick, say } = context;
  const residentMb = (field?: 'VmHWM') => residentBytesOf(pid, field) / 2 ** 20;
  const batches = isQuick ? 4 : 40;
  const run = async (from: number, to: number): Promise<number> => {
    for (let n = from; n < to; n++) await timeBatch(first, newRows(kindsInTurn[n % 2]!, rowsOfBatch));
    say(JSON.stringify({ batches: to, residentMb: residentMb() }));
    return residentMb();
  };
  const beforeMb = await run(0, kindsInTurn.length);
  const halfMb = await run(0, batches / 2);
  const afterMb = await run(batches / 2, batches);
  return { batches, beforeMb, halfMb, afterMb, peakMb: residentMb('VmHWM') };
};

const titles: Record<KindOfRows, string> = {
  plain: 'plain',
  styled: 'fully styled, one style',
  distinct: 'fully styled, a style each',
};

export const batchesTable = (figures: readonly BatchFigures[]): string => {
  const plain = figures.find(({ kind }) => kind === 'plain')!;
  return formatTable(
    ['rows', 'ms to completed', 'to plain', 'rows/s', 'CPU ms/row', 'behind it', 'cores used by others'],
    figures.map(({ kind, rows, ms, msRange, cpuMs, behindCpuMs, foreignShare }) => [
      `${rows.toLocaleString('en-US')} ${titles[kind]}`,
      `${ms.toFixed(0)} [${msRange.low.toFixed(0)}–${msRange.high.toFixed(0)}]`,
      `${(ms / plain.ms).toFixed(2)} ×`,
      ((rows * 1000) / ms).toFixed(0),
      cpuMs.toFixed(2),
      behindCpuMs.toFixed(2),
      `${Math.round(foreignShare * 100)}%`,
    ]),
  );
};

const goalsMs = { plain: 2_000, styled: 4_000 };

/** Others only make a batch slower. */
const timeOf = (figures: readonly BatchFigures[], kind: keyof typeof goalsMs): Finding => {
  const { ms, rows, cpuMs, foreignShare } = figures.find((each) => each.kind === kind)!;
  if (rows < 1_000) return { why: `a short round: ${rows} rows` };
  const finding = { value: ms, note: `${cpuMs.toFixed(2)} CPU ms a row` };
  return despiteOthers(finding, ms <= goalsMs[kind], foreignShare);
};

const ratioOf = ({ foreignShare }: FairnessFigures, value: number, note: string): Finding =>
  withDisturbance({ value, note }, [foreignShare]);

export const bulk = defineLoadTest({
  name: 'bulk',
  about: 'measures bulk operations: batches, turns of workspaces, memory',
  flags: { quick, build: build('control-plane/features/bulk') },
  only: { noun: 'row' },
  environment,
  rows: { batches: measureBatches, fairness: measureFairness, memory: measureMemory },
  criteria: [
    {
      id: 'plain',
      title: '1,000 plain rows, from the call to completed',
      ...atMost(goalsMs.plain, ' ms'),
      row: 'batches',
      finding: (figures) => timeOf(figures, 'plain'),
    },
    {
      id: 'styled',
      title: '1,000 fully styled rows of one style',
      ...atMost(goalsMs.styled, ' ms'),
      row: 'batches',
      finding: (figures) => timeOf(figures, 'styled'),
    },
    {
      // Two workspaces share four jobs at once and two cores: twice the time alone, and the wait for the slices under way.
      id: 'beside',
      title: 'one batch beside a workspace with twenty, against alone',
      ...atMost(3, '×'),
      row: 'fairness',
      finding: (figures) => {
        const { besideRatio, besideMs, aloneMs } = figures;
        return ratioOf(figures, besideRatio, `${besideMs.toFixed(0)} / ${aloneMs.toFixed(0)} ms`);
      },
    },
    {
      id: 'spread',
      title: 'twenty workspaces with a batch each at once: the slowest against the fastest',
      ...atMost(1.5, '×'),
      row: 'fairness',
      finding: (figures) => ratioOf(figures, figures.spreadRatio, `${figures.workspaces} workspaces`),
    },
    {
      id: 'memory',
      title: 'growth of memory over the second half of forty batches',
      ...atMost(50, ' MB'),
      row: 'memory',
      finding: ({ beforeMb, peakMb, halfMb, afterMb }) => ({
        value: Math.max(0, afterMb - halfMb),
        note: `${[beforeMb, halfMb, afterMb].map(Math.round).join(' → ')} MB, at most ${Math.round(peakMb)} MB`,
      }),
    },
  ],
  tables: ({ batches }) => tableOf(batches, batchesTable),
});
