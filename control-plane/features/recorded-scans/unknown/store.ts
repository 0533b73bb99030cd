/** Paths of verified domains at which codes were scanned that do not exist, in PostgreSQL. */
import type { ReportedUnknownCode } from '#schemas/reported-unknown-code.ts';
import type { Pool, Queryable } from '../../../platform/db/pool.ts';
import type { Transaction } from '../../../platform/db/transaction.ts';

/** Kept for a domain and a day: those with the most scans, and the latest. */
export const pathsMax = 1_000;
export const keptDays = 30;

/** Adds reported scans; those of a domain that the workspace does not have (any more) are left out. */
export const addUnknownCodes = async (
  tx: Transaction,
  reported: readonly ReportedUnknownCode[],
): Promise<void> => {
  await tx.query({
    name: 'add-unknown-codes',
    text: `INSERT INTO unknown_codes (workspace_id, domain, day, path, scans, last_at)
           SELECT domains.workspace_id, domains.domain, day, reported.path, sum(scans), max(to_timestamp(last_at_ms / 1000.0))
           FROM unnest($1::text[], $2::text[], $3::date[], $4::text[], $5::bigint[], $6::float8[])
             AS reported (workspace_id, domain, day, path, scans, last_at_ms)
           JOIN domains USING (workspace_id, domain)
           WHERE domains.status <> 'pending' AND day > current_date - ${keptDays}
           GROUP BY domains.workspace_id, domains.domain, day, reported.path
           ORDER BY domains.workspace_id, domains.domain, day, reported.path
           ON CONFLICT (workspace_id, domain, day, path) DO UPDATE
             SET scans = unknown_codes.scans + excluded.scans, last_at = greatest(unknown_codes.last_at, excluded.last_at)`,
    values: [
      reported.map(({ workspaceId }) => workspaceId),
      reported.map(({ domain }) => domain),
      reported.map(({ day }) => day),
      reported.map(({ path }) => path),
      reported.map(({ scans }) => scans),
      reported.map(({ lastAtMs }) => lastAtMs),
    ],
  });
};

/** Removes what the days of these domains have too much. */
export const trimUnknownCodes = async (
  tx: Transaction,
  places: readonly Pick<ReportedUnknownCode, 'workspaceId' | 'domain' | 'day'>[],
): Promise<void> => {
  await tx.query({
    name: 'trim-unknown-codes',
    text: `DELETE FROM unknown_codes USING (
             SELECT workspace_id, domain, day, path, row_number() OVER (
               PARTITION BY workspace_id, domain, day ORDER BY scans DESC, last_at DESC, path) AS place
             FROM unknown_codes
             WHERE (workspace_id, domain, day) IN (SELECT * FROM unnest($1::text[], $2::text[], $3::date[]))
           ) AS ranked
           WHERE ranked.place > ${pathsMax} AND unknown_codes.workspace_id = ranked.workspace_id
             AND unknown_codes.domain = ranked.domain AND unknown_codes.day = ranked.day
             AND unknown_codes.path = ranked.path`,
    values: [
      places.map(({ workspaceId }) => workspaceId),
      places.map(({ domain }) => domain),
      places.map(({ day }) => day),
    ],
  });
};

export interface UnknownCode {
  domain: string;
  path: string;
  scans: number;
  lastAt: Date;
}

/** The paths with the most scans, over all of the days. @param domain undefined: all domains */
export const listUnknownCodes = async (
  db: Queryable,
  {
    workspaceId,
    domain,
    days,
    limit,
  }: { workspaceId: string; domain?: string | undefined; days: number; limit: number },
): Promise<UnknownCode[]> => {
  const { rows } = await db.query<UnknownCode>({
    name: 'list-unknown-codes',
    text: `SELECT domain, path, sum(scans)::float8 AS scans, max(last_at) AS "lastAt" FROM unknown_codes
           WHERE workspace_id = $1 AND ($2::text IS NULL OR domain = $2) AND day > (now() AT TIME ZONE 'UTC')::date - $3::integer
           GROUP BY domain, path ORDER BY scans DESC, "lastAt" DESC, domain, path LIMIT $4`,
    values: [workspaceId, domain ?? null, days, limit],
  });
  return rows;
};

export const hasDomain = async (db: Queryable, workspaceId: string, domain: string): Promise<boolean> => {
  const { rowCount } = await db.query({
    name: 'has-domain',
    text: 'SELECT FROM domains WHERE workspace_id = $1 AND domain = $2',
    values: [workspaceId, domain],
  });
  return rowCount === 1;
};

/** Rows removed per statement. */
const batchRows = 10_000;

/** Removes the days that are not kept: for a nightly task. */
export const forgetUnknownCodes = async (pool: Pool): Promise<void> => {
  let removed: number;
  do {
    const { rowCount } = await pool.query({
      name: 'forget-unknown-codes',
      text: `DELETE FROM unknown_codes WHERE ctid = ANY(ARRAY(
               SELECT ctid FROM unknown_codes WHERE day <= current_date - ${keptDays} LIMIT ${batchRows}))`,
    });
    removed = rowCount ?? 0;
  } while (removed > 0);
};
