/** Received events of the provider, in PostgreSQL. */
import type { Queryable } from '../../../platform/db/pool.ts';
import type { Transaction } from '../../../platform/db/transaction.ts';
import type { Moment, ProviderEvent, Unreadable } from '../provider-event.ts';

/**
 * `noted`: nothing of ours has changed; `stale`: a newer one came first; `waiting`: it names nothing of ours yet;
 * `unreadable`: it lacks fields of its type.
 */
export type StoredOutcome = 'applied' | 'noted' | 'stale' | 'waiting' | 'unreadable';

export interface Outcome {
  outcome: StoredOutcome;
  /** For the operator. */
  problem?: string;
}

/** Waits for a concurrent delivery of the same event. @returns whether it is new, by its id and by its effect */
export const insertEvent = async (tx: Transaction, event: ProviderEvent): Promise<boolean> => {
  const { rowCount } = await tx.query(
    `INSERT INTO billing_events (id, type, effect, provider_subscription, customer, named, moment, happened_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING`,
    [
      ...[event.id, event.type, event.effect, event.providerSubscription, event.customer, event.named],
      ...[event.moment ? JSON.stringify(event.moment) : null, new Date(event.happenedAt)],
    ],
  );
  return rowCount === 1;
};

/** @returns whether it is new */
export const insertUnreadable = async (
  db: Queryable,
  { id, type, happenedAt, problem }: Unreadable,
): Promise<boolean> => {
  const { rowCount } = await db.query(
    `INSERT INTO billing_events (id, type, outcome, problem, happened_at)
     VALUES ($1, $2, 'unreadable', $3, $4) ON CONFLICT DO NOTHING`,
    [id, type, problem, new Date(happenedAt)],
  );
  return rowCount === 1;
};

export const noteOutcome = async (
  tx: Transaction,
  id: string,
  { outcome, problem = '' }: Outcome,
): Promise<void> => {
  await tx.query("UPDATE billing_events SET outcome = $2, problem = nullif($3, '') WHERE id = $1", [
    id,
    outcome,
    problem,
  ]);
};

export interface WaitingMoment {
  id: string;
  moment: Moment;
  happenedAt: Date;
}

/**
 * Events that wait for the link of a provider's subscription: its own, and its customer's payments that name nothing.
 * Oldest first; locked, skipping events that another transaction is applying.
 */
export const lockWaiting = async (
  tx: Transaction,
  providerSubscription: string,
  customer: string | null,
  limit: number,
): Promise<WaitingMoment[]> => {
  const { rows } = await tx.query<WaitingMoment>(
    `SELECT id, moment, happened_at AS "happenedAt" FROM billing_events
     WHERE outcome = 'waiting' AND moment IS NOT NULL
       AND (provider_subscription = $1 OR (provider_subscription IS NULL AND customer = $2 AND named IS NULL))
     ORDER BY happened_at, id LIMIT $3 FOR UPDATE SKIP LOCKED`,
    [providerSubscription, customer, limit],
  );
  return rows;
};

export const lockWaitingEvent = async (tx: Transaction, id: string): Promise<WaitingMoment | undefined> => {
  const { rows } = await tx.query<WaitingMoment>(
    `SELECT id, moment, happened_at AS "happenedAt" FROM billing_events
     WHERE id = $1 AND outcome = 'waiting' AND moment IS NOT NULL FOR UPDATE`,
    [id],
  );
  return rows[0];
};

/** Notes the outcome of waiting events about its state. */
export const noteState = async (
  tx: Transaction,
  providerSubscription: string,
  { outcome, problem = '' }: Outcome,
): Promise<void> => {
  await tx.query(
    `UPDATE billing_events SET outcome = $2, problem = nullif($3, '')
     WHERE outcome = 'waiting' AND moment IS NULL AND provider_subscription = $1`,
    [providerSubscription, outcome, problem],
  );
};

/** Waiting refunds of a payment. */
export const lockWaitingRefunds = async (tx: Transaction, payment: string): Promise<WaitingMoment[]> => {
  const { rows } = await tx.query<WaitingMoment>(
    `SELECT id, moment, happened_at AS "happenedAt" FROM billing_events
     WHERE moment ->> 'payment' = $1 AND moment ->> 'kind' = 'refunded' AND outcome = 'waiting'
     ORDER BY happened_at, id FOR UPDATE SKIP LOCKED`,
    [payment],
  );
  return rows;
};

/** Whether the whole payment was refunded by an event that was applied. */
export const isRefunded = async (tx: Transaction, payment: string): Promise<boolean> => {
  const { rowCount } = await tx.query(
    `SELECT FROM billing_events WHERE moment ->> 'payment' = $1 AND moment ->> 'kind' = 'refunded'
       AND moment -> 'isWhole' = 'true' AND outcome = 'applied' LIMIT 1`,
    [payment],
  );
  return rowCount === 1;
};

export interface EventSummary {
  id: string;
  type: string;
  outcome: StoredOutcome;
  problem: string | null;
  providerSubscription: string | null;
  customer: string | null;
  happenedAt: Date;
  receivedAt: Date;
}

/** Latest first. @param unfinished only waiting and unreadable ones */
export const listEvents = async (
  db: Queryable,
  { unfinished, limit }: { unfinished: boolean; limit: number },
): Promise<EventSummary[]> => {
  const { rows } = await db.query<EventSummary>(
    `SELECT id, type, outcome, problem, provider_subscription AS "providerSubscription", customer,
            happened_at AS "happenedAt", received_at AS "receivedAt"
     FROM billing_events WHERE NOT $1 OR outcome IN ('waiting', 'unreadable')
     ORDER BY happened_at DESC, id LIMIT $2`,
    [unfinished, limit],
  );
  return rows;
};

/** @returns how many were deleted */
export const deleteOldEvents = async (db: Queryable, days: number, limit: number): Promise<number> => {
  const { rowCount } = await db.query(
    `DELETE FROM billing_events WHERE id IN (
       SELECT id FROM billing_events WHERE received_at < now() - make_interval(days => $1) ORDER BY received_at LIMIT $2)`,
    [days, limit],
  );
  return rowCount ?? 0;
};
