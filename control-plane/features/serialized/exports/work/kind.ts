/**
 * Exports, as jobs: slices draw parts, and the last slice makes the result of all parts. A part that is stored and not
 * committed is swept by the nightly job.
 */
import type { Logger } from '#shared/logger.ts';
import { type Job, type JobKind, jobKind } from '../../../../jobs/kind.ts';
import type { Pool } from '../../../../platform/db/pool.ts';
import type { Transaction } from '../../../../platform/db/transaction.ts';
import type { Storage } from '../../../../platform/storage/storage.ts';
import { RenderTimeout } from '../../../../rendering/index.ts';
import { findJobDetails, type JobDetails } from '../../store/jobs.ts';
import { removeFiles } from '../removal.ts';
import { roomFault } from '../room.ts';
import { addKept, findRequest, lockKept, sumKept } from '../store/exports.ts';
import { insertPart, type StoredPart } from '../store/parts.ts';
import { PictureRefusal } from './drawing.ts';

export const exportEnds = ['completed', 'failed'] as const;

/** Of a slice. A program of the tests makes them smaller. */
export const sliceMax = {
  /** After it, no further picture or page is begun. */
  ms: 1_000,
  /** That are read: more than a thread draws in a second. */
  items: 8_000,
};
const dayMs = 86_400_000;

/** An unfinished export. @typeParam Request what it was asked for */
export interface Work<Request> extends JobDetails {
  job: Job & { total: number };
  request: Request;
}

/** A part that is stored. */
export interface DrawnPart {
  part: StoredPart;
  /** That are kept for it. */
  bytes: number;
}

export interface ExportKindOptions<Request> {
  kind: Pick<JobKind, 'name' | 'lane'>;
  pool: Pool;
  storage: Storage;
  logger: Logger;
  /** How long the result is kept. */
  days: number;
  /** Draws the next items, and stores them. @throws {StorageFailure}, {PictureRefusal}, and what the threads throw */
  draw(work: Work<Request>): Promise<DrawnPart>;
  /** Bytes that a part needs while the export is made. */
  roomOf(part: DrawnPart): number;
  /** Stores the result. @returns its bytes @throws {StorageFailure}, {PictureRefusal} */
  storeResult(work: Work<Request>): Promise<number>;
  resultKeyOf(jobId: string): string;
  /** Counts the result's bytes. */
  keepResult(tx: Transaction, jobId: string, bytes: number): Promise<void>;
  onDrawn(work: Work<Request>, items: number): void;
  onEnded(how: (typeof exportEnds)[number]): void;
  afterCompleted?(jobId: string): Promise<void>;
}

/** What a slice has stored: a part, or the result. */
type Stored<Request> = { work: Work<Request> } & (DrawnPart | { resultBytes: number });

/** A picture that takes too long does so again: it is a failure, and is not waited for. */
const asFailure = (error: unknown): unknown =>
  error instanceof RenderTimeout ? new Error(error.message, { cause: error }) : error;

export const createExportKind = <Request extends { keptBytesMax: number }>(
  options: ExportKindOptions<Request>,
): JobKind => {
  const { kind, pool, storage, logger, days, draw, storeResult, resultKeyOf } = options;
  const failure = 'The pictures could not be made, for a reason of ours';

  /** @returns undefined if its files are removed */
  const findWork = async (job: Job): Promise<Work<Request> | undefined> => {
    const request = await findRequest<Request>(pool, job.id);
    if (!request) return undefined;
    return { job: { ...job, total: job.total! }, request, ...(await findJobDetails(pool, job.id)) };
  };

  const addPart = async (
    tx: Transaction,
    work: Work<Request>,
    drawn: DrawnPart,
  ): Promise<string | undefined> => {
    const { job, request } = work;
    await lockKept(tx, job.workspaceId);
    const kept = await sumKept(tx, job.workspaceId);
    const full = roomFault(kept + options.roomOf(drawn), request.keptBytesMax);
    if (full) return full;
    await insertPart(tx, job.id, drawn.part);
    await addKept(tx, job.id, drawn.bytes);
    return undefined;
  };

  return jobKind<undefined, Stored<Request> | undefined>({
    ...kind,
    failure,
    async prepare(job) {
      const work = await findWork(job);
      if (!work) return undefined;
      try {
        return job.done < work.job.total
          ? { work, ...(await draw(work)) }
          : { work, resultBytes: await storeResult(work) };
      } catch (error) {
        throw asFailure(error);
      }
    },
    async effect(tx, job, stored, afterCommit) {
      if (!stored) return { failed: failure };
      if ('resultBytes' in stored) {
        await options.keepResult(tx, job.id, stored.resultBytes);
        return { done: 0, isLast: true, resultUntil: new Date(Date.now() + days * dayMs) };
      }
      const { work, part } = stored;
      const full = await addPart(tx, work, stored);
      if (full !== undefined) return { failed: full };
      afterCommit(async () => options.onDrawn(work, part.items));
      return { done: part.items };
    },
    async discard({ id }, stored) {
      if (stored) await storage.remove('part' in stored ? stored.part.key : resultKeyOf(id));
    },
    refusalOf: (error) => (error instanceof PictureRefusal ? error.message : undefined),
    async ended({ id }, how) {
      options.onEnded(how);
      if (how === 'failed') await removeFiles({ pool, storage, logger }, id);
      else await options.afterCompleted?.(id);
    },
  });
};
