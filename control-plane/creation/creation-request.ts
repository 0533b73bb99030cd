/** A request to create something, and the work of its operation. */
import type { QuotaName } from '#schemas/api/plans.ts';
import type { ErrorCode } from '#shared/errors.ts';
import type { Principal } from '../access/authentication.ts';
import type { Transaction } from '../db/transaction.ts';
import type { Reply } from './reply.ts';

/**
 * The standard's header, for operations that declare it; and ours, for all others: they ignore the standard one, since each of
 * their calls creates.
 */
export type IdempotencyHeader = 'Idempotency-Key' | 'Waymark-Idempotency-Key';

/**
 * For how long a key is done once, and what its use for another request is. The standard's header is for what is paid for: the
 * retry of an order may come weeks later.
 */
export const idempotency = {
  'Waymark-Idempotency-Key': { validHours: 24, reused: 'UNPROCESSABLE' },
  'Idempotency-Key': { validHours: 366 * 24, reused: 'CONFLICT' },
} as const satisfies Record<IdempotencyHeader, { validHours: number; reused: ErrorCode }>;

export type AfterCommit = (work: () => Promise<void>) => void;

/** An operation's work to create something. */
export interface Creation<Prepared> {
  /** Whether the preparation takes more than a moment: then no transaction is open meanwhile. */
  isLong?: boolean;
  /** Checks what time may have changed, and does what costs something. The key is claimed and the quota taken by then. */
  prepare(): Promise<Prepared>;
  /**
   * The part that is done in a transaction: short, and nothing but statements.
   * @param tx for all of them
   * @param afterCommit takes what depends on the commit; that must not fail
   */
  effect(tx: Transaction, prepared: Prepared, afterCommit: AfterCommit): Promise<Reply>;
}

/** Performs it, once; or repeats the answer that the idempotency key has already had. */
export type Create = <Prepared>(creation: Creation<Prepared>) => Promise<Reply>;

export interface CreationRequest {
  principal: Principal;
  /** Undefined where the header is not there. */
  idempotencyKey: string | undefined;
  idempotencyHeader: IdempotencyHeader;
  /** Tells the request from others: method, path and body. Read only where there is a key. */
  fingerprint(): string;
  quota?: { name: QuotaName; amount: number } | undefined;
}

/** Uses some of a quota in a transaction. @returns undefined, or where it is too much, what has been used so far */
export type ConsumeQuota = (
  tx: Transaction,
  period: { subscriptionId: string; capability: QuotaName; periodStart: string },
  amount: number,
  limit: number,
) => Promise<number | undefined>;
