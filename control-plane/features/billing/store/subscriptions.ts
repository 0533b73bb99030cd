/** Subscriptions of the provider, and their links to ours, in PostgreSQL. */
import type { Queryable } from '../../../platform/db/pool.ts';
import type { Transaction } from '../../../platform/db/transaction.ts';
import type { ProviderSubscription } from '../provider-state.ts';

interface Row extends Omit<ProviderSubscription, 'currentPeriodStart' | 'currentPeriodEnd' | 'reportedAt'> {
  currentPeriodStart: Date | null;
  currentPeriodEnd: Date | null;
  reportedAt: Date | null;
}

const columns = `id, subscription_id AS "subscriptionId", customer, status, plan, prices, unpriced,
  current_period_start AS "currentPeriodStart", current_period_end AS "currentPeriodEnd",
  cancel_at_period_end AS "cancelAtPeriodEnd", reported_at AS "reportedAt"`;

const toSubscription = (row: Row): ProviderSubscription => ({
  ...row,
  currentPeriodStart: row.currentPeriodStart?.getTime() ?? null,
  currentPeriodEnd: row.currentPeriodEnd?.getTime() ?? null,
  reportedAt: row.reportedAt?.getTime() ?? null,
});

const toDate = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));

/** Its row, created if missing and locked until the transaction ends: its events are applied one by one. */
export const lockProviderSubscription = async (
  tx: Transaction,
  id: string,
): Promise<ProviderSubscription> => {
  await tx.query('INSERT INTO billing_subscriptions (id) VALUES ($1) ON CONFLICT DO NOTHING', [id]);
  const { rows } = await tx.query<Row>(
    `SELECT ${columns} FROM billing_subscriptions WHERE id = $1 FOR UPDATE`,
    [id],
  );
  return toSubscription(rows[0]!);
};

/** The provider's subscriptions linked to one of ours. */
export const listLinked = async (db: Queryable, subscriptionId: string): Promise<ProviderSubscription[]> => {
  const { rows } = await db.query<Row>(
    `SELECT ${columns} FROM billing_subscriptions WHERE subscription_id = $1 ORDER BY id`,
    [subscriptionId],
  );
  return rows.map(toSubscription);
};

export const writeProviderSubscription = async (
  tx: Transaction,
  subscription: ProviderSubscription,
): Promise<void> => {
  const { currentPeriodStart, currentPeriodEnd, reportedAt, ...rest } = subscription;
  await tx.query(
    `UPDATE billing_subscriptions
     SET subscription_id = $2, customer = $3, status = $4, plan = $5, prices = $6, unpriced = $7, cancel_at_period_end = $8,
         current_period_start = $9, current_period_end = $10, reported_at = $11, updated_at = clock_timestamp()
     WHERE id = $1`,
    [
      ...[rest.id, rest.subscriptionId, rest.customer, rest.status, rest.plan, rest.prices, rest.unpriced],
      ...[rest.cancelAtPeriodEnd, toDate(currentPeriodStart), toDate(currentPeriodEnd), toDate(reportedAt)],
    ],
  );
};

/** @param named the id of the subscription, or of one of its workspaces */
export const findNamed = async (db: Queryable, named: string): Promise<string | undefined> => {
  const { rows } = await db.query<{ id: string }>(
    `SELECT id FROM subscriptions WHERE id = $1
     UNION ALL SELECT subscription_id FROM workspaces WHERE id = $1`,
    [named],
  );
  return rows[0]?.id;
};

/** The only subscription of ours that a customer pays for; undefined if there are several, or none. */
export const findOfCustomer = async (db: Queryable, customer: string): Promise<string | undefined> => {
  const { rows } = await db.query<{ id: string }>(
    `SELECT DISTINCT subscription_id AS id FROM billing_subscriptions
     WHERE customer = $1 AND subscription_id IS NOT NULL LIMIT 2`,
    [customer],
  );
  return rows.length === 1 ? rows[0]?.id : undefined;
};

/** Linked subscriptions that had no known price, and have one of these. */
export const findPriced = async (
  db: Queryable,
  prices: readonly string[],
  limit: number,
): Promise<string[]> => {
  const { rows } = await db.query<{ id: string }>(
    `SELECT id FROM billing_subscriptions
     WHERE unpriced AND subscription_id IS NOT NULL AND prices && $1::text[] ORDER BY id LIMIT $2`,
    [prices, limit],
  );
  return rows.map(({ id }) => id);
};

/** Latest first. */
export const listProviderSubscriptions = async (
  db: Queryable,
  limit: number,
): Promise<ProviderSubscription[]> => {
  const { rows } = await db.query<Row>(
    `SELECT ${columns} FROM billing_subscriptions ORDER BY updated_at DESC, id LIMIT $1`,
    [limit],
  );
  return rows.map(toSubscription);
};

export const findCustomer = async (db: Queryable, id: string): Promise<string | undefined> => {
  const { rows } = await db.query<{ customer: string | null }>(
    'SELECT customer FROM billing_subscriptions WHERE id = $1',
    [id],
  );
  return rows[0]?.customer ?? undefined;
};

/** @returns the subscription it was linked to; undefined if there was no link */
export const removeLink = async (tx: Transaction, id: string): Promise<string | undefined> => {
  const { rows } = await tx.query<{ subscriptionId: string }>(
    `UPDATE billing_subscriptions s SET subscription_id = NULL, updated_at = clock_timestamp()
     FROM (SELECT id, subscription_id FROM billing_subscriptions WHERE id = $1 FOR UPDATE) old
     WHERE s.id = old.id AND old.subscription_id IS NOT NULL RETURNING old.subscription_id AS "subscriptionId"`,
    [id],
  );
  return rows[0]?.subscriptionId;
};
