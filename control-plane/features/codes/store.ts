/** Codes in PostgreSQL. */

import type { CodeStatus } from '#schemas/api/codes.ts';
import { ClientError } from '#shared/errors.ts';
import { isCodeIdShaped } from '#shared/ids.ts';
import type { Pool, Queryable } from '../../db/pool.ts';
import { inTransaction, type Transaction } from '../../db/transaction.ts';

export interface Code {
  id: string;
  workspaceId: string;
  /** Creation order, ascending; a decimal number too large for a double. */
  seq: string;
  name: string | null;
  dataType: 'url';
  destination: string;
  status: CodeStatus;
  /** Grows by one with every change. */
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

export type NewCode = Pick<Code, 'workspaceId' | 'name' | 'dataType' | 'destination'>;

/** What an update may change. */
export type CodeChanges = Pick<Code, 'name' | 'destination' | 'status'>;

export interface CodeFilter {
  type?: string | undefined;
  status?: string | undefined;
}

const columns = `id, workspace_id AS "workspaceId", seq, name, data_type AS "dataType", destination, status,
  version::integer AS version, created_at AS "createdAt", updated_at AS "updatedAt"`;

/** Ids collide about once in 2 × 10¹² / codes; this many times in a row, never. */
const idAttemptsMax = 5;

/** @param createId a new random id; asked again when the id exists */
export const createCode = async (pool: Pool, createId: () => string, code: NewCode): Promise<Code> => {
  for (let attempt = 0; attempt < idAttemptsMax; attempt++) {
    const created = await insertCode(pool, createId(), code);
    if (created) return created;
  }
  throw new Error(`${idAttemptsMax} new ids in a row existed already`);
};

/**
 * @throws {ClientError} NOT_FOUND, or FORBIDDEN where the code is another workspace's
 */
export const findCode = async (db: Queryable, workspaceId: string, id: string): Promise<Code> => {
  requireShape(id);
  const { rows } = await db.query<Code>({
    name: 'find-code',
    text: `SELECT ${columns} FROM codes WHERE id = $1`,
    values: [id],
  });
  return requireOwned(rows[0], workspaceId);
};

/**
 * Changes a code under its row lock. Where nothing changes, nothing is written.
 * @param change the new state of the code, from its present one; what it throws is thrown and nothing is changed
 * @param alsoInTransaction told of the written code before the transaction ends
 * @throws {ClientError} NOT_FOUND, or FORBIDDEN where the code is another workspace's
 */
export const updateCode = async (
  pool: Pool,
  workspaceId: string,
  id: string,
  change: (code: Code) => CodeChanges,
  alsoInTransaction: (tx: Transaction, code: Code) => Promise<void>,
): Promise<Code> => {
  requireShape(id);
  return inTransaction(pool, async (tx) => {
    const code = await lockCode(tx, workspaceId, id);
    const changed = { ...code, ...change(code) };
    if (isSame(code, changed)) return code;
    const written = await writeCode(tx, changed);
    await alsoInTransaction(tx, written);
    return written;
  });
};

/** A page of a workspace's codes, newest first. */
export const listCodes = async (
  db: Queryable,
  workspaceId: string,
  filter: CodeFilter,
  /** The seq of the last code of the page before; undefined for the first page. */
  beforeSeq: string | undefined,
  limit: number,
): Promise<Code[]> => {
  const values: unknown[] = [workspaceId, limit];
  const and = (condition: string, value: unknown) =>
    value === undefined ? '' : `AND ${condition} $${values.push(value)}`;
  // Not a named statement: the planner picks the index by the filters' values.
  const { rows } = await db.query<Code>(
    `SELECT ${columns} FROM codes
     WHERE workspace_id = $1 ${and('seq <', beforeSeq)} ${and('data_type =', filter.type)}
       ${and('status =', filter.status)}
     ORDER BY seq DESC LIMIT $2`,
    values,
  );
  return rows;
};

/** How many codes of a workspace a filter lets through, at a cost that does not depend on how many they are. */
export const countCodes = async (db: Queryable, workspaceId: string, filter: CodeFilter): Promise<number> => {
  const { rows } = await db.query<{ total: number }>({
    name: 'count-codes',
    text: `SELECT coalesce(sum(codes), 0)::integer AS total FROM code_counts
           WHERE workspace_id = $1 AND data_type = coalesce($2, data_type) AND status = coalesce($3, status)`,
    values: [workspaceId, filter.type, filter.status],
  });
  return rows[0]?.total ?? 0;
};

/** Those of the ids that exist, of whatever workspace: for the redirector, which serves all of them. */
export const findCodesForRedirect = async (db: Queryable, ids: readonly string[]): Promise<Code[]> => {
  const { rows } = await db.query<Code>({
    name: 'find-codes-for-redirect',
    text: `SELECT ${columns} FROM codes WHERE id = ANY($1)`,
    values: [ids],
  });
  return rows;
};

const insertCode = async (db: Queryable, id: string, code: NewCode): Promise<Code | undefined> => {
  const { rows } = await db.query<Code>({
    name: 'insert-code',
    text: `INSERT INTO codes (id, workspace_id, name, data_type, destination) VALUES ($1, $2, $3, $4, $5)
           ON CONFLICT (id) DO NOTHING RETURNING ${columns}`,
    values: [id, code.workspaceId, code.name, code.dataType, code.destination],
  });
  return rows[0];
};

const lockCode = async (tx: Transaction, workspaceId: string, id: string): Promise<Code> => {
  const { rows } = await tx.query<Code>({
    name: 'lock-code',
    text: `SELECT ${columns} FROM codes WHERE id = $1 FOR NO KEY UPDATE`,
    values: [id],
  });
  return requireOwned(rows[0], workspaceId);
};

const writeCode = async (tx: Transaction, code: Code): Promise<Code> => {
  const { rows } = await tx.query<Code>({
    name: 'write-code',
    text: `UPDATE codes SET name = $2, destination = $3, status = $4, version = version + 1, updated_at = now()
           WHERE id = $1 RETURNING ${columns}`,
    values: [code.id, code.name, code.destination, code.status],
  });
  return requireOwned(rows[0], code.workspaceId);
};

/** What cannot be an id is not looked for: it may be of any length and contain what PostgreSQL refuses. */
const requireShape = (id: string): void => {
  if (!isCodeIdShaped(id)) throw new ClientError('NOT_FOUND', unknownCode);
};

const unknownCode = 'There is no code with this id';

const requireOwned = (code: Code | undefined, workspaceId: string): Code => {
  if (!code) throw new ClientError('NOT_FOUND', unknownCode);
  if (code.workspaceId !== workspaceId) {
    throw new ClientError('FORBIDDEN', 'The code with this id belongs to another workspace');
  }
  return code;
};

const isSame = (a: Code, b: Code): boolean =>
  a.name === b.name && a.destination === b.destination && a.status === b.status;
