/** How many codes there are, from counters. */
import type { QueryConfig, QueryResult } from 'pg';
import type { Queryable } from '../../../platform/db/pool.ts';

export interface CountFilter {
  type?: string | undefined;
  status?: string | undefined;
  /** Undefined counts archived codes and the others. */
  archived?: boolean | undefined;
}

/** The number of codes in all workspaces. */
export const countAllCodes = async (db: Queryable): Promise<number> => {
  const { rows } = await db.query<{ total: number }>({
    name: 'count-all-codes',
    text: 'SELECT coalesce(sum(codes), 0)::double precision AS total FROM code_counts',
  });
  return rows[0]?.total ?? 0;
};

export interface Counted {
  total: number;
}

/** The statement of {@link countCodes}. */
export const countingCodes = (workspaceId: string, filter: CountFilter): QueryConfig => ({
  name: 'count-codes',
  text: `SELECT coalesce(sum(codes), 0)::integer AS total FROM code_counts
         WHERE workspace_id = $1 AND data_type = coalesce($2, data_type) AND status = coalesce($3, status)
           AND archived = coalesce($4, archived)`,
  values: [workspaceId, filter.type, filter.status, filter.archived],
});

export const totalOf = ({ rows }: QueryResult<Counted>): number => rows[0]?.total ?? 0;

/** The number of a workspace's codes that match a filter, at a cost that does not depend on that number. */
export const countCodes = async (db: Queryable, workspaceId: string, filter: CountFilter): Promise<number> =>
  totalOf(await db.query<Counted>(countingCodes(workspaceId, filter)));
