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
import { messageOf } from '#shared/errors.ts';
import type { Logger } from '#shared/logger.ts';
import { createSparseLog } from '#shared/sparse-log.ts';
import { isDatabaseUnavailable } from '../../../../db/pool.ts';
import { inTransaction, type Transaction } from '../../../../db/transaction.ts';
import { failJob, findOldestUnfinished, markHeldUp, type StoredJob } from '../../store/jobs.ts';
import { removeFiles } from '../removal.ts';
import { countAttempt, findExport, forgiveAttempt } from '../store/exports.ts';
import { isWaitedFor, whyFailed } from './failures.ts';
import { createSteps, type StepsOptions } from './steps.ts';
import { exportTurns } from './turns.ts';

export const exportEnds = ['completed', 'failed'] as const;

/** Its pool has two connections for each slice at once. */
export interface SlicesOptions extends StepsOptions {
  logger: Logger;
  onEnded(how: (typeof exportEnds)[number]): void;
}

/** Begun so often without coming further, an export has failed. */
const attemptsMax = 5;
/** How long a workspace waits where nothing could be done, and after a failure. */
const laterDelayMs = 1_000;

/** @returns the work of the queue's job; it throws where the database is away: then the queue tries again */
export const createSlices = (options: SlicesOptions): ((workspaceId: string) => Promise<void>) => {
  const { pool, storage, logger, onEnded } = options;
  const takeStep = createSteps(options);
  const logFailure = createSparseLog((fields, message) => logger.error(fields, message));

  const afterFailed = async ({ id }: StoredJob): Promise<void> => {
    onEnded('failed');
    await removeFiles({ pool, storage, logger }, id);
  };

  /** @returns why the export has failed, where it has */
  const goOn = async (tx: Transaction, job: StoredJob): Promise<string | undefined> => {
    const asked = await findExport(pool, job.id);
    if (!asked || asked.attempts >= attemptsMax) return whyFailed.ours;
    await countAttempt(pool, job.id);
    const end = await takeStep(tx, { job, asked });
    if (end === 'completed') onEnded(end);
    return typeof end === 'object' ? end.full : undefined;
  };

  /** @param begun is told the job @returns the job where it has failed */
  const takeSlice = (workspaceId: string, begun: (job: StoredJob) => void): Promise<StoredJob | undefined> =>
    inTransaction(pool, async (tx) => {
      if (!(await exportTurns.takeTurn(tx, workspaceId))) return undefined;
      const job = await findOldestUnfinished(pool, workspaceId, 'image_export');
      if (!job) return undefined;
      begun(job);
      const why = await goOn(tx, job);
      await exportTurns.enqueue(tx, workspaceId);
      return why !== undefined && (await failJob(tx, job.id, why)) ? job : undefined;
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
    await exportTurns.enqueue(pool, job.workspaceId, laterDelayMs);
  };

  /** Where the database does not hear of it either, the attempt counts. */
  const forgive = (job: StoredJob): Promise<void> =>
    forgiveAttempt(pool, job.id).catch((error: unknown) => {
      logger.debug({ err: error, jobId: job.id }, 'an attempt could not be taken back');
    });

  return async (workspaceId) => {
    let job: StoredJob | undefined;
    try {
      const failed = await takeSlice(workspaceId, (begun) => {
        job = begun;
      });
      if (failed) await afterFailed(failed);
    } catch (error) {
      if (!job) throw error;
      if (!isDatabaseUnavailable(error)) return afterError(job, error);
      await forgive(job);
      throw error;
    }
  };
};
