/**
 * Slices: some rows of one operation, done in one transaction.
 *
 *   count the attempt ─commit─▶ BEGIN ─ lock the rows ─ prepare ─ effect, results, counts, next slice ─ COMMIT ─▶ publish
 *
 * The locks end with the connection, so that the rows of a process that was killed are free at once, and so are those of one
 * that stands still (PostgreSQL ends a transaction that says nothing). What such an attempt has prepared is lost, and nothing is
 * doubled, since nothing was committed. Rows that were begun before come in smaller slices, at last each alone, so that
 * whatever makes a slice fail costs itself.
 */
import { ClientError } from '#shared/errors.ts';
import type { Logger } from '#shared/logger.ts';
import type { AfterCommit } from '../../../creation/creation-request.ts';
import { giveBackUse } from '../../../creation/quota-reservations.ts';
import { isDatabaseUnavailable, type Pool } from '../../../db/pool.ts';
import { inTransaction, type Transaction } from '../../../db/transaction.ts';
import { keepAlive } from './keep-alive.ts';
import type { BulkRow, Kind, PreparedRow } from './kind.ts';
import { enqueue } from './queue.ts';
import { createRowEnds, type RowEnds } from './row-ends.ts';
import type { SealedBodies } from './sealed-body.ts';
import { countDone, markHeldUp, markProcessing, type StoredOperation } from './store/operations.ts';
import { countAttempt, listWaiting, lockRows, storeResults, type WaitingRow } from './store/rows.ts';

/** Bytes of the rows of one slice, but for one row that has more by itself. */
const sliceBytesMax = 4 * 2 ** 20;
/** After so many attempts a row is given up: one with a whole slice, one with a tenth of it, two alone. */
export const attemptsMax = 4;
/** How long a workspace waits where nothing of a slice could be done. */
const laterDelayMs = 1_000;

export const rowEnds = ['succeeded', 'failed', 'later'] as const;
export type RowEnd = (typeof rowEnds)[number];

export interface SlicesOptions {
  pool: Pool;
  bodies: SealedBodies;
  logger: Logger;
  onRows(end: RowEnd, rows: number): void;
}

export interface Slice {
  operation: StoredOperation;
  kind: Kind;
  /** How often its rows were begun before. */
  attempts: number;
  positions: readonly number[];
}

export interface Slices {
  /** @returns undefined where no row of the operation waits */
  next(operation: StoredOperation, kind: Kind): Promise<Slice | undefined>;
  /**
   * Does it, and enqueues the next one.
   * @throws where the database is away: then the queue tries again
   */
  run(slice: Slice): Promise<void>;
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
  if (later.length > 0) await countAttempt(tx, operation.id, later, -1);
  if (done.length > 0) {
    await storeResults(tx, operation.id, done);
    const counts = { succeeded: done.length - failed, failed };
    await countDone(tx, operation.id, counts, kind.complete !== undefined);
  } else await markHeldUp(tx, operation.id);
  await enqueue(tx, operation.workspaceId, done.length > 0 ? 0 : laterDelayMs);
};

export const createSlices = ({ pool, bodies, logger, onRows }: SlicesOptions): Slices => {
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

  const runOnce = async (slice: Slice): Promise<void> => {
    const then: (() => Promise<void>)[] = [];
    const ends = await inTransaction(pool, (tx) => work(tx, slice, (each) => then.push(each)));
    await Promise.all(then.map((each) => each()));
    if (!ends) return;
    onRows('succeeded', ends.done.length - ends.failed);
    onRows('failed', ends.failed);
    onRows('later', ends.later.length);
  };

  /** The database is away, which is not the rows' fault. Where it does not hear of that either, the attempt counts. */
  const forgiveAttempt = ({ operation, positions }: Slice): Promise<void> =>
    countAttempt(pool, operation.id, positions, -1).catch((error: unknown) => {
      logger.debug({ err: error, bulkId: operation.id }, 'an attempt could not be taken back');
    });

  return {
    async next(operation, kind) {
      const rowsMax = Math.min(kind.sliceRowsMax, kind.rowsOfSlice?.(operation) ?? kind.sliceRowsMax);
      const waiting = await listWaiting(pool, operation.id, rowsMax);
      if (waiting.length === 0) return undefined;
      const rows = firstOf(waiting, rowsMax);
      const positions = rows.map(({ position }) => position);
      return { operation, kind, attempts: rows[0]!.attempts, positions };
    },
    async run(slice) {
      const { operation, positions } = slice;
      await markProcessing(pool, operation.id);
      await countAttempt(pool, operation.id, positions, 1);
      try {
        await runOnce(slice);
      } catch (error) {
        if (isDatabaseUnavailable(error)) {
          await forgiveAttempt(slice);
          throw error;
        }
        logger.error({ err: error, bulkId: operation.id, positions }, 'a slice of a bulk operation failed');
        await enqueue(pool, operation.workspaceId);
      }
    },
  };
};
