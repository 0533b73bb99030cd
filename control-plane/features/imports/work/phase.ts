/**
 * A phase of an import, as a job: the check of its rows, or the creation of their codes. A slice does some rows. Rows that were
 * begun before come in smaller slices, at last each alone, so that whatever makes a slice fail costs itself.
 */
import type { ImportReason } from '#schemas/api/imports.ts';
import { ClientError } from '#shared/errors.ts';
import type { AfterCommit } from '../../../api/idempotency/request.ts';
import { type Job, type JobKind, jobKind, type SliceEnd } from '../../../jobs/kind.ts';
import { attemptsMax, createRowEnds, firstOf, givenUp, type RowEnds } from '../../../jobs/row-ends.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import type { Transaction } from '../../../platform/db/transaction.ts';
import type { PreparedCode } from '../../codes/prepare-code.ts';
import type { LinkRefusal } from '../read/link.ts';
import {
  findImportOfJob,
  type ImportCounts,
  ImportGone,
  type StoredImport,
  storeCounts,
} from '../store/imports.ts';
import {
  countAttempt,
  type ImportRow,
  listWaiting,
  type RowResult,
  readRows,
  storeResults,
  type WaitingState,
} from '../store/rows.ts';
import { NoPlace } from './place.ts';
import type { Outcome, PrepareRows } from './prepare-rows.ts';
import { refusalOf } from './reasons.ts';

export interface ReadyRow {
  row: ImportRow;
  code: PreparedCode;
}

export interface Phase {
  name: string;
  lane: string;
  /** What the owner of the import reads that has failed for a reason of ours. */
  failure: string;
  /** The rows that it takes. */
  from: WaitingState;
  refused: 'refused' | 'failed';
  dryRun: boolean;
  /** What is given back for rows that fail. To be called before others take of it. */
  giveBack(tx: Transaction, found: StoredImport, rows: number): Promise<void>;
  /** @returns for each row its result, or an error that leaves it for later */
  effect(
    tx: Transaction,
    job: Job,
    ready: readonly ReadyRow[],
    afterCommit: AfterCommit,
  ): Promise<readonly (RowResult | ClientError)[]>;
  undo?(tx: Transaction, job: Job): Promise<void>;
}

const sliceRowsMax = 100;
/** More than the rows of a slice can cause: once as a whole, in tenths, and twice alone. */
const failuresMax = 300;

interface Chosen {
  /** How often they were begun before. */
  attempts: number;
  positions: readonly number[];
}

const isReady = (outcome: Outcome): outcome is ReadyRow => 'code' in outcome;

const refusedRow = (status: Phase['refused'], { reason, code, message }: LinkRefusal): RowResult => ({
  status,
  reason,
  code,
  message,
});

const countFailed = ({ done }: RowEnds, { refused }: Phase): number =>
  done.filter(({ result }) => (result as RowResult).status === refused).length;

/** The counts after a slice. @param aliases of the rows that became ready */
const countsAfter = (before: ImportCounts, results: readonly RowResult[], aliases: number): ImportCounts => {
  const after = { ...before, reasons: { ...before.reasons }, aliases: before.aliases + aliases };
  for (const { status, reason } of results) {
    if (status !== 'waiting') after[status]++;
    if (reason) after.reasons[reason] = (after.reasons[reason] ?? 0) + 1;
  }
  return after;
};

interface Ended {
  position: number;
  result: RowResult;
}

/** A row that was left for later, and now fails after all, is refused as others of its phase are. */
const endedOf = ({ done }: RowEnds, { refused }: Phase): Ended[] =>
  done.map(({ position, result }) => {
    const row = result as RowResult;
    const reason: ImportReason = row.reason ?? 'other';
    return { position, result: row.status === 'failed' ? { ...row, status: refused, reason } : row };
  });

/** How many aliases the rows take that became ready. */
const aliasesOf = (ended: readonly Ended[], ready: readonly ReadyRow[]): number => {
  const links = new Map(ready.map(({ row }) => [row.position, row.link.shortLinks.length]));
  return ended.reduce(
    (sum, { position, result }) => sum + (result.status === 'ready' ? links.get(position)! : 0),
    0,
  );
};

export const createPhase = (pool: Pool, prepareRows: PrepareRows, phase: Phase): JobKind => {
  const { from } = phase;
  const take = (outcomes: readonly Outcome[]): RowEnds => {
    const ends = createRowEnds();
    for (const outcome of outcomes) {
      const { position } = outcome.row;
      if ('refusal' in outcome) ends.take(position, { ...refusedRow(phase.refused, outcome.refusal) });
      else if ('later' in outcome) ends.take(position, outcome.later);
    }
    return ends;
  };

  const record = async (
    tx: Transaction,
    job: Job,
    { found, ends, ready }: { found: StoredImport; ends: RowEnds; ready: readonly ReadyRow[] },
  ): Promise<SliceEnd> => {
    const later = ends.later;
    if (later.length > 0) await countAttempt(tx, found.id, from, later, -1);
    const ended = endedOf(ends, phase);
    if (ended.length === 0) return 'held up';
    await storeResults(tx, found.id, ended);
    const results = ended.map(({ result }) => result);
    await storeCounts(tx, found.id, countsAfter(found, results, aliasesOf(ended, ready)));
    return { done: ended.length, isLast: job.done + ended.length === job.total };
  };

  return jobKind<Chosen, readonly Outcome[]>({
    name: phase.name,
    lane: phase.lane,
    failure: phase.failure,
    async choose(job) {
      const { id } = await findImportOfJob(pool, job.id);
      const rows = firstOf(await listWaiting(pool, id, from, sliceRowsMax), sliceRowsMax);
      const positions = rows.map(({ position }) => position);
      await countAttempt(pool, id, from, positions, 1);
      return { attempts: rows[0]!.attempts, positions };
    },
    async forgive(job, { positions }) {
      const { id } = await findImportOfJob(pool, job.id);
      await countAttempt(pool, id, from, positions, -1);
    },
    async prepare(job, { attempts, positions }) {
      const found = await findImportOfJob(pool, job.id);
      const rows = await readRows(pool, found.id, from, positions);
      if (attempts < attemptsMax) return prepareRows(found, rows, phase.dryRun);
      return rows.map((row) => ({ row, refusal: refusalOf(givenUp()) }));
    },
    async effect(tx, job, outcomes, afterCommit): Promise<SliceEnd> {
      const found = await findImportOfJob(tx, job.id);
      const ready = outcomes.filter(isReady);
      const ends = take(outcomes);
      if (ready.length === 0) ends.giveUpLater(job);
      // Before the effect, since every create call uses the quota first, and then counts what it makes.
      const before = countFailed(ends, phase);
      await phase.giveBack(tx, found, before);
      const results = await phase.effect(tx, job, ready, afterCommit);
      for (const [at, { row }] of ready.entries()) ends.take(row.position, toEnd(results[at]!));
      ends.giveUpLater(job);
      await phase.giveBack(tx, found, countFailed(ends, phase) - before);
      return record(tx, job, { found, ends, ready });
    },
    // Others are those of a row, such as an alias that was taken after it was prepared: the next attempt refuses the row.
    refusalOf: (error) =>
      error instanceof NoPlace || error instanceof ImportGone ? error.message : undefined,
    // A row has attempts of its own.
    isHopeless: ({ failures }) => failures >= failuresMax,
    retryDelayMs: () => 0,
    ...(phase.undo && { undo: phase.undo }),
  });
};

const toEnd = (result: RowResult | ClientError) => (result instanceof ClientError ? result : { ...result });
