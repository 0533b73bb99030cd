/** The owner's own ids of codes: unique in their workspace, and accepted wherever a path takes the id of a code. */
import { externalIdLengthMax } from '#schemas/api/own-fields.ts';
import { ClientError, hasCode } from '#shared/errors.ts';
import { quoted } from '#shared/quoted.ts';
import type { Queryable } from '../../../platform/db/pool.ts';
import type { Transaction } from '../../../platform/db/transaction.ts';

/** Ids of codes have neither this length nor an underscore. */
const prefix = 'ext_';

export const externalNameLengthMax = prefix.length + externalIdLengthMax;

export const isExternal = (id: string): boolean => id.startsWith(prefix);

/** PostgreSQL refuses such texts, and no external id is one. */
const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** Who has an external id. */
interface Holder {
  id: string;
  externalId: string;
}

const findHolders = async (
  db: Queryable,
  workspaceId: string,
  externalIds: readonly string[],
): Promise<Holder[]> => {
  const { rows } = await db.query<Holder>({
    name: 'find-external-ids',
    text: `SELECT id, external_id AS "externalId" FROM codes
           WHERE workspace_id = $1 AND external_id = ANY($2::text[])`,
    values: [workspaceId, externalIds],
  });
  return rows;
};

/** The ids of the workspace's codes with these external ids, by external id. */
export const findByExternalIds = async (
  db: Queryable,
  workspaceId: string,
  externalIds: readonly string[],
): Promise<Map<string, string>> => {
  const storable = externalIds.filter(isStorable);
  const holders = storable.length > 0 ? await findHolders(db, workspaceId, storable) : [];
  return new Map(holders.map(({ id, externalId }) => [externalId, id]));
};

/**
 * The id of the code that a path names by `ext_{externalId}`.
 * @throws {ClientError} NOT_FOUND
 */
export const resolveExternal = async (db: Queryable, workspaceId: string, given: string): Promise<string> => {
  const externalId = given.slice(prefix.length);
  const id = (await findByExternalIds(db, workspaceId, [externalId])).get(externalId);
  if (id !== undefined) return id;
  throw new ClientError('NOT_FOUND', `There is no code with the externalId ${quoted(externalId)}`);
};

/** @param id of the code that has it */
export const externalIdTaken = (externalId: string, id: string): ClientError =>
  new ClientError('EXTERNAL_ID_TAKEN', `externalId ${quoted(externalId)} is that of the code ${id}`, {
    fields: { id },
  });

const isTaken = (error: unknown): boolean =>
  hasCode(error, '23505') && 'constraint' in error && error.constraint === 'codes_by_external_id';

/**
 * Writes an external id. A refusal leaves the transaction usable.
 * @throws {ClientError} EXTERNAL_ID_TAKEN; CONFLICT if the code that had it gave it up at this moment
 */
export const writingExternalId = async <Written>(
  tx: Transaction,
  workspaceId: string,
  externalId: string,
  write: () => Promise<Written>,
): Promise<Written> => {
  await tx.query('SAVEPOINT external_id');
  try {
    return await write();
  } catch (error) {
    if (!isTaken(error)) throw error;
    await tx.query('ROLLBACK TO SAVEPOINT external_id');
    const id = (await findByExternalIds(tx, workspaceId, [externalId])).get(externalId);
    if (id !== undefined) throw externalIdTaken(externalId, id);
    throw new ClientError('CONFLICT', 'externalId was that of another code until now; try again');
  }
};
