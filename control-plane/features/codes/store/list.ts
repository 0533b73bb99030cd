/** Lists of codes: pages, and totals. */

import { routingKeys } from '#schemas/api/code-routing.ts';
import type { Expansion } from '#schemas/api/codes.ts';
import type { Queryable } from '../../../platform/db/pool.ts';
import type { ListedCode } from './code.ts';
import { summaryColumns } from './columns.ts';

export interface CodeFilter {
  type?: string | undefined;
  status?: string | undefined;
}

const routingColumns = Object.fromEntries(routingKeys.map((key) => [key, ['routing']])) as Record<
  (typeof routingKeys)[number],
  string[]
>;

/** The columns of each part. A logo has up to a megabyte, and a page a hundred codes: lists come without. */
const expandedColumns: Readonly<Record<Expansion, readonly string[]>> = {
  style: [`nullif(style - 'image', '{}') AS style`],
  data: ['data'],
  campaign: ['campaign'],
  routingRules: ['routing_rules AS "routingRules"'],
  deepLinkConfig: ['deep_link_config AS "deepLinkConfig"'],
  messages: ['messages'],
  sources: ['sources'],
  ...routingColumns,
  // Every code of a list has it.
  encryption: [],
};

/** A page of a workspace's codes, newest first. */
export const listCodes = async (
  db: Queryable,
  workspaceId: string,
  filter: CodeFilter,
  /** The seq of the last code of the previous page; undefined for the first page. */
  beforeSeq: string | undefined,
  limit: number,
  expand: readonly Expansion[] = [],
): Promise<ListedCode[]> => {
  const columns = [summaryColumns, ...new Set(expand.flatMap((name) => expandedColumns[name]))].join(', ');
  const values: unknown[] = [workspaceId, limit];
  const and = (condition: string, value: unknown) =>
    value === undefined ? '' : `AND ${condition} $${values.push(value)}`;
  // Not a named statement: the planner picks the index by the values of the filters.
  const { rows } = await db.query<ListedCode>(
    `SELECT ${columns} FROM codes
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
