/**
 * GS1 primary keys in PostgreSQL. A key belongs to one workspace: the first to create an entry at it, or to mint a
 * batch of serialized items with it. It is given back when it has neither.
 */
import { gs1DocumentId } from '#schemas/documents.ts';
import { ClientError } from '#shared/errors.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { documentsChanged } from '../../publishing/documents.ts';

/** A primary key, as in a canonical Digital Link: `01/09506000134352`. @param value percent-encoded if necessary */
export const gs1KeyOf = (ai: string, value: string): string => `${ai}/${value}`;

/**
 * Takes a key for a workspace, which may have it already. Locks it until the transaction ends.
 * @param field of the body that names the key, for the error
 * @throws {ClientError} CONFLICT if it belongs to another workspace, or if the workspace is another one's test data: it
 * would keep the key from all others
 */
export const takeKey = async (
  tx: Transaction,
  workspaceId: string,
  key: string,
  field: string,
): Promise<void> => {
  const { rows } = await tx.query<{ workspaceId: string }>({
    name: 'take-gs1-key',
    text: `INSERT INTO gs1_keys AS k (key, workspace_id)
           SELECT $1, w.id FROM workspaces w WHERE w.id = $2 AND w.test_of IS NULL
           ON CONFLICT (key) DO UPDATE SET workspace_id = coalesce(k.workspace_id, excluded.workspace_id)
           RETURNING workspace_id AS "workspaceId"`,
    values: [key, workspaceId],
  });
  const [taken] = rows;
  if (!taken)
    throw new ClientError('CONFLICT', `${field}: GS1 keys are not available in test mode; use a live key`);
  if (taken.workspaceId === workspaceId) return;
  throw new ClientError('CONFLICT', `${field}: the GS1 key ${key} belongs to another workspace`);
};

/** A change to the entries and batches of a key. */
interface KeyChange {
  entries?: 1 | -1 | 0;
  batches?: 1 | -1 | 0;
}

/**
 * Counts a change to a key, and publishes its document. A key without entries and batches is given back.
 * @returns the id of the document, to be published after the commit
 */
export const changeKey = async (
  tx: Transaction,
  key: string,
  { entries = 0, batches = 0 }: KeyChange,
): Promise<string> => {
  const { rows } = await tx.query<{ version: number }>({
    name: 'change-gs1-key',
    text: `UPDATE gs1_keys SET entries = entries + $2, batches = batches + $3, version = version + 1,
             workspace_id = CASE WHEN entries + $2 = 0 AND batches + $3 = 0 THEN NULL ELSE workspace_id END
           WHERE key = $1 RETURNING version::double precision AS version`,
    values: [key, entries, batches],
  });
  const id = gs1DocumentId(key);
  await documentsChanged(tx, [{ id, version: rows[0]!.version }]);
  return id;
};

/**
 * From now on serials of the key are verified: an unknown one does not redirect, unless it asks for a linkType. The
 * workspace must have taken the key. Call it once for each batch.
 * @returns as {@link changeKey}
 */
export const markSerialized = (tx: Transaction, key: string): Promise<string> =>
  changeKey(tx, key, { batches: 1 });

/**
 * A batch of the key has failed or is gone. Call it once for each batch that was marked.
 * @returns as {@link changeKey}
 */
export const unmarkSerialized = (tx: Transaction, key: string): Promise<string> =>
  changeKey(tx, key, { batches: -1 });
