/**
 * GS1 primary keys in PostgreSQL. A key belongs to one workspace: whoever keeps the first entry at it, or mints the first batch of
 * serialized items with it, takes it. It is given back when it has neither any more.
 */
import { gs1DocumentId } from '#schemas/documents.ts';
import { ClientError } from '#shared/errors.ts';
import type { Transaction } from '../../db/transaction.ts';
import { documentsChanged } from '../documents/queue.ts';

/** A primary key, as in a canonical Digital Link: `01/09506000134352`. @param value percent-encoded where it has to be */
export const gs1KeyOf = (ai: string, value: string): string => `${ai}/${value}`;

/**
 * Takes a key for a workspace, which may have it already. Nobody else changes it until the transaction ends.
 * @param field of the body that names the key, for the error
 * @throws {ClientError} CONFLICT where it belongs to another workspace
 */
export const takeKey = async (
  tx: Transaction,
  workspaceId: string,
  key: string,
  field: string,
): Promise<void> => {
  const { rows } = await tx.query<{ workspaceId: string }>({
    name: 'take-gs1-key',
    text: `INSERT INTO gs1_keys AS k (key, workspace_id) VALUES ($1, $2)
           ON CONFLICT (key) DO UPDATE SET workspace_id = coalesce(k.workspace_id, excluded.workspace_id)
           RETURNING workspace_id AS "workspaceId"`,
    values: [key, workspaceId],
  });
  if (rows[0]!.workspaceId === workspaceId) return;
  throw new ClientError('CONFLICT', `${field}: the GS1 key ${key} belongs to another workspace`);
};

/** What happens to the entries and the batches that a key has. */
interface KeyChange {
  entries?: 1 | -1 | 0;
  batches?: 1 | -1 | 0;
}

/**
 * Counts a change of what a key has, and has its document published. A key that has nothing any more is given back.
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
 * From now on serials of the key are verified: an unknown one is led no further, unless it asks for a linkType. The workspace must have
 * taken the key. To be called once for each batch.
 * @returns as {@link changeKey}
 */
export const markSerialized = (tx: Transaction, key: string): Promise<string> =>
  changeKey(tx, key, { batches: 1 });

/** A batch of the key has failed or is gone. To be called once for each that was marked. @returns as {@link changeKey} */
export const unmarkSerialized = (tx: Transaction, key: string): Promise<string> =>
  changeKey(tx, key, { batches: -1 });
