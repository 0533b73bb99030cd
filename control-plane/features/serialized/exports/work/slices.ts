/**
 * Slices: about a second of one export, done in one turn of its workspace.
 *
 *   BEGIN ─ the turn ─ draw and store a part ─ lock the job ─ part, room, progress, next slice ─ COMMIT
 *                   ╰─ before that, on another connection: count the attempt
 *
 * The turn ends with the connection, so that an export whose process was killed is gone on with at once, from its last part. What is
 * stored and not committed is swept. The job is not locked while the pictures are drawn: it can be cancelled at any time, and whoever
 * finds it ended removes what he has stored.
 */
import type { SerializedJobType } from '#schemas/api/serialized.ts';
import { messageOf } from '#shared/errors.ts';
import type { Logger } from '#shared/logger.ts';
import { createSparseLog } from '#shared/sparse-log.ts';
import { isDatabaseUnavailable, type Pool } from '../../../../db/pool.ts';
import { inTransaction, type Transaction } from '../../../../db/transaction.ts';
import type { WorkspaceTurns } from '../../../../jobs/workspace-turns.ts';
import type { Storage } from '../../../../storage/storage.ts';
import { failJob, findOldestUnfinished, markHeldUp, type StoredJob } from '../../store/jobs.ts';
import { removeFiles } from '../removal.ts';
import { countAttempt, findExport, forgiveAttempt } from '../store/exports.ts';
import { isWaitedFor, whyFailed } from './failures.ts';
import type { StepEnd, Work } from './steps.ts';

export const exportEnds = ['completed', 'failed'] as const;

/** @typeParam Request what an export of this kind was asked for */
export interface SlicesOptions<Request> {
  /** With two connections for each slice at once. */
  pool: Pool;
  storage: Storage;
  logger: Logger;
  /** The jobs that are worked on. */
  type: SerializedJobType;
  turns: WorkspaceTurns;
  /** Goes one step further, in the transaction of a slice. */
  takeStep(tx: Transaction, work: Work<Request>): Promise<StepEnd>;
  /** Called once the end of an export is committed. */
  afterCompleted?(job: StoredJob): Promise<void>;
  onEnded(how: (typeof exportEnds)[number]): void;
}

/** Begun so often without coming further, an export has failed. */
const attemptsMax = 5;
/** How long a workspace waits where nothing could be done, and after a failure. */
const laterDelayMs = 1_000;

/** @returns the work of the queue's job; it throws where the database is away: then the queue tries again */
export const createSlices = <Request>(
  options: SlicesOptions<Request>,
): ((workspaceId: string) => Promise<void>) => {
  const { pool, storage, logger, type, turns, takeStep, afterCompleted, onEnded } = options;
  const logFailure = createSparseLog((fields, message) => logger.error(fields, message));

  const afterFailed = async ({ id }: StoredJob): Promise<void> => {
    onEnded('failed');
    await removeFiles({ pool, storage, logger }, id);
  };

  const afterEnd = async (job: StoredJob): Promise<void> => {
    onEnded('completed');
    await afterCompleted?.(job);
  };

  const goOn = async (tx: Transaction, job: StoredJob): Promise<StepEnd> => {
    const asked = await findExport<Request>(pool, job.id);
    if (!asked || asked.attempts >= attemptsMax) return { full: whyFailed.ours };
    await countAttempt(pool, job.id);
    return takeStep(tx, { job, asked });
  };

  /** @param begun is told the job @returns what is to be done after the transaction */
  const takeSlice = (
    workspaceId: string,
    begun: (job: StoredJob) => void,
  ): Promise<(() => Promise<void>) | undefined> =>
    inTransaction(pool, async (tx) => {
      if (!(await turns.takeTurn(tx, workspaceId))) return undefined;
      const job = await findOldestUnfinished(pool, workspaceId, type);
      if (!job) return undefined;
      begun(job);
      const end = await goOn(tx, job);
      await turns.enqueue(tx, workspaceId);
      if (end === 'completed') return () => afterEnd(job);
      return typeof end === 'object' && (await failJob(tx, job.id, end.full))
        ? () => afterFailed(job)
        : undefined;
    });

  const afterError = async (job: StoredJob, error: unknown): Promise<void> => {
    const why = whyFailed.of(error);
    if (why !== undefined) {
      if (await failJob(pool, job.id, why)) await afterFailed(job);
    } else if (isWaitedFor(error, job.heldUpSince)) {
      logger.warn({ err: error, jobId: job.id }, 'an export waits');
      await forgiveAttempt(pool, job.id);
      await markHeldUp(pool, job.id);
    } else logFailure(messageOf(error), { err: error, jobId: job.id }, 'a slice of an export failed');
    await turns.enqueue(pool, job.workspaceId, laterDelayMs);
  };

  /** Where the database does not hear of it either, the attempt counts. */
  const forgive = (job: StoredJob): Promise<void> =>
    forgiveAttempt(pool, job.id).catch((error: unknown) => {
      logger.debug({ err: error, jobId: job.id }, 'an attempt could not be taken back');
    });

  return async (workspaceId) => {
    let job: StoredJob | undefined;
    try {
      const then = await takeSlice(workspaceId, (begun) => {
        job = begun;
      });
      await then?.();
    } catch (error) {
      if (!job) throw error;
      if (!isDatabaseUnavailable(error)) return afterError(job, error);
      await forgive(job);
      throw error;
    }
  };
};
