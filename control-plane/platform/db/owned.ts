/**
 * Rows that belong to a workspace, found by an id from a client. The query itself filters by the workspace, so that
 * rows of another one never leave the database. Only if it finds nothing does a second query distinguish an id that
 * exists elsewhere (403) from an id that does not exist (404).
 */
import type { QueryResultRow } from 'pg';
import { ClientError } from '#shared/errors.ts';
import { quoted } from '#shared/quoted.ts';
import type { Queryable } from './pool.ts';

/** A table whose rows have an `id` and a `workspace_id`. */
export interface OwnedTable {
  readonly table: string;
  /** The word for a row in messages: `code`. */
  readonly noun: string;
  /**
   * Other texts are not ids: they may have any length and contain characters that PostgreSQL refuses, so they are not
   * looked up.
   */
  isIdShaped(id: string): boolean;
}

/** SQL that finds a row by its id and its workspace; the compiler rejects a query without the workspace. */
export type OwnedText = `${string} WHERE id = $1 AND workspace_id = $2${string}`;

export interface OwnedQuery {
  readonly name: string;
  readonly text: OwnedText;
}

const unknown = ({ noun }: OwnedTable, id: string): ClientError =>
  new ClientError('NOT_FOUND', `There is no ${noun} with the id ${quoted(id)}`);

/** @throws {ClientError} NOT_FOUND */
export const refuseUnknown = (owned: OwnedTable, id: string): never => {
  throw unknown(owned, id);
};

/** Whether the id belongs to a row of another workspace. */
export const isForeign = async (
  db: Queryable,
  { table, isIdShaped }: OwnedTable,
  workspaceId: string,
  id: string,
): Promise<boolean> => {
  if (!isIdShaped(id)) return false;
  const { rowCount } = await db.query({
    name: `is-foreign-${table}`,
    text: `SELECT FROM ${table} WHERE id = $1 AND workspace_id <> $2`,
    values: [id, workspaceId],
  });
  return rowCount === 1;
};

/** @returns the row of this workspace, or undefined */
export const seekOwned = async <Row extends QueryResultRow>(
  db: Queryable,
  { isIdShaped }: OwnedTable,
  workspaceId: string,
  id: string,
  query: OwnedQuery,
): Promise<Row | undefined> => {
  if (!isIdShaped(id)) return undefined;
  const { rows } = await db.query<Row>({ ...query, values: [id, workspaceId] });
  return rows[0];
};

/** The refusal of an id without a row in the workspace. @param isForeigners whether the row is another workspace's */
export const refusalOf = (owned: OwnedTable, id: string, isForeigners: boolean): ClientError =>
  isForeigners
    ? new ClientError('FORBIDDEN', `The ${owned.noun} with the id ${quoted(id)} belongs to another workspace`)
    : unknown(owned, id);

/** The refusal of an id without a row in the workspace: NOT_FOUND, or FORBIDDEN if the row is another workspace's. */
export const refusalOfMissing = async (
  db: Queryable,
  owned: OwnedTable,
  workspaceId: string,
  id: string,
): Promise<ClientError> => refusalOf(owned, id, await isForeign(db, owned, workspaceId, id));

/** @throws {ClientError} NOT_FOUND, or FORBIDDEN if the row is another workspace's */
export const findOwned = async <Row extends QueryResultRow>(
  db: Queryable,
  owned: OwnedTable,
  workspaceId: string,
  id: string,
  query: OwnedQuery,
): Promise<Row> => {
  const row = await seekOwned<Row>(db, owned, workspaceId, id, query);
  if (row) return row;
  throw await refusalOfMissing(db, owned, workspaceId, id);
};
