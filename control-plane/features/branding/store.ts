/** Brandings of workspaces in PostgreSQL. */
import { brandDocumentId } from '#schemas/documents.ts';
import type { Pool, Queryable } from '../../platform/db/pool.ts';
import { inTransaction, type Transaction } from '../../platform/db/transaction.ts';
import { documentsChanged } from '../../publishing/documents.ts';
import { firstVersion } from './documents.ts';
import type { StoredBranding, StoredLogo } from './stored-branding.ts';

export interface Branding {
  fields: StoredBranding;
  updatedAt: Date;
}

/** Undefined if the workspace has never set one. */
export const findBranding = async (db: Queryable, workspaceId: string): Promise<Branding | undefined> => {
  const { rows } = await db.query<Branding>({
    name: 'find-branding',
    text: 'SELECT fields, updated_at AS "updatedAt" FROM branding WHERE workspace_id = $1',
    values: [workspaceId],
  });
  return rows[0];
};

/** The logo with this picture in the branding of the workspace, or of one of its domains. */
export const findLogo = async (
  db: Queryable,
  workspaceId: string,
  dataUrl: string,
): Promise<StoredLogo | undefined> => {
  const { rows } = await db.query<{ logo: StoredLogo }>({
    name: 'find-logo',
    text: `SELECT logo FROM (SELECT fields -> 'logo' AS logo FROM branding WHERE workspace_id = $1
             UNION ALL SELECT branding -> 'logo' FROM domains WHERE workspace_id = $1) AS logos
           WHERE logo ->> 'dataUrl' = $2 LIMIT 1`,
    values: [workspaceId, dataUrl],
  });
  return rows[0]?.logo;
};

/** Locks the branding until the transaction ends. */
const writeBranding = async (
  tx: Transaction,
  workspaceId: string,
  fields: StoredBranding,
): Promise<Branding & { version: number }> => {
  const { rows } = await tx.query<Branding & { version: number }>({
    name: 'write-branding',
    text: `INSERT INTO branding AS b (workspace_id, version, fields) VALUES ($1, ${firstVersion + 1}, $2)
           ON CONFLICT (workspace_id) DO UPDATE SET version = b.version + 1, fields = excluded.fields,
             updated_at = greatest(clock_timestamp(), b.updated_at + interval '1 millisecond')
           RETURNING version::double precision AS version, fields, updated_at AS "updatedAt"`,
    values: [workspaceId, JSON.stringify(fields)],
  });
  return rows[0]!;
};

/** @returns the branding, and the id of its document, to be published after the commit */
export const changeBranding = (
  pool: Pool,
  workspaceId: string,
  fields: StoredBranding,
): Promise<{ branding: Branding; documents: string[] }> =>
  inTransaction(pool, async (tx) => {
    const { version, ...branding } = await writeBranding(tx, workspaceId, fields);
    const id = brandDocumentId(workspaceId);
    await documentsChanged(tx, [{ id, version }]);
    return { branding, documents: [id] };
  });
