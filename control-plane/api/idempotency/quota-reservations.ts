/**
 * Quota taken for something still in progress. Its use is counted already; the reservation gives it back if nothing
 * comes of it: at once if the work fails, and by the sweep if the process has died.
 */
import type { QuotaName } from '#schemas/api/plans.ts';
import type { Queryable } from '../../platform/db/pool.ts';
import type { Transaction } from '../../platform/db/transaction.ts';

export interface QuotaReservation {
  id: string;
  subscriptionId: string;
  capability: QuotaName;
  /** First day of the period, `YYYY-MM-DD`. */
  periodStart: string;
  amount: number;
}

/** To be called in the transaction that counts the use. */
export const reserve = async (
  tx: Transaction,
  { id, subscriptionId, capability, periodStart, amount }: QuotaReservation,
  holdSeconds: number,
): Promise<void> => {
  await tx.query({
    name: 'reserve-quota',
    text: `INSERT INTO quota_reservations (id, subscription_id, capability, period_start, amount, held_until)
           VALUES ($1, $2, $3, $4, $5, now() + make_interval(secs => $6))`,
    values: [id, subscriptionId, capability, periodStart, amount, holdSeconds],
  });
};

/**
 * The thing is created: its quota is used for good. To be called in the transaction that stores it.
 * @returns false if the quota has been given back meanwhile
 */
export const confirm = async (tx: Transaction, id: string): Promise<boolean> => {
  const { rowCount } = await tx.query({
    name: 'confirm-quota',
    text: 'DELETE FROM quota_reservations WHERE id = $1',
    values: [id],
  });
  return rowCount === 1;
};

const giveBackText = (which: string) => `
  WITH given_back AS (
    DELETE FROM quota_reservations WHERE ${which} RETURNING subscription_id, capability, period_start, amount
  ), sums AS (
    SELECT subscription_id, capability, period_start, sum(amount) AS amount FROM given_back GROUP BY 1, 2, 3
  )
  UPDATE quota_usage u SET used = u.used - s.amount FROM sums s
  WHERE u.subscription_id = s.subscription_id AND u.capability = s.capability AND u.period_start = s.period_start`;

/** Returns part of a confirmed use. To be called in the transaction that gives the reason. */
export const giveBackUse = async (
  tx: Transaction,
  {
    subscriptionId,
    capability,
    periodStart,
  }: Pick<QuotaReservation, 'subscriptionId' | 'periodStart'> & { capability: string },
  amount: number,
): Promise<void> => {
  await tx.query({
    name: 'give-back-use',
    text: `UPDATE quota_usage SET used = used - $4
           WHERE subscription_id = $1 AND capability = $2 AND period_start = $3`,
    values: [subscriptionId, capability, periodStart, amount],
  });
};

/** Returns the reservation of failed work. Does nothing if it was confirmed or given back before. */
export const giveBack = async (db: Queryable, id: string): Promise<void> => {
  await db.query({ name: 'give-back-quota', text: giveBackText('id = $1'), values: [id] });
};

/** Returns the reservations of processes that have died. */
export const giveBackExpired = async (db: Queryable): Promise<void> => {
  await db.query(giveBackText('held_until < now()'));
};
