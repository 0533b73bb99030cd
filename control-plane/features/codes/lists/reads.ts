/**
 * The statements of lists. Any filter can be combined with any order, and no index serves all pairs. So a page is looked
 * for in two ways. Along the index of its order, through the next few thousand codes: that finds it if many codes match.
 * Otherwise few match, and the index of the filters (codes_search) has them, which are sorted then. Only if many match and
 * none of them is near does the second way take long; it ends after half a second.
 */
import { countedMax } from '#schemas/api/code-lists.ts';
import { isNoChange } from '../../../platform/db/actions.ts';
import type { Pool, Queryable } from '../../../platform/db/pool.ts';
import { inTransaction, type Transaction } from '../../../platform/db/transaction.ts';
import { type Bind, type Conditions, tooMuch } from './conditions.ts';
import { isAfter, type Order, orderOf, type Place, sortedBy } from './orders.ts';

/** SQL that follows a key, and its value. */
export type KeyBound = readonly [comparison: '>=' | '<', value: Date];

export interface ListQuery {
  workspaceId: string;
  conditions: Conditions;
  order: Order;
  /** Conditions on the key of the order itself: the walk begins and ends there. */
  bounds: readonly KeyBound[];
  after: Place | undefined;
  /** How many codes are wanted. */
  limit: number;
}

/** A code of a page, with its place. */
export interface Found extends Place {
  id: string;
}

/** Codes that are walked through for a page. */
const walkedMax = 5_000;
/** Of the newest codes, those by which a total judges how many match. */
export const sampledMax = 2_000;
/** If as many of them match, those among the newest {@link countedMax} codes are counted, and no others. */
export const manyMin = 100;
const timeoutMs = 500;

/** Settings of PostgreSQL, until the transaction ends. @param settings null for what the connection has */
const setLocal = (tx: Transaction, settings: Readonly<Record<string, string | null>>) =>
  tx.query({
    name: 'set-local',
    text: `SELECT set_config(name, value, true) FROM unnest($1::text[], $2::text[]) AS given (name, value)`,
    values: [Object.keys(settings), Object.values(settings)],
  });

const readSettings = (ms: number) => ({
  transaction_read_only: 'on',
  statement_timeout: String(ms),
  jit: 'off',
  max_parallel_workers_per_gather: '0',
});

const otherScans = ['enable_seqscan', 'enable_indexscan', 'enable_indexonlyscan'];
const setOtherScans = (tx: Transaction, value: 'off' | null) =>
  setLocal(tx, Object.fromEntries(otherScans.map((name) => [name, value])));

/** For the rest of the transaction. */
export const useOnlyIndexOfFilters = (tx: Transaction) => setOtherScans(tx, 'off');

const isTimeout = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '57014';

/**
 * Runs statements that are cut off after half a second each, or after `msMax`.
 * @throws {ClientError} UNAVAILABLE if one is
 */
export const inBoundedRead = async <T>(
  pool: Pool,
  read: (tx: Transaction) => Promise<T>,
  msMax = timeoutMs,
): Promise<T> => {
  const answer = await inTransaction(pool, async (tx) => {
    // A write of the audit log would be refused here.
    isNoChange(tx);
    try {
      const [, value] = await Promise.all([setLocal(tx, readSettings(msMax)), read(tx)]);
      return { value };
    } catch (error) {
      if (!isTimeout(error)) throw error;
      // Ended here: the connection is as good as before.
      await tx.query('ROLLBACK');
      return { timeout: error };
    }
  });
  if ('timeout' in answer) throw tooMuch(answer.timeout);
  return answer.value;
};

/** Builds a statement. It has no name: the best plan depends on the values. */
export const statement = (workspaceId: string, build: (bind: Bind, workspace: string) => string) => {
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const text = build(bind, bind(workspaceId));
  return { text, values };
};

/** SQL that follows a condition. */
export const all = (conditions: readonly string[]): string =>
  conditions.map((each) => ` AND ${each}`).join('');

/** The table that has the order's key, and `codes`, beside it if it is another. @param rows of that table: its name, or a query */
const withKey = ({ table }: Order, rows: string): string =>
  table === 'codes' ? `${rows} AS codes` : `${rows} AS kept JOIN codes ON codes.id = kept.code_id`;

/** The name of that table in {@link withKey}. */
const nameOf = ({ table }: Order): string => (table === 'codes' ? 'codes' : 'kept');

/** The codes of a page among the next ones of the order. */
export const walk = async (tx: Transaction, query: ListQuery): Promise<Found[]> => {
  const { workspaceId, conditions, order, bounds, after, limit } = query;
  const name = nameOf(order);
  const key = order.sqlOf('next');
  const { rows } = await tx.query<Found>(
    statement(workspaceId, (bind, workspace) => {
      const next = `(
        SELECT next.*, ${key} AS sort_key FROM ${order.table} AS next
        WHERE next.workspace_id = ${workspace} AND ${isAfter(order, after, key, 'next.seq', bind)}
          ${all(bounds.map(([comparison, value]) => `${key} ${comparison} ${bind(value)}`))}
        ORDER BY ${sortedBy(order, key, 'next.seq')} LIMIT ${walkedMax}
      )`;
      return `SELECT codes.id, codes.seq, ${name}.sort_key::text AS key FROM ${withKey(order, next)}
        WHERE true${all(conditions(bind))}
        ORDER BY ${sortedBy(order, `${name}.sort_key`, `${name}.seq`)} LIMIT ${limit}`;
    }),
  );
  return rows;
};

/** The codes of a page, by whichever index PostgreSQL thinks best. */
export const readDirectly = async (db: Queryable, query: ListQuery): Promise<Found[]> => {
  const { workspaceId, conditions, order, after, limit } = query;
  const name = nameOf(order);
  const [key, seq] = [order.sqlOf(name), `${name}.seq`];
  const { rows } = await db.query<Found>(
    statement(
      workspaceId,
      (
        bind,
        workspace,
      ) => `SELECT codes.id, codes.seq, (${key})::text AS key FROM ${withKey(order, order.table)}
        WHERE ${name}.workspace_id = ${workspace} AND ${isAfter(order, after, key, seq, bind)}${all(conditions(bind))}
        ORDER BY ${sortedBy(order, key, seq)} LIMIT ${limit}`,
    ),
  );
  return rows;
};

/** All codes that match are counted, and a page of them is sorted. */
export interface Matches {
  total: number;
  page: Found[];
}

/** @param matchesMax at most as many are counted; only for a count */
export const readMatches = async (
  tx: Transaction,
  query: ListQuery,
  matchesMax?: number,
): Promise<Matches> => {
  const { workspaceId, conditions, order, after, limit } = query;
  const isOfCodes = order.table === 'codes';
  const { rows } = await tx.query<Matches>(
    statement(
      workspaceId,
      (bind, workspace) => `
        WITH matched AS MATERIALIZED (
          SELECT codes.id, codes.seq${isOfCodes ? `, ${order.sqlOf('codes')} AS sort_key` : ''} FROM codes
          WHERE codes.workspace_id = ${workspace}${all(conditions(bind))}
          ${matchesMax === undefined ? '' : `LIMIT ${matchesMax}`}
        ), keyed AS (
          SELECT matched.*${isOfCodes ? ' FROM matched' : `, ${order.sqlOf('kept')} AS sort_key FROM matched JOIN code_scans AS kept ON kept.code_id = matched.id`}
        )
        SELECT (SELECT count(*)::integer FROM matched) AS total, (
          SELECT coalesce(json_agg(page), '[]') FROM (
            SELECT id, seq::text AS seq, sort_key::text AS key FROM keyed
            WHERE ${isAfter(order, after, 'keyed.sort_key', 'keyed.seq', bind)}
            ORDER BY ${sortedBy(order, 'keyed.sort_key', 'keyed.seq')} LIMIT ${limit}
          ) AS page
        ) AS page`,
    ),
  );
  return rows[0]!;
};

/** {@link readMatches} without any scan along an order. */
export const readMatchesByFilters = async (
  tx: Transaction,
  query: ListQuery,
  matchesMax?: number,
): Promise<Matches> => {
  const [, matches] = await Promise.all([
    setOtherScans(tx, 'off'),
    readMatches(tx, query, matchesMax),
    setOtherScans(tx, null),
  ]);
  return matches;
};

/** The number of matches among the newest codes. */
export const countAmongNewest = async (
  tx: Transaction,
  { workspaceId, conditions }: Pick<ListQuery, 'workspaceId' | 'conditions'>,
  codesMax: number,
): Promise<number> => {
  const { rows } = await tx.query<{ total: number }>(
    statement(
      workspaceId,
      (bind, workspace) => `
        SELECT count(*)::integer AS total FROM (
          SELECT * FROM codes AS newest WHERE newest.workspace_id = ${workspace} ORDER BY newest.seq DESC LIMIT ${codesMax}
        ) AS codes WHERE true${all(conditions(bind))}`,
    ),
  );
  return rows[0]!.total;
};

/** A total, and whether there may be more. */
export interface Total {
  total: number;
  totalRelation: 'eq' | 'gte';
}

export const exactly = (total: number): Total => ({ total, totalRelation: 'eq' });

/** The total of filters that no counter has. @param codes of the workspace */
export const countMatches = async (
  tx: Transaction,
  query: Pick<ListQuery, 'workspaceId' | 'conditions'>,
  codes: number,
): Promise<Total> => {
  if (codes <= countedMax) return exactly(await countAmongNewest(tx, query, countedMax));
  if ((await countAmongNewest(tx, query, sampledMax)) >= manyMin)
    return { total: await countAmongNewest(tx, query, countedMax), totalRelation: 'gte' };
  const order = orderOf('createdAt', true);
  const counting: ListQuery = { ...query, order, bounds: [], after: undefined, limit: 0 };
  const { total } = await readMatchesByFilters(tx, counting, countedMax + 1);
  return total > countedMax ? { total: countedMax, totalRelation: 'gte' } : exactly(total);
};
