/**
 * The documents of workspaces, which say whether redirectors report scans. Every workspace has one, even if no
 * webhook follows its scans: a held document is looked up less often than an absent one.
 */
import { type WorkspaceDocument, workspaceDocuments } from '#schemas/documents.ts';
import type { Queryable } from '../../../platform/db/pool.ts';
import type { Transaction } from '../../../platform/db/transaction.ts';
import { documentsChanged, type SourceOfDocuments } from '../../../publishing/documents.ts';

/** Of a workspace whose webhooks have never changed. The first change makes it 2. */
const firstVersion = 1;

interface WorkspaceRow {
  id: string;
  version: number;
  scanEvents: boolean;
}

/**
 * A paused webhook counts: its deliveries wait until it is resumed. A single statement, so that the document is
 * consistent.
 */
const readWorkspaces = async (db: Queryable, ids: readonly string[]): Promise<WorkspaceRow[]> => {
  const { rows } = await db.query<WorkspaceRow>({
    name: 'read-workspace-documents',
    text: `SELECT w.id, coalesce(v.version, ${firstVersion})::double precision AS version,
             EXISTS (SELECT FROM webhooks h WHERE h.workspace_id = w.id AND h.events && '{scan.created,*}') AS "scanEvents"
           FROM workspaces w LEFT JOIN workspace_versions v ON v.workspace_id = w.id WHERE w.id = ANY($1)`,
    values: [ids],
  });
  return rows;
};

const toDocument = ({ id, version, scanEvents }: WorkspaceRow): WorkspaceDocument => ({
  id,
  version,
  ...(scanEvents && { scanEvents }),
});

export const workspaceDocumentSource: SourceOfDocuments<WorkspaceDocument> = {
  ...workspaceDocuments,
  isIdShaped: (id) => /^ws_[A-Za-z\d]{1,40}$/.test(id),
  build: async (db, ids) => (await readWorkspaces(db, ids)).map(toDocument),
};

/** @returns the new version. Concurrent changes of a workspace's webhooks wait here until the other commits. */
const nextVersion = async (tx: Transaction, workspaceId: string): Promise<number> => {
  const { rows } = await tx.query<{ version: number }>({
    name: 'next-workspace-version',
    text: `INSERT INTO workspace_versions AS v (workspace_id, version) VALUES ($1, ${firstVersion + 1})
           ON CONFLICT (workspace_id) DO UPDATE SET version = v.version + 1
           RETURNING version::double precision AS version`,
    values: [workspaceId],
  });
  return rows[0]!.version;
};

/**
 * Call this in the transaction of each change that may affect whether a webhook of the workspace follows
 * `scan.created`. Redirectors learn of it soon after the commit, or at once if the caller then publishes the
 * document.
 * @returns the id of the document, for `documentPublishing.publish`
 */
export const scanEventsChanged = async (tx: Transaction, workspaceId: string): Promise<string> => {
  await documentsChanged(tx, [{ id: workspaceId, version: await nextVersion(tx, workspaceId) }]);
  return workspaceId;
};
