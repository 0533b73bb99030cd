/** The use of quotas by subscriptions, in PostgreSQL. */
import { type QuotaName, quotaNames } from '#schemas/api/plans.ts';
import { type NewCalls, periodKey, type SettlementId } from '../../api/access/api-calls.ts';
import { periodStart, quotas } from '../../api/access/plans.ts';
import type { Queryable } from '../../platform/db/pool.ts';
import type { Transaction } from '../../platform/db/transaction.ts';

/** A quota of a subscription in a period. */
export interface QuotaPeriod {
  subscriptionId: string;
  capability: QuotaName;
  /** First day, `YYYY-MM-DD`. */
  periodStart: string;
}

/**
 * Uses some of a quota, if that much is left. The count is exact under concurrency: one statement checks and changes
 * it, and its row stays locked until the transaction that creates the resource ends.
 * @returns undefined, or the present use if it would be too much
 */
export const consumeQuota = async (
  tx: Transaction,
  period: QuotaPeriod,
  amount: number,
  limit: number,
): Promise<number | undefined> => {
  if (await addWithinLimit(tx, period, amount, limit)) return undefined;
  // The first use in a period, or the quota is used up.
  await insertUsage(tx, period);
  if (await addWithinLimit(tx, period, amount, limit)) return undefined;
  return readUsage(tx, period);
};

/** @returns whether the limit allowed it */
const addWithinLimit = async (
  tx: Transaction,
  { subscriptionId, capability, periodStart }: QuotaPeriod,
  amount: number,
  limit: number,
): Promise<boolean> => {
  const { rowCount } = await tx.query({
    name: 'add-usage-within-limit',
    text: `UPDATE quota_usage SET used = used + $4
           WHERE subscription_id = $1 AND capability = $2 AND period_start = $3 AND used + $4 <= $5`,
    values: [subscriptionId, capability, periodStart, amount, limit],
  });
  return rowCount === 1;
};

/** Starts the count of a period: at 0, but for codes, whose period is the lifetime, at the number of existing codes. */
const insertUsage = async (
  tx: Transaction,
  { subscriptionId, capability, periodStart }: QuotaPeriod,
): Promise<void> => {
  await tx.query({
    name: 'insert-usage',
    text: `INSERT INTO quota_usage (subscription_id, capability, period_start, used)
           SELECT $1::text, $2::text, $3::date, coalesce(sum(c.codes), 0)
           FROM workspaces w JOIN code_counts c ON c.workspace_id = w.id
           WHERE w.subscription_id = $1 AND $2 = 'dynamicQr'
           ON CONFLICT DO NOTHING`,
    values: [subscriptionId, capability, periodStart],
  });
};

const readUsage = async (
  db: Queryable,
  { subscriptionId, capability, periodStart }: QuotaPeriod,
): Promise<number> => {
  const { rows } = await db.query<{ used: number }>(
    `SELECT used::double precision AS used FROM quota_usage
     WHERE subscription_id = $1 AND capability = $2 AND period_start = $3`,
    [subscriptionId, capability, periodStart],
  );
  return rows[0]?.used ?? 0;
};

/**
 * The use of each quota in the period of `now`. Codes without a limit have no row: then the existing ones are counted.
 */
export const readUses = async (
  db: Queryable,
  subscriptionId: string,
  now: Date,
): Promise<Readonly<Record<QuotaName, number>>> => {
  const { rows } = await db.query<{ name: QuotaName | 'codes'; used: number }>({
    name: 'read-uses',
    text: `SELECT q.capability AS name, q.used::double precision AS used
           FROM quota_usage q JOIN unnest($2::text[], $3::date[]) AS p (capability, period_start)
             USING (capability, period_start)
           WHERE q.subscription_id = $1
           UNION ALL
           SELECT 'codes', coalesce(sum(c.codes), 0)::double precision
           FROM workspaces w JOIN code_counts c ON c.workspace_id = w.id WHERE w.subscription_id = $1`,
    values: [subscriptionId, quotaNames, quotaNames.map((name) => periodStart(quotas[name].period, now))],
  });
  const used = new Map(rows.map((row) => [row.name, row.used]));
  return {
    apiCalls: used.get('apiCalls') ?? 0,
    dynamicQr: used.get('dynamicQr') ?? used.get('codes') ?? 0,
    bulkOrders: used.get('bulkOrders') ?? 0,
  };
};

/**
 * Adds answered API calls, once per settlement.
 * @returns the use of each subscription in the period, by {@link periodKey}
 */
export const addApiCalls = async (
  db: Queryable,
  calls: readonly NewCalls[],
  settlement?: SettlementId,
): Promise<ReadonlyMap<string, number>> => {
  // Always in the same order, so that two processes cannot deadlock on each other's rows.
  const sorted = calls.toSorted((a, b) => (periodKey(a) < periodKey(b) ? -1 : 1));
  const { rows } = await db.query<{ subscriptionId: string; periodStart: string; used: number }>({
    name: 'add-api-calls',
    text: `WITH new AS (
             INSERT INTO api_call_settlements AS s (settler, number)
             SELECT $4::text, $5::bigint WHERE $4 IS NOT NULL
             ON CONFLICT (settler) DO UPDATE SET number = excluded.number, settled_at = now()
             WHERE s.number < excluded.number
             RETURNING settler
           ), gone AS (
             DELETE FROM api_call_settlements WHERE $5 = 1 AND settled_at < now() - interval '7 days'
           )
           INSERT INTO quota_usage AS q (subscription_id, capability, period_start, used)
           SELECT n.subscription_id, 'apiCalls', n.period_start,
                  CASE WHEN EXISTS (SELECT FROM new) THEN n.calls ELSE 0 END
           FROM unnest($1::text[], $2::date[], $3::bigint[]) AS n (subscription_id, period_start, calls)
           WHERE EXISTS (SELECT FROM subscriptions s WHERE s.id = n.subscription_id)
           ON CONFLICT (subscription_id, capability, period_start) DO UPDATE SET used = q.used + excluded.used
           RETURNING subscription_id AS "subscriptionId", to_char(period_start, 'YYYY-MM-DD') AS "periodStart",
                     used::double precision AS used`,
    values: [
      sorted.map(({ subscriptionId }) => subscriptionId),
      sorted.map(({ periodStart }) => periodStart),
      sorted.map(({ calls: count }) => count),
      settlement?.settler ?? null,
      settlement?.number ?? null,
    ],
  });
  return new Map(rows.map((row) => [periodKey(row), row.used]));
};

/** Test data has its whole quota of codes again. */
export const renewTestCodes = async (db: Queryable): Promise<void> => {
  await db.query(
    `UPDATE quota_usage q SET used = 0 FROM subscriptions s
     WHERE s.id = q.subscription_id AND s.test_of IS NOT NULL AND q.capability = 'dynamicQr' AND q.used > 0`,
  );
};
