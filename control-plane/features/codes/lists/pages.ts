/** A page of a list, with the total. */
import { hash } from 'node:crypto';
import { type CodeFilters, type CodeSort, countedMax } from '#schemas/api/code-lists.ts';
import { routingKeys } from '#schemas/api/code-routing.ts';
import type { Expansion } from '#schemas/api/codes.ts';
import type { Pool, Queryable } from '../../../platform/db/pool.ts';
import { queryTogether } from '../../../platform/db/series.ts';
import type { Transaction } from '../../../platform/db/transaction.ts';
import type { ListedCode } from '../store/code.ts';
import { summaryColumns } from '../store/columns.ts';
import { type Counted, type CountFilter, countCodes, countingCodes, totalOf } from '../store/list.ts';
import { findConditions, isCounted } from './conditions.ts';
import { isAfter, type Order, orderOf, type Place, sortedBy } from './orders.ts';
import {
  all,
  countMatches,
  exactly,
  type Found,
  inBoundedRead,
  type KeyBound,
  type ListQuery,
  readDirectly,
  readMatches,
  readMatchesByFilters,
  statement,
  type Total,
  walk,
} from './reads.ts';
import type { InTurn } from './turns.ts';

export interface PageRequest {
  filters: CodeFilters;
  sort: CodeSort;
  expand: readonly Expansion[];
  /** Where the page before ended. */
  after: Place | undefined;
  limit: number;
}

export interface Page extends Total {
  codes: ListedCode[];
  /** Where the page ends; undefined if it is the last one. */
  end: Place | undefined;
}

const countFilterOf = ({ type, status, archived }: CodeFilters): CountFilter => ({
  type,
  status,
  archived: archived === 'any' ? undefined : archived === 'true',
});

export const countedTotal = (db: Queryable, workspaceId: string, filters: CodeFilters) =>
  countCodes(db, workspaceId, countFilterOf(filters));

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

/** Of the further parts of a page: one code may have 700 KB of rules, variants and changes of its schedule. */
const expandedBytesMax = 2 ** 19;

/** The parts that may be large, as they are stored. */
const largeColumns: Partial<Record<Expansion, string>> = {
  campaign: 'campaign',
  routingRules: 'routing_rules',
  deepLinkConfig: 'deep_link_config',
  messages: 'messages',
  ...Object.fromEntries(routingKeys.map((key) => [key, 'routing'])),
};

/** How many codes a page has room for, at least one. PostgreSQL measures one after the other, and none behind the end. */
const countFitting = async (
  db: Queryable,
  workspaceId: string,
  ids: readonly string[],
  expand: readonly Expansion[],
): Promise<number> => {
  const columns = [...new Set(expand.flatMap((name) => largeColumns[name] ?? []))];
  if (columns.length === 0 || ids.length <= 1) return ids.length;
  const sizeAt = (place: string) => `coalesce((SELECT octet_length(concat(${columns.join(', ')})) FROM codes
    WHERE workspace_id = $1 AND id = ($2::text[])[${place}]), 0)`;
  const { rows } = await db.query<{ count: number }>({
    text: `WITH RECURSIVE measured (place, bytes) AS (
        SELECT 1, ${sizeAt('1')}
        UNION ALL
        SELECT place + 1, bytes + ${sizeAt('place + 1')} FROM measured
        WHERE place < cardinality($2::text[]) AND bytes <= ${expandedBytesMax}
      ) SELECT max(place)::integer AS count FROM measured`,
    values: [workspaceId, ids],
  });
  return rows[0]!.count;
};

/** @returns the codes in the order of their ids */
const readCodes = async (
  db: Queryable,
  workspaceId: string,
  ids: readonly string[],
  expand: readonly Expansion[],
): Promise<ListedCode[]> => {
  const columns = [summaryColumns, ...new Set(expand.flatMap((name) => expandedColumns[name]))].join(', ');
  const { rows } = await db.query<ListedCode>({
    ...(expand.length === 0 && { name: 'read-listed-codes' }),
    text: `SELECT ${columns} FROM codes WHERE workspace_id = $1 AND id = ANY($2)`,
    values: [workspaceId, ids],
  });
  const byId = new Map(rows.map((code) => [code.id, code]));
  return ids.flatMap((id) => byId.get(id) ?? []);
};

type PlainQuery = Omit<ListQuery, 'bounds'> & Pick<PageRequest, 'filters'>;

/** The limits of most lists. Each shape of a named statement stays in each connection: those of other limits have no name. */
const usualLimits: readonly number[] = [25, 50, 100];

/**
 * The plain list, of which an index has every page: whole codes at once, by a statement that a connection plans once. To find ids
 * and then the codes costs twice as much.
 */
const readPlainPage = async (
  pool: Pool,
  { workspaceId, filters, conditions, order, after, limit }: PlainQuery,
): Promise<Page> => {
  const { text, values } = statement(
    workspaceId,
    (bind, workspace) => `SELECT ${summaryColumns} FROM codes
      WHERE workspace_id = ${workspace} AND ${isAfter(order, after, 'codes.seq', 'codes.seq', bind)}${all(conditions(bind))}
      ORDER BY ${sortedBy(order, 'codes.seq', 'codes.seq')} LIMIT ${limit + 1}`,
  );
  const name = usualLimits.includes(limit) ? { name: `list-${hash('sha1', text)}` } : {};
  const [found, counted] = await queryTogether<[ListedCode, Counted]>(pool, [
    { ...name, text, values },
    countingCodes(workspaceId, countFilterOf(filters)),
  ]);
  const codes = found.rows.slice(0, limit);
  const last = found.rows.length > limit ? codes.at(-1) : undefined;
  return { ...exactly(totalOf(counted)), codes, end: last && { key: last.seq, seq: last.seq } };
};

interface FoundPage {
  found: Found[];
  total: Total;
}

/** @param counted the total, if counters have it */
const findPage = async (
  tx: Transaction,
  query: ListQuery,
  counted: Total | undefined,
): Promise<FoundPage> => {
  const codes = await countCodes(tx, query.workspaceId, {});
  if (codes <= countedMax) {
    const { total, page } = await readMatches(tx, query);
    return { found: page, total: exactly(total) };
  }
  const near = await walk(tx, query);
  if (near.length === query.limit)
    return { found: near, total: counted ?? (await countMatches(tx, query, codes)) };
  const { total, page } = await readMatchesByFilters(tx, query);
  return { found: page, total: exactly(total) };
};

/** Whether an index has exactly the matches in their order, however many there are. */
const isIndexed = ({ type, status, archived }: CodeFilters, order: Order): boolean =>
  order.isCreation || (type === undefined && status === undefined && archived === 'any');

const find = async (
  pool: Pool,
  inTurn: InTurn,
  query: ListQuery,
  filters: CodeFilters,
): Promise<FoundPage> => {
  const { workspaceId, order } = query;
  const slowly = (counted?: Total) =>
    inTurn(workspaceId, () => inBoundedRead(pool, (tx) => findPage(tx, query, counted)));
  if (!isCounted(filters)) return slowly();
  const counting = countedTotal(pool, workspaceId, filters).then(exactly);
  if (!isIndexed(filters, order)) return slowly(await counting);
  const [found, total] = await Promise.all([readDirectly(pool, query), counting]);
  return { found, total };
};

const boundsOf = (sort: CodeSort, filters: CodeFilters): KeyBound[] => {
  const [after, before] = sort.endsWith('createdAt')
    ? [filters.createdAfter, filters.createdBefore]
    : sort.endsWith('updatedAt')
      ? [filters.updatedAfter, filters.updatedBefore]
      : [];
  return [...(after ? [['>=', after] as const] : []), ...(before ? [['<', before] as const] : [])];
};

/** @throws {ClientError} UNAVAILABLE if too many codes match to be sorted in time */
export const readPage = async (
  pool: Pool,
  inTurn: InTurn,
  workspaceId: string,
  { filters, sort, expand, after, limit }: PageRequest,
): Promise<Page> => {
  const order = orderOf(sort, isCounted(filters));
  const conditions = await findConditions(pool, workspaceId, filters);
  if (order.isCreation && expand.length === 0)
    return readPlainPage(pool, { workspaceId, filters, conditions, order, after, limit });
  const query: ListQuery = {
    workspaceId,
    conditions,
    order,
    bounds: boundsOf(sort, filters),
    after,
    // One extra code tells whether there is a next page.
    limit: limit + 1,
  };
  const { found, total } = await find(pool, inTurn, query, filters);
  const ids = found.slice(0, limit).map(({ id }) => id);
  const page = found.slice(0, await countFitting(pool, workspaceId, ids, expand));
  return {
    ...total,
    codes: await readCodes(pool, workspaceId, ids.slice(0, page.length), expand),
    end: found.length > page.length ? page.at(-1) : undefined,
  };
};
