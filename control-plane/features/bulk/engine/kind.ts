/** A kind of bulk operation: what is done with its rows. The engine does the rest: order, retries, results, progress. */
import type { BulkProgress } from '#schemas/api/bulk.ts';
import type { ClientError } from '#shared/errors.ts';
import type { AfterCommit } from '../../../api/idempotency/request.ts';
import type { RowResult } from '../../../jobs/row-ends.ts';
import type { Transaction } from '../../../platform/db/transaction.ts';

export type KindName = BulkProgress['kind'];

/** An operation, as its kind sees it. */
export interface BulkOperation {
  /** `blk_…` */
  readonly id: string;
  readonly workspaceId: string;
  readonly subscriptionId: string;
  readonly kind: KindName;
  readonly total: number;
  /** What was submitted beside the rows. */
  readonly options: unknown;
  readonly createdAt: Date;
}

/** A row as it was submitted. */
export interface BulkRow {
  /** From 0, in the order of the call. */
  readonly position: number;
  readonly uid: string;
  /** JSON; undefined if it was submitted without. */
  readonly body: unknown;
}

/** What the preparation makes of a row. */
export type Outcome<Value> = { readonly value: Value } | { readonly error: ClientError };

/** A row that is prepared. */
export interface PreparedRow<Value> {
  readonly row: BulkRow;
  readonly value: Value;
}

export interface Kind<Value = unknown> {
  readonly name: KindName;
  /** Rows of one slice, at most. Other workspaces wait for a slice: it should take a second or less. */
  readonly sliceRowsMax: number;
  /** How many of them, at least 1, where the rows of this operation take longer than others. Default: all. */
  rowsOfSlice?(operation: BulkOperation): number;
  /** How long a result that is not fetched is kept. Default 7. */
  readonly resultKeptDays?: number;
  /**
   * Checks the rows, and does the expensive part. Takes as long as it must, yields to the event loop, and changes nothing
   * that a second attempt would not change again: the process may end at any moment, and then the rows come again.
   * An error with the code RATE_LIMITED or UNAVAILABLE says that the row is to be tried again later, until nothing of the operation
   * could be done for an hour; any other one is the row's failure.
   * @returns an outcome for each row, in their order
   * @throws {Error} the whole slice fails: its rows are tried again in smaller ones, and at last each alone
   */
  prepare(operation: BulkOperation, rows: readonly BulkRow[]): Promise<readonly Outcome<Value>[]>;
  /**
   * The part that is done in a transaction: short, and nothing but statements. The results are stored in the same one.
   * @param afterCommit takes what depends on the commit; that must not fail
   * @returns for each prepared row, in their order, its result or its failure. Where rows use a quota, a failure here only
   *   leaves the row for later
   */
  effect(
    tx: Transaction,
    operation: BulkOperation,
    prepared: readonly PreparedRow<Value>[],
    afterCommit: AfterCommit,
  ): Promise<readonly (RowResult | ClientError)[]>;
  /**
   * Done once all rows are, before the operation is `completed`; may come again. Fails for good: the operation is `failed`.
   * @throws {ClientError} UNAVAILABLE where something is away: it comes again for an hour
   */
  complete?(operation: BulkOperation): Promise<void>;
  /** Removes what `complete` has stored elsewhere; may come again. Called before the operation's result is removed. */
  remove?(operation: BulkOperation): Promise<void>;
}

/** Keeps the type of a kind's values together while it is declared; the engine hands them on and looks at none. */
export const bulkKind = <Value>(kind: Kind<Value>): Kind => kind as Kind;
