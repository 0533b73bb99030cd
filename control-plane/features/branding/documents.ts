/**
 * The documents of brandings. Every workspace has one, even if it has set nothing: a held document is looked up less
 * often than an absent one.
 */
import { type BrandDocument, brandDocumentId, brandDocuments } from '#schemas/documents.ts';
import type { Queryable } from '../../platform/db/pool.ts';
import type { SourceOfDocuments } from '../../publishing/documents.ts';
import { mapInSteps } from '../hosted/layout/index.ts';
import { publishedOf, type StoredBranding } from './stored-branding.ts';

/** Of a workspace whose branding has never been set. The first change makes it 2. */
export const firstVersion = 1;

interface BrandingRow {
  workspaceId: string;
  version: number;
  /** Null if nothing is set. */
  fields: StoredBranding | null;
}

const readBrandings = async (db: Queryable, workspaceIds: readonly string[]): Promise<BrandingRow[]> => {
  const { rows } = await db.query<BrandingRow>({
    name: 'read-brandings',
    text: `SELECT w.id AS "workspaceId", coalesce(b.version, ${firstVersion})::double precision AS version,
             nullif(b.fields, '{}') AS fields
           FROM workspaces w LEFT JOIN branding b ON b.workspace_id = w.id WHERE w.id = ANY($1)`,
    values: [workspaceIds],
  });
  return rows;
};

const toDocument = ({ workspaceId, version, fields }: BrandingRow): BrandDocument => ({
  id: brandDocumentId(workspaceId),
  version,
  ...(fields && { brand: publishedOf(fields) }),
});

export const brandDocumentSource: SourceOfDocuments<BrandDocument> = {
  ...brandDocuments,
  isIdShaped: (id) => /^brand:ws_[A-Za-z\d]{1,40}$/.test(id),
  build: async (db, ids) => {
    const workspaceIds = ids.map((id) => id.slice(brandDocuments.prefix.length));
    return mapInSteps(await readBrandings(db, workspaceIds), toDocument);
  },
};
