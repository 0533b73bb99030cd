/** GET /api/qr/codes/count: how many codes match, and how many of them have each value of something. */
import {
  type CodeCount,
  type CodeFilters,
  countedMax,
  type Grouping,
  groupsMax,
} from '#schemas/api/code-lists.ts';
import { ClientError } from '#shared/errors.ts';
import type { Pool, Queryable } from '../../../platform/db/pool.ts';
import type { Transaction } from '../../../platform/db/transaction.ts';
import { countCodes } from '../store/list.ts';
import { type Conditions, findConditions, isCounted } from './conditions.ts';
import { countedTotal } from './pages.ts';
import { countMatches, inBoundedRead, statement, type Total, useOnlyIndexOfFilters } from './reads.ts';
import type { InTurn } from './turns.ts';

interface Group {
  value: string | null;
  count: number;
}

/** A value as it is stored → as it is shown: names of tags, without tags and folders that are gone. SQL over `stored`. */
const shownValue: Readonly<Record<Grouping, string>> = {
  status: 'stored.value',
  type: 'stored.value',
  tag: `(SELECT live.name FROM tags AS own JOIN tags AS live ON live.id = coalesce(own.merged_into, own.id)
         WHERE own.id = stored.value::integer AND live.gone_at IS NULL)`,
  folder: '(SELECT folders.id FROM folders WHERE folders.id = stored.value AND folders.deleted_at IS NULL)',
  domain: `substring(stored.value FROM '^https?://([^/]+)')`,
  destinationHost: 'stored.value',
};

/** @param stored a query of values and counts */
const shownGroups = (grouping: Grouping, stored: string): string => `
  SELECT value, sum(count)::integer AS count FROM (
    SELECT ${shownValue[grouping]} AS value, stored.count FROM (${stored}) AS stored
  ) AS shown ${grouping === 'tag' ? 'WHERE value IS NOT NULL' : ''}
  GROUP BY value HAVING sum(count) > 0 ORDER BY 2 DESC, 1 LIMIT ${groupsMax}`;

const archivedParameter = (archived: CodeFilters['archived']): boolean | undefined =>
  archived === 'any' ? undefined : archived === 'true';

const countedColumns = { status: 'status', type: 'data_type' } as const;

/** From `code_counts`: any of its filters. */
const groupsOfCounts = async (
  db: Queryable,
  workspaceId: string,
  grouping: keyof typeof countedColumns,
  { type, status, archived }: CodeFilters,
): Promise<Group[]> => {
  const { rows } = await db.query<Group>(
    shownGroups(
      grouping,
      `SELECT ${countedColumns[grouping]} AS value, codes AS count FROM code_counts WHERE workspace_id = $1
         AND data_type = coalesce($2, data_type) AND status = coalesce($3, status) AND archived = coalesce($4, archived)`,
    ),
    [workspaceId, type, status, archivedParameter(archived)],
  );
  return rows;
};

/** From `code_facets`: all codes, by archive only. */
const groupsOfFacets = async (
  db: Queryable,
  workspaceId: string,
  grouping: Grouping,
  { archived }: CodeFilters,
): Promise<Group[]> => {
  const { rows } = await db.query<Group>(
    shownGroups(
      grouping,
      `SELECT value, codes AS count FROM code_facets
       WHERE workspace_id = $1 AND facet = $2 AND archived = coalesce($3, archived) AND codes <> 0`,
    ),
    [workspaceId, grouping, archivedParameter(archived)],
  );
  return rows;
};

/** SQL: the values of a code, over `codes`. */
const valuesOf: Readonly<Record<Grouping, string>> = {
  status: 'codes.status',
  type: 'codes.data_type',
  tag: 'unnest(codes.tag_ids)::text',
  folder: 'codes.folder_id',
  domain: 'codes.link_base',
  destinationHost: 'code_host(codes.data_type, codes.encryption, codes.destination)',
};

/** Of the codes that match, which have been found to be few. */
const groupsOfMatches = async (
  tx: Transaction,
  workspaceId: string,
  conditions: Conditions,
  grouping: Grouping,
): Promise<Group[]> => {
  const { rows } = await tx.query<Group>(
    statement(workspaceId, (bind, workspace) => {
      const filters = conditions(bind).map((each) => ` AND ${each}`);
      return shownGroups(
        grouping,
        `SELECT value, count(*) AS count FROM (
           SELECT ${valuesOf[grouping]} AS value FROM codes WHERE codes.workspace_id = ${workspace}${filters.join('')}
         ) AS valued GROUP BY value`,
      );
    }),
  );
  return rows;
};

/** Codes without a folder or domain have no counter: they are what is left of the total. */
const withRest = (grouping: Grouping, groups: Group[], total: number): Group[] => {
  if (grouping !== 'folder' && grouping !== 'domain') return groups;
  const named = groups.filter(({ value }) => value !== null);
  const rest = total - named.reduce((sum, { count }) => sum + count, 0);
  return rest > 0 && named.length < groupsMax
    ? [...named, { value: null, count: rest }].sort((a, b) => b.count - a.count)
    : named;
};

const tooMany = (): ClientError =>
  new ClientError(
    'UNPROCESSABLE',
    'groupBy counts codes one by one, and too many match these filters: narrow them',
  );

const countByCounters = async (
  db: Queryable,
  workspaceId: string,
  filters: CodeFilters,
  grouping: Grouping | undefined,
): Promise<CodeCount> => {
  const total = await countedTotal(db, workspaceId, filters);
  const answer = { total, totalRelation: 'eq' } as const;
  if (grouping === undefined) return answer;
  const groups =
    grouping === 'status' || grouping === 'type'
      ? await groupsOfCounts(db, workspaceId, grouping, filters)
      : await groupsOfFacets(db, workspaceId, grouping, filters);
  return { ...answer, groups: withRest(grouping, groups, total) };
};

const countOneByOne = async (
  tx: Transaction,
  query: { workspaceId: string; conditions: Conditions },
  grouping: Grouping | undefined,
): Promise<CodeCount> => {
  const { workspaceId, conditions } = query;
  const codes = await countCodes(tx, workspaceId, {});
  const total: Total = await countMatches(tx, query, codes);
  if (grouping === undefined) return total;
  if (total.totalRelation === 'gte') throw tooMany();
  if (codes > countedMax) await useOnlyIndexOfFilters(tx);
  return { ...total, groups: await groupsOfMatches(tx, workspaceId, conditions, grouping) };
};

/**
 * @throws {ClientError} UNPROCESSABLE if groups were to be made of too many codes; UNAVAILABLE if too many match to be
 * counted in time
 */
export const readCount = async (
  pool: Pool,
  inTurn: InTurn,
  workspaceId: string,
  filters: CodeFilters,
  grouping: Grouping | undefined,
): Promise<CodeCount> => {
  if (isCounted(filters) && (grouping === undefined || grouping === 'status' || grouping === 'type'))
    return countByCounters(pool, workspaceId, filters, grouping);
  // A workspace has as many counters as it has hosts.
  if (isCounted(filters) && filters.type === undefined && filters.status === undefined)
    return inTurn(workspaceId, () =>
      inBoundedRead(pool, (tx) => countByCounters(tx, workspaceId, filters, grouping)),
    );
  const conditions = await findConditions(pool, workspaceId, filters);
  return inTurn(workspaceId, () =>
    inBoundedRead(pool, (tx) => countOneByOne(tx, { workspaceId, conditions }, grouping)),
  );
};
