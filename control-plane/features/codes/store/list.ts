/** Lists of codes: pages, and totals. */
import type { Queryable } from '../../../platform/db/pool.ts';
import type { CodeSummary } from './code.ts';
import { summaryColumns } from './columns.ts';

export interface CodeFilter {
  type?: string | undefined;
  status?: string | undefined;
}

/** A page of a workspace's codes, newest first. */
export const listCodes = async (
  db: Queryable,
  workspaceId: string,
  filter: CodeFilter,
  /** The seq of the last code of the previous page; undefined for the first page. */
  beforeSeq: string | undefined,
  limit: number,
): Promise<CodeSummary[]> => {
  const values: unknown[] = [workspaceId, limit];
  const and = (condition: string, value: unknown) =>
    value === undefined ? '' : `AND ${condition} $${values.push(value)}`;
  // Not a named statement: the planner picks the index by the values of the filters.
  const { rows } = await db.query<CodeSummary>(
    `SELECT ${summaryColumns} FROM codes
     WHERE workspace_id = $1 ${and('seq <', beforeSeq)} ${and('data_type =', filter.type)}
       ${and('status =', filter.status)}
     ORDER BY seq DESC LIMIT $2`,
    values,
  );
  return rows;
};

/** The number of codes in all workspaces. */
export const countAllCodes = async (db: Queryable): Promise<number> => {
  const { rows } = await db.query<{ total: number }>({
    name: 'count-all-codes',
    text: 'SELECT coalesce(sum(codes), 0)::double precision AS total FROM code_counts',
  });
  return rows[0]?.total ?? 0;
};

/** The number of a workspace's codes that match a filter, at a cost that does not depend on that number. */
export const countCodes = async (db: Queryable, workspaceId: string, filter: CodeFilter): Promise<number> => {
  const { rows } = await db.query<{ total: number }>({
    name: 'count-codes',
    text: `SELECT coalesce(sum(codes), 0)::integer AS total FROM code_counts
           WHERE workspace_id = $1 AND data_type = coalesce($2, data_type) AND status = coalesce($3, status)`,
    values: [workspaceId, filter.type, filter.status],
  });
  return rows[0]?.total ?? 0;
};
