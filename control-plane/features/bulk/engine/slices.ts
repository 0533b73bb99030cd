/**
 * Slices: some rows of one operation, done in one transaction.
 *
 *   BEGIN ─ the workspace's turn ─ lock the rows ─ prepare ─ effect, results, counts, next slice ─ COMMIT ─▶ publish
 *                               ╰─ before that, on another connection: count the attempt
 *
 * The locks end with the connection, so that the rows of a process that was killed are free at once, and so are those of one
 * that stands still (PostgreSQL ends a transaction that says nothing). What such an attempt has prepared is lost, and nothing is
 * doubled, since nothing was committed. Rows that were begun before come in smaller slices, at last each alone, so that
 * whatever makes a slice fail costs itself.
 */
import { ClientError, messageOf } from '#shared/errors.ts';
import type { Logger } from '#shared/logger.ts';
import { createSparseLog } from '#shared/sparse-log.ts';
import type { AfterCommit } from '../../../creation/creation-request.ts';
import { giveBackUse } from '../../../creation/quota-reservations.ts';
import { isDatabaseUnavailable, type Pool } from '../../../db/pool.ts';
import { inTransaction, type Transaction } from '../../../db/transaction.ts';
import { keepAlive } from './keep-alive.ts';
import type { BulkRow, Kind, KindName, PreparedRow } from './kind.ts';
import { enqueue, takeTurn } from './queue.ts';
import { createRowEnds, type RowEnds } from './row-ends.ts';
import type { SealedBodies } from './sealed-body.ts';
import { countDone, markHeldUp, markProcessing, type StoredOperation } from './store/operations.ts';
import {
  countAttempt,
  forgiveAttempt,
  listWaiting,
  lockRows,
  storeResults,
  type WaitingRow,
} from './store/rows.ts';

/** Bytes of the rows of one slice, but for one row that has more by itself. */
const sliceBytesMax = 4 * 2 ** 20;
/** After so many attempts a row is given up: one with a whole slice, one with a tenth of it, two alone. */
export const attemptsMax = 4;

export const rowEnds = ['succeeded', 'failed', 'later'] as const;
export type RowEnd = (typeof rowEnds)[number];

export interface SlicesOptions {
  /** With two connections for each slice at once. */
  pool: Pool;
  bodies: SealedBodies;
  logger: Logger;
  onSlice(kind: KindName): void;
  onRows(end: RowEnd, rows: number): void;
}

interface Slice {
  operation: StoredOperation;
  kind: Kind;
  /** How often its rows were begun before. */
  attempts: number;
  positions: readonly number[];
}

/**
 * What became of the try to go on. `later`: nothing of it can be done now, and no job was enqueued. `busy`: another job has the turn of
 * the workspace.
 */
export type Progress = 'done' | 'later' | 'nothing to do' | 'busy';

export interface Slices {
  /**
   * Does the next slice of the operation, and enqueues the one after it if it could do something.
   * @throws where the database is away: then the queue tries again
   */
  goOn(operation: StoredOperation, kind: Kind): Promise<Progress>;
}

/** The first rows that were begun equally often, as many as a slice of them may have. */
const firstOf = (waiting: readonly WaitingRow[], rowsMax: number): WaitingRow[] => {
  const attempts = waiting[0]!.attempts;
  const countMax = [rowsMax, Math.ceil(rowsMax / 10)][attempts] ?? 1;
  const taken: WaitingRow[] = [];
  let bytes = 0;
  for (const row of waiting) {
    bytes += row.bytes;
    const isFull = taken.length >= countMax || (taken.length > 0 && bytes > sliceBytesMax);
    if (row.attempts !== attempts || isFull) break;
    taken.push(row);
  }
  return taken;
};

const givenUp = (): ClientError =>
  new ClientError(
    'INTERNAL',
    'The row could not be done, for a reason of ours; nothing was created or changed',
  );

const giveBackQuota = async (tx: Transaction, operation: StoredOperation, rows: number): Promise<void> => {
  const { subscriptionId, quota, periodStart } = operation;
  if (rows === 0 || quota === null || periodStart === null) return;
  await giveBackUse(tx, { subscriptionId, capability: quota, periodStart }, rows);
};

/** The effect on rows that are prepared. @throws {Error} where rows that use a quota fail only now: it cannot be given back any more */
const takeEffect = async (
  tx: Transaction,
  { operation, kind }: Slice,
  prepared: readonly PreparedRow<unknown>[],
  ends: RowEnds,
  afterCommit: AfterCommit,
): Promise<void> => {
  if (prepared.length === 0) return;
  const results = await kind.effect(tx, operation, prepared, afterCommit);
  for (const [at, { row }] of prepared.entries()) {
    const result = results[at]!;
    if (result instanceof ClientError && operation.quota !== null)
      throw new Error(`rows of the kind '${kind.name}' use a quota, and fail in prepare or not at all`);
    ends.take(row.position, result);
  }
};

const record = async (tx: Transaction, { operation, kind }: Slice, ends: RowEnds): Promise<void> => {
  const { done, later, failed } = ends;
  if (later.length > 0) await forgiveAttempt(tx, operation.id, later);
  if (done.length > 0) {
    await storeResults(tx, operation.id, done);
    const counts = { succeeded: done.length - failed, failed };
    await countDone(tx, operation.id, counts, kind.complete !== undefined);
    await enqueue(tx, operation.workspaceId);
  } else await markHeldUp(tx, operation.id);
};

/** @returns the rows that are prepared; the others have ended */
const prepare = async ({ operation, kind }: Slice, rows: readonly BulkRow[], ends: RowEnds) => {
  const outcomes = await kind.prepare(operation, rows);
  const prepared: PreparedRow<unknown>[] = [];
  for (const [at, row] of rows.entries()) {
    const outcome = outcomes[at]!;
    if ('error' in outcome) ends.take(row.position, outcome.error);
    else prepared.push({ row, value: outcome.value });
  }
  return prepared;
};

export const createSlices = ({ pool, bodies, logger, onSlice, onRows }: SlicesOptions): Slices => {
  /** @returns undefined where somebody else has all of the rows */
  const work = async (
    tx: Transaction,
    slice: Slice,
    afterCommit: AfterCommit,
  ): Promise<RowEnds | undefined> => {
    const { operation, attempts } = slice;
    const locked = await lockRows(tx, operation.id, slice.positions);
    if (locked.length === 0) return undefined;
    const ends = createRowEnds();
    let prepared: PreparedRow<unknown>[] = [];
    if (attempts >= attemptsMax) for (const { position } of locked) ends.take(position, givenUp());
    else {
      const rows = locked.map(({ position, uid, sealed }) => ({
        position,
        uid,
        body: bodies.open(operation.id, position, sealed),
      }));
      prepared = await keepAlive(tx, () => prepare(slice, rows, ends));
    }
    if (prepared.length === 0) ends.giveUpLater(operation.heldUpSince);
    // Before the effect, since every creation uses the quota first, and then counts what it makes.
    await giveBackQuota(tx, operation, ends.failed);
    await takeEffect(tx, slice, prepared, ends, afterCommit);
    ends.giveUpLater(operation.heldUpSince);
    await record(tx, slice, ends);
    return ends;
  };

  const logFailure = createSparseLog((fields, message) => logger.error(fields, message));

  /** Chooses the rows, and counts their attempt. @returns undefined where none waits, or somebody else has them */
  const begin = async (operation: StoredOperation, kind: Kind): Promise<Slice | undefined> => {
    const rowsMax = Math.min(kind.sliceRowsMax, kind.rowsOfSlice?.(operation) ?? kind.sliceRowsMax);
    const waiting = await listWaiting(pool, operation.id, rowsMax);
    if (waiting.length === 0) return undefined;
    const rows = firstOf(waiting, rowsMax);
    const chosen = rows.map(({ position }) => position);
    await markProcessing(pool, operation.id);
    const positions = await countAttempt(pool, operation.id, chosen);
    if (positions.length === 0) return undefined;
    onSlice(kind.name);
    return { operation, kind, attempts: rows[0]!.attempts, positions };
  };

  /** @param begun is told the slice */
  const runOnce = async (
    operation: StoredOperation,
    kind: Kind,
    begun: (slice: Slice) => void,
  ): Promise<Progress> => {
    const then: (() => Promise<void>)[] = [];
    const ends = await inTransaction(pool, async (tx) => {
      if (!(await takeTurn(tx, operation.workspaceId))) return 'busy';
      const slice = await begin(operation, kind);
      if (!slice) return undefined;
      begun(slice);
      return work(tx, slice, (each) => then.push(each));
    });
    if (ends === 'busy') return ends;
    if (!ends) return 'nothing to do';
    await Promise.all(then.map((each) => each()));
    onRows('succeeded', ends.done.length - ends.failed);
    onRows('failed', ends.failed);
    onRows('later', ends.later.length);
    return ends.done.length > 0 ? 'done' : 'later';
  };

  /** The database is away, which is not the rows' fault. Where it does not hear of that either, the attempt counts. */
  const forgive = ({ operation, positions }: Slice): Promise<void> =>
    forgiveAttempt(pool, operation.id, positions).catch((error: unknown) => {
      logger.debug({ err: error, bulkId: operation.id }, 'an attempt could not be taken back');
    });

  return {
    async goOn(operation, kind) {
      const begun: Slice[] = [];
      try {
        return await runOnce(operation, kind, (slice) => begun.push(slice));
      } catch (error) {
        if (isDatabaseUnavailable(error)) {
          await Promise.all(begun.map(forgive));
          throw error;
        }
        const positions = begun.flatMap((slice) => slice.positions);
        const fields = { err: error, bulkId: operation.id, positions };
        logFailure(messageOf(error), fields, 'a slice of a bulk operation failed');
        await enqueue(pool, operation.workspaceId);
        return 'done';
      }
    },
  };
};
