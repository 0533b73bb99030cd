/**
 * Mint jobs are worked off in slices, each in one transaction:
 *
 *   BEGIN ─ the workspace's turn ─ the oldest unfinished mint ─ COPY ─ progress, the end with the last one, next slice ─ COMMIT
 *
 * What is not committed was never there, so that a process that is killed leaves neither a gap nor a duplicate: the next slice
 * begins after the last item that was counted. A slice that fails is tried again; after some failures without progress the mint
 * has failed: its items are removed, and the quota is given back, in the transaction that says so.
 */
import type { Logger } from '#shared/logger.ts';
import { createSparseLog } from '#shared/sparse-log.ts';
import { isDatabaseUnavailable, type Pool } from '../../../db/pool.ts';
import { inTransaction, type Transaction } from '../../../db/transaction.ts';
import { finishBatch } from '../store/batches.ts';
import {
  addProgress,
  completeJob,
  countFailure,
  lockOldestUnfinished,
  markHeldUp,
  type StoredJob,
} from '../store/jobs.ts';
import { copyItems } from './copy-items.ts';
import { failMint } from './fail-mint.ts';
import { mintTurns } from './turns.ts';

/** Other workspaces wait for a slice: it takes about a tenth of a second. */
export const sliceItems = 5_000;
/** After so many failures without progress the mint has failed. */
export const failuresMax = 4;
/** So long a mint waits for a database that is away or full, from the first time that it says so. */
const heldUpMsMax = 3_600_000;
const retryDelayMs = 1_000;

export interface MintingOptions {
  /** With a connection for each slice at once. */
  pool: Pool;
  createItemId(): string;
  logger: Logger;
  onEnd(end: MintSliceEnd, items: number): void;
}

export const mintSliceEnds = ['written', 'refunded'] as const;
export type MintSliceEnd = (typeof mintSliceEnds)[number];

/** @throws where the database is away: then the queue tries again */
export type WorkOnMints = (workspaceId: string) => Promise<void>;

const isHopeless = ({ failures, heldUpSince }: StoredJob): boolean =>
  failures >= failuresMax || (heldUpSince !== null && Date.now() - heldUpSince.getTime() > heldUpMsMax);

export const createMinting = ({ pool, createItemId, logger, onEnd }: MintingOptions): WorkOnMints => {
  const logAs = (level: 'warn' | 'error') =>
    createSparseLog((fields, message) => logger[level](fields, message));
  /** Of a database that is away or has no connection left, which is waited for. */
  const [logWaiting, logFailure] = [logAs('warn'), logAs('error')];

  /** @returns how many items it wrote */
  const writeSlice = async (
    tx: Transaction,
    { id, batchId, count, itemsWritten }: StoredJob,
  ): Promise<number> => {
    const items = Math.min(sliceItems, count - itemsWritten);
    await copyItems(tx, { batchId, firstPosition: itemsWritten + 1, count: items }, createItemId);
    await addProgress(tx, id, items);
    if (itemsWritten + items === count) {
      await completeJob(tx, id);
      await finishBatch(tx, batchId, 'completed');
    }
    return items;
  };

  /** The job is tried again; where it has failed too often, its next turn says so. */
  const retryLater = async (job: StoredJob, error: unknown): Promise<void> => {
    const { id: jobId, batchId, workspaceId } = job;
    const log = isDatabaseUnavailable(error) ? logWaiting : logFailure;
    log(jobId, { err: error, jobId, batchId }, 'items of a serialized batch could not be written');
    if (isDatabaseUnavailable(error)) await markHeldUp(pool, jobId);
    else await countFailure(pool, jobId);
    await mintTurns.enqueue(pool, workspaceId, retryDelayMs);
  };

  /** @param begun is told the job */
  const takeSlice = (workspaceId: string, begun: (job: StoredJob) => void): Promise<void> =>
    inTransaction(pool, async (tx) => {
      if (!(await mintTurns.takeTurn(tx, workspaceId))) return;
      const job = await lockOldestUnfinished(tx, workspaceId, 'mint');
      if (!job) return;
      begun(job);
      if (isHopeless(job)) {
        await failMint(tx, job);
        onEnd('refunded', job.count);
      } else onEnd('written', await writeSlice(tx, job));
      await mintTurns.enqueue(tx, workspaceId);
    });

  return async (workspaceId) => {
    let job: StoredJob | undefined;
    try {
      await takeSlice(workspaceId, (begun) => {
        job = begun;
      });
    } catch (error) {
      if (!job) throw error;
      await retryLater(job, error);
    }
  };
};
