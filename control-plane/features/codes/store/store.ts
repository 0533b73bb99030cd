/** Codes in PostgreSQL. */
import { isDeepStrictEqual } from 'node:util';
import type { CodeStatus } from '#schemas/api/codes.ts';
import type { DataType } from '#schemas/api/data-types.ts';
import type { Encryption } from '#schemas/api/protection.ts';
import type { Campaign, DeepLinkConfig, RoutingRules, Sources } from '#schemas/api/routing.ts';
import type { Style } from '#schemas/api/style.ts';
import { versionsPerTimeline } from '#schemas/code-record.ts';
import { ClientError } from '#shared/errors.ts';
import { isCodeIdShaped } from '#shared/ids.ts';
import type { Pool, Queryable } from '../../../db/pool.ts';
import { inTransaction, type Transaction } from '../../../db/transaction.ts';
import { quoted } from '../../../http/given.ts';

/** What a list shows of a code. */
export interface CodeSummary {
  id: string;
  workspaceId: string;
  /** Creation order, ascending; a decimal number too large for a double. */
  seq: string;
  name: string | null;
  dataType: DataType;
  /** The location or payload; for an encrypted code the JWE that holds it. */
  destination: string;
  status: CodeStatus;
  passwordProtected: boolean;
  encryption: Encryption['type'] | null;
  expiresAt: Date | null;
  maxScans: number | null;
  /** Grows by one with every change. */
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

/** What an operator sets. */
export interface Locks {
  /** Cannot be updated through the API. */
  complianceLocked: boolean;
  /** Nor deactivated. */
  legalHold: boolean;
}

/** With all that decides where a scan leads. */
export interface Code extends CodeSummary, Locks {
  /** The version that redirectors know it by, on the timeline that the database is on. */
  recordVersion: number;
  /** The record version with which the cap was set; null exactly where there is none. */
  capEpoch: number | null;
  sources: Sources | null;
  routingRules: RoutingRules | null;
  campaign: Campaign | null;
  deepLinkConfig: DeepLinkConfig | null;
}

/** With what only its owner needs, up to a megabyte of logo. */
export interface WholeCode extends Code {
  /** The fields that the payload was made from. */
  data: object | null;
  style: Style | null;
}

/** What can be set, at creation and later; what is not given is not set, or stays as it is. */
export interface CodeChanges {
  name?: string | null;
  destination?: string;
  data?: object | null;
  status?: CodeStatus;
  passwordHash?: string | null;
  expiresAt?: Date | null;
  maxScans?: number | null;
  capEpoch?: number | null;
  routingRules?: RoutingRules | null;
  campaign?: Campaign | null;
  deepLinkConfig?: DeepLinkConfig | null;
  style?: Style | null;
}

export interface NewCode extends CodeChanges {
  workspaceId: string;
  dataType: DataType;
  destination: string;
  encryption?: Encryption['type'] | null;
  sources?: Sources | null;
}

/** The version of a code that has just been created. */
export const firstVersion = 1;

export interface CodeFilter {
  type?: string | undefined;
  status?: string | undefined;
}

const summaryColumns = `id, workspace_id AS "workspaceId", seq, name, data_type AS "dataType", destination, status,
  password_hash IS NOT NULL AS "passwordProtected", encryption, expires_at AS "expiresAt", max_scans AS "maxScans",
  version::double precision AS version, created_at AS "createdAt", updated_at AS "updatedAt"`;

const lockColumns = 'compliance_locked AS "complianceLocked", legal_hold AS "legalHold"';

const codeColumns = `${summaryColumns}, cap_epoch::double precision AS "capEpoch",
  ((SELECT timeline FROM record_timeline)::bigint * ${versionsPerTimeline} + version)::double precision
    AS "recordVersion", sources, routing_rules AS "routingRules",
  campaign, deep_link_config AS "deepLinkConfig", ${lockColumns}`;

const wholeColumns = `${codeColumns}, data, style`;

/** The column of everything that can be set. */
const columnOf = {
  workspaceId: 'workspace_id',
  dataType: 'data_type',
  encryption: 'encryption',
  sources: 'sources',
  name: 'name',
  destination: 'destination',
  data: 'data',
  status: 'status',
  passwordHash: 'password_hash',
  expiresAt: 'expires_at',
  maxScans: 'max_scans',
  capEpoch: 'cap_epoch',
  routingRules: 'routing_rules',
  campaign: 'campaign',
  deepLinkConfig: 'deep_link_config',
  style: 'style',
} as const satisfies Record<keyof NewCode, string>;

/** An object is JSON: the driver would make a PostgreSQL array of a list. */
const parameter = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !(value instanceof Date) ? JSON.stringify(value) : value;

/** Ids collide about once in 2 × 10¹² / codes; this many times in a row, never. */
const idAttemptsMax = 5;

/** @param createId a new random id; asked again when the id exists */
export const createCode = async (db: Queryable, createId: () => string, code: NewCode): Promise<Code> => {
  for (let attempt = 0; attempt < idAttemptsMax; attempt++) {
    const created = await insertCode(db, createId(), code);
    if (created) return created;
  }
  throw new Error(`${idAttemptsMax} new ids in a row existed already`);
};

/**
 * @throws {ClientError} NOT_FOUND, or FORBIDDEN where the code is another workspace's
 */
export const findCode = async (db: Queryable, workspaceId: string, id: string): Promise<CodeSummary> => {
  requireShape(id);
  const { rows } = await db.query<CodeSummary>({
    name: 'find-code',
    text: `SELECT ${summaryColumns} FROM codes WHERE id = $1`,
    values: [id],
  });
  return requireOwned(rows[0], id, workspaceId);
};

/** @throws {ClientError} as {@link findCode} */
export const findCodeToExplain = async (db: Queryable, workspaceId: string, id: string): Promise<Code> => {
  requireShape(id);
  return requireOwned((await findCodesForRedirect(db, [id]))[0], id, workspaceId);
};

/** A code with its style, logo included. @throws {ClientError} as {@link findCode} */
export const findWholeCode = async (db: Queryable, workspaceId: string, id: string): Promise<WholeCode> => {
  requireShape(id);
  const { rows } = await db.query<WholeCode>({
    name: 'find-whole-code',
    text: `SELECT ${wholeColumns} FROM codes WHERE id = $1`,
    values: [id],
  });
  return requireOwned(rows[0], id, workspaceId);
};

/**
 * Changes a code under its row lock. Where nothing changes, nothing is written.
 * @param change from the present code to what is to be set; what it throws is thrown and nothing is changed
 * @param alsoInTransaction told of the written code before the transaction ends
 * @throws {ClientError} NOT_FOUND, or FORBIDDEN where the code is another workspace's
 */
export const updateCode = async (
  pool: Pool,
  workspaceId: string,
  id: string,
  change: (code: WholeCode) => CodeChanges,
  alsoInTransaction: (tx: Transaction, code: Code) => Promise<void>,
): Promise<WholeCode> => {
  requireShape(id);
  return inTransaction(pool, async (tx) => {
    const code = await lockCode(tx, workspaceId, id);
    const changes = differences(code, change(code));
    if (Object.keys(changes).length === 0) return code;
    const written = await writeCode(tx, id, changes);
    await alsoInTransaction(tx, written);
    return written;
  });
};

/**
 * Scans go on as before. A hold that is there stays.
 * @throws {ClientError} NOT_FOUND
 */
export const lockAgainstChanges = async (db: Queryable, id: string, hold: boolean): Promise<Locks> => {
  requireShape(id);
  const { rows } = await db.query<Locks>(
    `UPDATE codes SET compliance_locked = true, legal_hold = legal_hold OR $2 WHERE id = $1
     RETURNING ${lockColumns}`,
    [id, hold],
  );
  return rows[0] ?? refuseUnknown(id);
};

/** @throws {ClientError} NOT_FOUND */
export const liftLocks = async (db: Queryable, id: string): Promise<Locks> => {
  requireShape(id);
  const { rows } = await db.query<Locks>(
    `UPDATE codes SET compliance_locked = false, legal_hold = false WHERE id = $1 RETURNING ${lockColumns}`,
    [id],
  );
  return rows[0] ?? refuseUnknown(id);
};

/**
 * Makes a code active, whatever keeps its owner from it. Where it is, nothing is written.
 * @param alsoInTransaction told of the written code before the transaction ends
 * @throws {ClientError} NOT_FOUND
 */
export const activateCode = (
  pool: Pool,
  id: string,
  alsoInTransaction: (tx: Transaction, code: Code) => Promise<void>,
): Promise<void> => {
  requireShape(id);
  return inTransaction(pool, async (tx) => {
    const { rows } = await tx.query<{ status: CodeStatus }>(
      'SELECT status FROM codes WHERE id = $1 FOR NO KEY UPDATE',
      [id],
    );
    const { status } = rows[0] ?? refuseUnknown(id);
    if (status === 'inactive') await alsoInTransaction(tx, await writeCode(tx, id, { status: 'active' }));
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
): Promise<CodeSummary[]> => {
  const values: unknown[] = [workspaceId, limit];
  const and = (condition: string, value: unknown) =>
    value === undefined ? '' : `AND ${condition} $${values.push(value)}`;
  // Not a named statement: the planner picks the index by the filters' values.
  const { rows } = await db.query<CodeSummary>(
    `SELECT ${summaryColumns} FROM codes
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
    text: `SELECT ${codeColumns} FROM codes WHERE id = ANY($1)`,
    values: [ids],
  });
  return rows;
};

/** Of whatever workspace; undefined where there is no code, null where there is no password. */
export const findPasswordHash = async (db: Queryable, id: string): Promise<string | null | undefined> => {
  const { rows } = await db.query<{ hash: string | null }>({
    name: 'find-password-hash',
    text: 'SELECT password_hash AS hash FROM codes WHERE id = $1',
    values: [id],
  });
  return rows[0]?.hash;
};

const insertable = Object.keys(columnOf) as (keyof NewCode)[];

const insertText = `
  INSERT INTO codes (id, ${insertable.map((key) => columnOf[key]).join(', ')})
  VALUES ($1, ${insertable.map((_, index) => `$${index + 2}`).join(', ')})
  ON CONFLICT (id) DO NOTHING RETURNING ${codeColumns}`;

const insertCode = async (db: Queryable, id: string, code: NewCode): Promise<Code | undefined> => {
  const given: NewCode = { status: 'active', ...code };
  const { rows } = await db.query<Code>({
    name: 'insert-code',
    text: insertText,
    values: [id, ...insertable.map((key) => parameter(given[key]) ?? null)],
  });
  return rows[0];
};

const lockCode = async (tx: Transaction, workspaceId: string, id: string): Promise<WholeCode> => {
  const { rows } = await tx.query<WholeCode>({
    name: 'lock-code',
    text: `SELECT ${wholeColumns} FROM codes WHERE id = $1 FOR NO KEY UPDATE`,
    values: [id],
  });
  return requireOwned(rows[0], id, workspaceId);
};

/** Only what changes is written: a style that stays is not copied. */
const writeCode = async (tx: Transaction, id: string, changes: CodeChanges): Promise<WholeCode> => {
  const set = Object.entries(changes);
  const assignments = set.map(([key], index) => `${columnOf[key as keyof CodeChanges]} = $${index + 2}`);
  const { rows } = await tx.query<WholeCode>(
    `UPDATE codes SET ${assignments.join(', ')}, version = version + 1, updated_at = now()
     WHERE id = $1 RETURNING ${wholeColumns}`,
    [id, ...set.map(([, value]) => parameter(value))],
  );
  return rows[0]!;
};

/** What cannot be an id is not looked for: it may be of any length and contain what PostgreSQL refuses. */
const requireShape = (id: string): void => {
  if (!isCodeIdShaped(id)) refuseUnknown(id);
};

const refuseUnknown = (id: string): never => {
  throw new ClientError('NOT_FOUND', `There is no code with the id ${quoted(id)}`);
};

const requireOwned = <Found extends CodeSummary>(
  code: Found | undefined,
  id: string,
  workspaceId: string,
): Found => {
  if (!code) return refuseUnknown(id);
  if (code.workspaceId !== workspaceId) {
    throw new ClientError('FORBIDDEN', `The code with the id ${quoted(id)} belongs to another workspace`);
  }
  return code;
};

/** As it will be read again: without what is undefined. */
const asStored = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !(value instanceof Date)
    ? JSON.parse(JSON.stringify(value))
    : value;

/** Those of the changes that change something. A new password always does: nobody knows whether it is the old one. */
const differences = (code: WholeCode, changes: CodeChanges): CodeChanges => {
  const { passwordHash, ...others } = changes;
  const different = Object.entries(others).filter(
    ([key, value]) =>
      value !== undefined && !isDeepStrictEqual(code[key as keyof typeof others], asStored(value)),
  );
  const newPassword = passwordHash !== undefined && (passwordHash !== null || code.passwordProtected);
  return { ...Object.fromEntries(different), ...(newPassword && { passwordHash }) };
};
