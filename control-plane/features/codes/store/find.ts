/** Finds codes by their ids. */

import { isCodeIdShaped } from '#shared/ids.ts';
import { findOwned, type OwnedTable } from '../../../platform/db/owned.ts';
import type { Queryable } from '../../../platform/db/pool.ts';
import type { Transaction } from '../../../platform/db/transaction.ts';
import type { Code, CodeSummary, WholeCode } from './code.ts';
import { codeColumns, summaryColumns, wholeColumns } from './columns.ts';

export const ownedCodes: OwnedTable = { table: 'codes', noun: 'code', isIdShaped: isCodeIdShaped };

/**
 * @throws {ClientError} NOT_FOUND, or FORBIDDEN if the code is another workspace's
 */
export const findCode = (db: Queryable, workspaceId: string, id: string): Promise<CodeSummary> =>
  findOwned(db, ownedCodes, workspaceId, id, {
    name: 'find-code',
    text: `SELECT ${summaryColumns} FROM codes WHERE id = $1 AND workspace_id = $2`,
  });

/** @throws {ClientError} as {@link findCode} */
export const findCodeToExplain = (db: Queryable, workspaceId: string, id: string): Promise<Code> =>
  findOwned(db, ownedCodes, workspaceId, id, {
    name: 'find-code-to-explain',
    text: `SELECT ${codeColumns} FROM codes WHERE id = $1 AND workspace_id = $2`,
  });

/** A code with its style, including the logo. @throws {ClientError} as {@link findCode} */
export const findWholeCode = (db: Queryable, workspaceId: string, id: string): Promise<WholeCode> =>
  findOwned(db, ownedCodes, workspaceId, id, {
    name: 'find-whole-code',
    text: `SELECT ${wholeColumns} FROM codes WHERE id = $1 AND workspace_id = $2`,
  });

/** Locks a code until the transaction ends. @throws {ClientError} as {@link findCode} */
export const lockCode = (tx: Transaction, workspaceId: string, id: string): Promise<WholeCode> =>
  findOwned(tx, ownedCodes, workspaceId, id, {
    name: 'lock-code',
    text: `SELECT ${wholeColumns} FROM codes WHERE id = $1 AND workspace_id = $2 FOR NO KEY UPDATE`,
  });

/** The existing codes among these ids, in any workspace: for the redirector, which serves all. */
export const findCodesForRedirect = async (db: Queryable, ids: readonly string[]): Promise<Code[]> => {
  const { rows } = await db.query<Code>({
    name: 'find-codes-for-redirect',
    text: `SELECT ${codeColumns} FROM codes WHERE id = ANY($1)`,
    values: [ids],
  });
  return rows;
};

/** The database's timeline, and versions in the order of the requested ids: 0 for a code that never was. */
export interface CodeVersions {
  timeline: number;
  versions: number[];
}

/** Versions are the table's; `versionOn` combines one with the timeline into a record's version. */
export const findCodeVersions = async (db: Queryable, ids: readonly string[]): Promise<CodeVersions> => {
  const { rows } = await db.query<CodeVersions>({
    name: 'find-code-versions',
    text: `SELECT (SELECT timeline FROM record_timeline),
        coalesce(json_agg(coalesce(codes.version, gone.version, 0) ORDER BY asked.place), '[]') AS versions
      FROM unnest($1::text[]) WITH ORDINALITY AS asked (id, place) LEFT JOIN codes ON codes.id = asked.id
        LEFT JOIN erased_codes gone ON gone.code_id = asked.id`,
    values: [ids],
  });
  return rows[0]!;
};

/** The hash of a code in any workspace; undefined if there is no code, null if it has no password. */
export const findPasswordHash = async (db: Queryable, id: string): Promise<string | null | undefined> => {
  const { rows } = await db.query<{ hash: string | null }>({
    name: 'find-password-hash',
    text: 'SELECT password_hash AS hash FROM codes WHERE id = $1',
    values: [id],
  });
  return rows[0]?.hash;
};
