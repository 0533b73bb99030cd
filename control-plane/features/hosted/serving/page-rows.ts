/** Hosted pages as PostgreSQL has them, for visitors. */
import type { HostedKind } from '#schemas/page-document.ts';
import type { Queryable } from '../../../platform/db/pool.ts';
import type { HostedPage } from '../hosted-page.ts';
import { largeBytes } from '../large/tasks.ts';

/**
 * Tells two states of a page apart: by its version and, since after a restore of the database a version may come twice, by when it
 * was written.
 */
const revision = `version || '-' || (extract(epoch FROM updated_at) * 1000000)::bigint`;

/** A page that exists, as one statement has seen it. */
export interface FoundPage {
  page: HostedPage;
  revision: string;
}

/** @returns by id; unknown and deleted ones are missing */
export const findRevisions = async (
  db: Queryable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const { rows } = await db.query<{ id: string; revision: string }>({
    name: 'find-hosted-page-revisions',
    text: `SELECT id, ${revision} AS revision FROM hosted_pages WHERE id = ANY($1) AND deleted_at IS NULL`,
    values: [ids],
  });
  return new Map(rows.map((row) => [row.id, row.revision]));
};

/** What is known of a page without its content. */
export interface PageState {
  id: string;
  kind: HostedKind;
  workspaceId: string;
  version: number;
  revision: string;
  isDeleted: boolean;
}

/** Also of deleted pages. */
export const findPageStates = async (db: Queryable, ids: readonly string[]): Promise<PageState[]> => {
  const { rows } = await db.query<PageState>({
    name: 'find-hosted-page-states',
    text: `SELECT id, kind, workspace_id AS "workspaceId", version::double precision AS version,
             ${revision} AS revision, deleted_at IS NOT NULL AS "isDeleted"
           FROM hosted_pages WHERE id = ANY($1)`,
    values: [ids],
  });
  return rows;
};

/** Those of which a large one is not parsed here. */
const isLarge = `kind = 'menu' AND content_bytes > ${largeBytes}`;

/** Of a large menu: what its page shows while it is paused. */
const shownWhilePaused = `jsonb_strip_nulls(jsonb_build_object(
  'theme', content->'theme', 'headline', content->'headline', 'socials', content->'socials'))`;

/** @returns by id; unknown and deleted ones are missing */
export const findPages = async (
  db: Queryable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, FoundPage>> => {
  const { rows } = await db.query<HostedPage & { revision: string }>({
    name: 'find-hosted-pages-to-show',
    text: `SELECT id, kind, workspace_id AS "workspaceId", name, status, language,
                  CASE WHEN ${isLarge} THEN ${shownWhilePaused} ELSE content END AS content,
                  CASE WHEN ${isLarge} THEN content::text END AS "contentText",
                  version::double precision AS version,
                  created_at AS "createdAt", updated_at AS "updatedAt", ${revision} AS revision
           FROM hosted_pages WHERE id = ANY($1) AND deleted_at IS NULL`,
    values: [ids],
  });
  return new Map(rows.map(({ revision: found, ...page }) => [page.id, { page, revision: found }]));
};
