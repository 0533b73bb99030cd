/** The documents of GS1 keys: all entries of a key, as redirectors hold them. */
import { type Gs1Document, type Gs1Entry, gs1DocumentId, gs1Documents } from '#schemas/documents.ts';
import type { Queryable } from '../../platform/db/pool.ts';
import type { SourceOfDocuments } from '../../publishing/documents.ts';

interface KeyRow {
  key: string;
  workspaceId: string | null;
  version: number;
  serialized: boolean;
  entries: Gs1Entry[];
}

/** One statement, so that a document is consistent. */
const readKeys = async (db: Queryable, keys: readonly string[]): Promise<KeyRow[]> => {
  const { rows } = await db.query<KeyRow>({
    name: 'read-gs1-keys',
    text: `SELECT key, workspace_id AS "workspaceId", version::double precision AS version, batches > 0 AS serialized,
             (SELECT coalesce(json_agg(json_build_object('id', id, 'path', path, 'itemDescription', item_description,
                'links', links) ORDER BY path), '[]')
              FROM gs1_entries WHERE gs1_entries.key = gs1_keys.key) AS entries
           FROM gs1_keys WHERE key = ANY($1)`,
    values: [keys],
  });
  return rows;
};

/** A key that was given back gets a document without entries, which replaces the one that redirectors hold. */
const toDocument = ({ key, workspaceId, version, serialized, entries }: KeyRow): Gs1Document => ({
  id: gs1DocumentId(key),
  version,
  workspaceId: workspaceId ?? '',
  ...(serialized && { serialized }),
  entries,
});

/** The longest id: 90 characters of a value, each percent-encoded. */
const idLengthMax = 300;

export const gs1DocumentSource: SourceOfDocuments<Gs1Document> = {
  ...gs1Documents,
  isIdShaped: (id) => id.length <= idLengthMax && /^gs1:\d{2,4}\/[\x21-\x7e]+$/.test(id),
  build: async (db, ids) =>
    (
      await readKeys(
        db,
        ids.map((id) => id.slice(gs1Documents.prefix.length)),
      )
    ).map(toDocument),
};
