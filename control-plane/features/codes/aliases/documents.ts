/** The documents of aliases: where a slug leads, as redirectors hold it. */
import { aliasLengthMax } from '#schemas/aliases.ts';
import { type AliasDocument, aliasDocumentId, aliasDocuments } from '#schemas/documents.ts';
import type { Queryable } from '../../../platform/db/pool.ts';
import type { SourceOfDocuments } from '../../../publishing/documents.ts';
import type { SlugKey } from './store.ts';

type SlugRow = SlugKey & Pick<AliasDocument, 'version' | 'aliases'>;

/** One statement, so that a document is consistent. */
const readSlugs = async (db: Queryable, keys: readonly SlugKey[]): Promise<SlugRow[]> => {
  const { rows } = await db.query<SlugRow>({
    name: 'read-alias-slugs',
    text: `SELECT space, slug, sum(a.version)::double precision AS version,
             coalesce(json_agg(json_build_object('alias', a.alias, 'codeId', a.code_id) ORDER BY a.seq)
               FILTER (WHERE a.deleted_at IS NULL), '[]') AS aliases
           FROM aliases a JOIN (SELECT DISTINCT * FROM unnest($1::text[], $2::text[])) AS asked (space, slug)
             USING (space, slug) GROUP BY space, slug`,
    values: [keys.map(({ space }) => space), keys.map(({ slug }) => slug)],
  });
  return rows;
};

/** A capital letter may become three small ones. */
const slugLengthMax = 3 * aliasLengthMax;
const idShape = new RegExp(
  `^alias:(?:ws_[1-9A-HJ-NP-Za-km-z]{16}/[a-z0-9.-]{1,253})?/[\\p{L}\\p{M}\\p{Nd}_-]{1,${slugLengthMax}}$`,
  'u',
);

const keyOf = (id: string): SlugKey => {
  const at = id.lastIndexOf('/');
  return { space: id.slice(aliasDocuments.prefix.length, at), slug: id.slice(at + 1) };
};

export const aliasDocumentSource: SourceOfDocuments<AliasDocument> = {
  ...aliasDocuments,
  isIdShaped: (id) => idShape.test(id),
  build: async (db, ids) =>
    (await readSlugs(db, ids.map(keyOf))).map(({ space, slug, version, aliases }) => ({
      id: aliasDocumentId(space, slug),
      version,
      aliases,
    })),
};
