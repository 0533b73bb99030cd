/**
 * Bulk operations, as jobs: a slice does some rows, and the last step of a kind that has one comes once all rows are
 * done. Rows that were begun before come in smaller slices, at last each alone, so that whatever makes a slice fail costs
 * itself.
 */
import { ClientError } from '#shared/errors.ts';
import { giveBackUse } from '../../../api/idempotency/quota-reservations.ts';
import type { AfterCommit } from '../../../api/idempotency/request.ts';
import { type Job, type JobKind, jobKind, type SliceEnd } from '../../../jobs/kind.ts';
import { attemptsMax, createRowEnds, firstOf, givenUp, type RowEnds } from '../../../jobs/row-ends.ts';
import { isHopeless } from '../../../jobs/slices.ts';
import { isForLater } from '../../../jobs/waiting.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import type { Transaction } from '../../../platform/db/transaction.ts';
import type { BulkRow, Kind, PreparedRow } from './kind.ts';
import type { SealedBodies } from './sealed-body.ts';
import {
  bulkLane,
  countDone,
  findOperationOfJob,
  jobNameOf,
  type StoredOperation,
} from './store/operations.ts';
import { countAttempt, forgiveAttempt, listWaiting, readRows, storeResults } from './store/rows.ts';

/** After a last step that failed. */
const retryDelayMs = 1_000;

export const rowEnds = ['succeeded', 'failed', 'later'] as const;
export type RowEnd = (typeof rowEnds)[number];

export interface BulkJobOptions {
  pool: Pool;
  bodies: SealedBodies;
  onRows(end: RowEnd, rows: number): void;
}

/** The rows of a slice. */
interface Chosen {
  operation: StoredOperation;
  /** How often they were begun before. */
  attempts: number;
  /** None: the last step is to be done. */
  positions: readonly number[];
}

/** A slice whose rows have ended, or are ready for the effect. */
interface Ready {
  operation: StoredOperation;
  ends: RowEnds;
  prepared: PreparedRow<unknown>[];
}

const giveBackQuota = async (tx: Transaction, operation: StoredOperation, rows: number): Promise<void> => {
  const { subscriptionId, quota, periodStart } = operation;
  if (rows === 0 || quota === null || periodStart === null) return;
  await giveBackUse(tx, { subscriptionId, capability: quota, periodStart }, rows);
};

/** @throws {Error} if rows that use a quota fail only now: it cannot be given back any more */
const takeEffect = async (
  tx: Transaction,
  kind: Kind,
  { operation, ends, prepared }: Ready,
  afterCommit: AfterCommit,
): Promise<void> => {
  if (prepared.length === 0) return;
  const results = await kind.effect(tx, operation, prepared, afterCommit);
  for (const [at, { row }] of prepared.entries()) {
    const result = results[at]!;
    if (result instanceof ClientError && !isForLater(result) && operation.quota !== null)
      throw new Error(`rows of the kind '${kind.name}' use a quota, and fail in prepare or not at all`);
    ends.take(row.position, result);
  }
};

const isDone = ({ done, total }: Pick<Job, 'done' | 'total'>): boolean => done === total;

export const createBulkJob = ({ pool, bodies, onRows }: BulkJobOptions, kind: Kind): JobKind => {
  const choose = async (job: Job): Promise<Chosen> => {
    const operation = await findOperationOfJob(pool, job.id);
    if (isDone(job)) return { operation, attempts: 0, positions: [] };
    const rowsMax = Math.min(kind.sliceRowsMax, kind.rowsOfSlice?.(operation) ?? kind.sliceRowsMax);
    const rows = firstOf(await listWaiting(pool, job.id, rowsMax), rowsMax);
    const positions = rows.map(({ position }) => position);
    await countAttempt(pool, job.id, positions);
    return { operation, attempts: rows[0]!.attempts, positions };
  };

  const rowsOf = async ({ operation: { id }, positions }: Chosen): Promise<BulkRow[]> =>
    (await readRows(pool, id, positions)).map(({ position, uid, sealed }) => ({
      position,
      uid,
      body: sealed.length === 0 ? undefined : bodies.open(id, position, sealed),
    }));

  const prepareRows = async (chosen: Chosen): Promise<Ready> => {
    const { operation } = chosen;
    const ends = createRowEnds();
    const prepared: PreparedRow<unknown>[] = [];
    if (chosen.attempts >= attemptsMax)
      for (const position of chosen.positions) ends.take(position, givenUp());
    else {
      const rows = await rowsOf(chosen);
      const outcomes = await kind.prepare(operation, rows);
      for (const [at, row] of rows.entries()) {
        const outcome = outcomes[at]!;
        if ('error' in outcome) ends.take(row.position, outcome.error);
        else prepared.push({ row, value: outcome.value });
      }
    }
    return { operation, ends, prepared };
  };

  const record = async (tx: Transaction, job: Job, { done, later, failed }: RowEnds): Promise<SliceEnd> => {
    if (later.length > 0) await forgiveAttempt(tx, job.id, later);
    if (done.length === 0) return 'held up';
    await storeResults(tx, job.id, done);
    await countDone(tx, job.id, { succeeded: done.length - failed, failed });
    return {
      done: done.length,
      isLast: job.done + done.length === job.total && kind.complete === undefined,
    };
  };

  const count = ({ done, later, failed }: RowEnds): void => {
    onRows('succeeded', done.length - failed);
    onRows('failed', failed);
    onRows('later', later.length);
  };

  return jobKind<Chosen, Ready | undefined>({
    name: jobNameOf(kind.name),
    lane: bulkLane,
    failure: 'The operation could not be completed, for a reason of ours',
    choose,
    forgive: (job, { positions }) => forgiveAttempt(pool, job.id, positions),
    async prepare(job, chosen) {
      if (!isDone(job)) return prepareRows(chosen);
      await kind.complete?.(chosen.operation);
      return undefined;
    },
    async effect(tx, job, ready, afterCommit) {
      if (!ready) return { done: 0, isLast: true };
      const { operation, ends } = ready;
      if (ready.prepared.length === 0) ends.giveUpLater(job);
      // Before the effect, since every create call uses the quota first, and then counts what it makes.
      await giveBackQuota(tx, operation, ends.failed);
      await takeEffect(tx, kind, ready, afterCommit);
      ends.giveUpLater(job);
      afterCommit(async () => count(ends));
      return record(tx, job, ends);
    },
    // A row has attempts of its own.
    isHopeless: (job) => isDone(job) && isHopeless(job),
    retryDelayMs: (job) => (isDone(job) ? retryDelayMs : 0),
  });
};
