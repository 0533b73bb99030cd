/** A request to create something, and its operation's work. */
import type { QuotaName } from '#schemas/api/plans.ts';
import type { ErrorCode } from '#shared/errors.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import type { Principal } from '../access/authentication.ts';
import type { Reply } from './reply.ts';

/**
 * The standard header, for operations that declare it, and our own for all others: they ignore the standard one, since
 * each of their calls creates.
 */
export type IdempotencyHeader = 'Idempotency-Key' | 'Waymark-Idempotency-Key';

/**
 * How long a key remains valid, and the refusal if it is reused for another request. The standard header is for paid
 * things: an order may be retried weeks later.
 */
export const idempotency = {
  'Waymark-Idempotency-Key': { validHours: 24, reused: 'UNPROCESSABLE' },
  'Idempotency-Key': { validHours: 366 * 24, reused: 'CONFLICT' },
} as const satisfies Record<IdempotencyHeader, { validHours: number; reused: ErrorCode }>;

export type AfterCommit = (work: () => Promise<void>) => void;

/** An operation's work to create something. */
export interface CreateWork<Prepared> {
  /** Whether the preparation takes more than a moment; if so, no transaction is open meanwhile. */
  isLong?: boolean;
  /**
   * Checks conditions that time may have changed, and does the expensive work. By then the key is claimed and the quota
   * taken.
   * @param dryRun true: the effect will be undone, and nothing may be stored here either
   */
  prepare(dryRun?: boolean): Promise<Prepared>;
  /**
   * The part done in a transaction: short, and only statements.
   * @param tx for all of them
   * @param afterCommit takes work that depends on the commit; it must not fail
   */
  effect(tx: Transaction, prepared: Prepared, afterCommit: AfterCommit): Promise<Reply>;
}

/** Does the work once, or repeats the previous answer for the idempotency key. */
export type Create = <Prepared>(work: CreateWork<Prepared>) => Promise<Reply>;

export interface CreateCall {
  principal: Principal;
  /** Undefined if the header is absent. */
  idempotencyKey: string | undefined;
  idempotencyHeader: IdempotencyHeader;
  /** Identifies the request: method, path, query and body. Read only if there is a key. */
  fingerprint(): string;
  quota?: { name: QuotaName; amount: number } | undefined;
}

/** Uses some of a quota in a transaction. @returns undefined or, if it is too much, the amount used so far */
export type ConsumeQuota = (
  tx: Transaction,
  period: { subscriptionId: string; capability: QuotaName; periodStart: string },
  amount: number,
  limit: number,
) => Promise<number | undefined>;
