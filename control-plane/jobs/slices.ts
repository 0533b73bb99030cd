/**
 * Slices: about a second of one job, done in one turn of its workspace.
 *
 *   BEGIN ─ the turn ─ prepare ─ lock the job ─ effect, progress, next turn ─ COMMIT ─▶ after commit
 *                   ╰─ before that, on another connection: count the attempt, choose
 *
 * The turn ends with the connection, so that the job of a process that was killed goes on at once, and so does the job of
 * a process that stands still (PostgreSQL ends a silent transaction, except within a COPY, which waits for its data).
 * What is not committed was never there: such an attempt leaves neither a gap nor a duplicate.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '#shared/errors.ts';
import type { Logger } from '#shared/logger.ts';
import { createSparseLog } from '#shared/sparse-log.ts';
import { actAs } from '../platform/db/actions.ts';
import { isDatabaseUnavailable, type Pool } from '../platform/db/pool.ts';
import { inTransaction, type Transaction } from '../platform/db/transaction.ts';
import { keepAlive } from './keep-alive.ts';
import type { Job, JobKind, SliceEnd } from './kind.ts';
import {
  addProgress,
  beginAttempt,
  completeJob,
  countFailure,
  failJob,
  lockUnfinished,
  setAside,
} from './store.ts';
import { enqueueTurn, takeTurn } from './turns.ts';
import { isForLater, isOverdue } from './waiting.ts';

/** After so many attempts that failed by themselves, without progress, a job has failed. */
export const failuresMax = 4;
/** The same for all attempts: most processes end for other reasons, but this job may be the reason. */
export const attemptsMax = 10;
const retryDelayMs = 1_000;
const writeTriesMax = 5;
const writePauseMs = 100;

export interface SlicesOptions {
  /** With two connections for each slice at once. */
  pool: Pool;
  logger: Logger;
  onSlice(kind: string): void;
}

/**
 * What became of a slice. `later`: nothing can be done now, and no turn was enqueued. `busy`: another run has the turn, and
 * enqueues the next one.
 */
export type Progress = 'done' | 'later' | 'ended' | 'busy';

/** @throws the error of PostgreSQL if it is down and nothing can be written: then the queue tries again */
export type RunSlice = (job: Job, kind: JobKind) => Promise<Progress>;

type After = () => Promise<void>;

/** A slice that has begun. */
interface Slice {
  kind: JobKind;
  job: Job;
  chosen?: unknown;
}

/** For work that ends no process, such as statements: only its own failures count. */
export const hasFailedTooOften = ({ failures }: Job): boolean => failures >= failuresMax;

/** This attempt is one of them. */
export const isHopeless = (job: Job): boolean => hasFailedTooOften(job) || job.attempts > attemptsMax;

/** @param why for its owner */
const fail = async (tx: Transaction, kind: JobKind, job: Job, why: string, after: After[]): Promise<void> => {
  if (!(await failJob(tx, job.id, why))) return;
  await kind.undo?.(tx, job);
  after.push(async () => kind.ended?.(job, 'failed'));
};

const record = async (
  tx: Transaction,
  kind: JobKind,
  job: Job,
  end: SliceEnd,
  after: After[],
): Promise<Progress> => {
  if (typeof end === 'string') {
    await setAside(tx, job.id, end === 'held up');
    return 'later';
  }
  if ('failed' in end) await fail(tx, kind, job, end.failed, after);
  else {
    await addProgress(tx, job.id, end.done);
    if (end.isLast) {
      await completeJob(tx, job.id, end.resultUntil);
      after.push(async () => kind.ended?.(job, 'completed'));
    }
  }
  return 'done';
};

/** Connections that were cut with that of the slice may still be in the pool: an attempt is taken back over another one. */
const untilWritten = async (write: () => Promise<void>): Promise<void> => {
  for (let tries = 1; ; tries++) {
    try {
      return await write();
    } catch (error) {
      if (tries === writeTriesMax || !isDatabaseUnavailable(error)) throw error;
      await sleep(writePauseMs);
    }
  }
};

export const createSlices = ({ pool, logger, onSlice }: SlicesOptions): RunSlice => {
  const logWaiting = createSparseLog((fields, message) => logger.warn(fields, message));
  const logFailure = createSparseLog((fields, message) => logger.error(fields, message));

  const work = async (tx: Transaction, slice: Slice, after: After[]): Promise<Progress> => {
    const { kind, job } = slice;
    if ((kind.isHopeless ?? isHopeless)(job)) {
      await fail(tx, kind, job, kind.failure, after);
      return 'done';
    }
    onSlice(kind.name);
    slice.chosen = await kind.choose?.(job);
    const prepared = await keepAlive(tx, async () => kind.prepare?.(job, slice.chosen));
    if (await lockUnfinished(tx, job.id))
      return record(tx, kind, job, await kind.effect(tx, job, prepared, (each) => after.push(each)), after);
    await kind.discard?.(job, prepared);
    return 'done';
  };

  /** @param begun called with the slice once it has begun */
  const runOnce = async (listed: Job, kind: JobKind, begun: (slice: Slice) => void): Promise<Progress> => {
    const after: After[] = [];
    const turn = { lane: kind.lane, workspaceId: listed.workspaceId };
    const progress = await inTransaction(pool, async (tx): Promise<Progress> => {
      if (!(await takeTurn(tx, turn))) return 'busy';
      const job = await beginAttempt(pool, listed.id);
      if (!job) return 'ended';
      const slice = { kind, job };
      begun(slice);
      const done = await work(tx, slice, after);
      if (done === 'done') await enqueueTurn(tx, turn);
      return done;
    });
    await Promise.all(after.map((each) => each()));
    return progress;
  };

  /** @returns whether the failure of a slice has ended the job */
  const endRefused = async (kind: JobKind, job: Job, error: unknown): Promise<boolean> => {
    const why = kind.refusalOf?.(error);
    if (why === undefined) return false;
    const after: After[] = [];
    await inTransaction(pool, (tx) => fail(tx, kind, job, why, after));
    await Promise.all(after.map((each) => each()));
    return true;
  };

  const afterError = async ({ kind, job, chosen }: Slice, error: unknown): Promise<Progress> => {
    const { id: jobId, workspaceId } = job;
    const fields = { err: error, jobId, kind: kind.name };
    if (isForLater(error) && !isOverdue(job)) {
      logWaiting(jobId, fields, 'a job waits');
      if (chosen !== undefined) await untilWritten(async () => kind.forgive?.(job, chosen));
      await untilWritten(() => setAside(pool, jobId, true));
      return 'later';
    }
    const hasEnded = await endRefused(kind, job, error);
    if (!hasEnded) {
      logFailure(messageOf(error), fields, 'a slice of a job failed');
      await countFailure(pool, jobId, failuresMax);
    }
    const delayMs = hasEnded ? 0 : (kind.retryDelayMs?.(job) ?? retryDelayMs);
    await enqueueTurn(pool, { lane: kind.lane, workspaceId }, delayMs);
    return 'done';
  };

  /** As the key that began the job. */
  const runAsItsKey = (listed: Job, kind: JobKind, begun: (slice: Slice) => void): Promise<Progress> => {
    const run = () => runOnce(listed, kind, begun);
    return listed.keyId === null ? run() : actAs({ kind: 'key', keyId: listed.keyId }, undefined, run);
  };

  return async (listed, kind) => {
    let slice: Slice | undefined;
    try {
      return await runAsItsKey(listed, kind, (begun) => {
        slice = begun;
      });
    } catch (error) {
      if (!slice) throw error;
      return afterError(slice, error);
    }
  };
};
