/** Images that no page refers to: marked, then removed, one step after the other. */
import type { Queryable } from '../../../../platform/db/pool.ts';

/** How long an image is kept after the last reference to it. */
export const unusedKeptDays = 7;
/** An upload that takes longer was given up. */
const storingMinutesMax = 60;
/**
 * The references are checked again this long after the decision, before any file is removed: a page with the URL of
 * an image that is just being given up may be on its way to the database.
 */
const recheckMinutes = 60;

/** Workspaces with an image that is unused, or may become so. */
export const listWorkspacesToCheck = async (db: Queryable): Promise<string[]> => {
  const { rows } = await db.query<{ workspaceId: string }>({
    name: 'list-workspaces-with-unused-images',
    text: `SELECT DISTINCT workspace_id AS "workspaceId" FROM uploaded_images
           WHERE referenced_at < now() - make_interval(days => $1) OR state <> 'stored'`,
    values: [unusedKeptDays],
  });
  return rows.map(({ workspaceId }) => workspaceId);
};

export const listPagesOf = async (db: Queryable, workspaceId: string): Promise<string[]> => {
  const { rows } = await db.query<{ id: string }>({
    name: 'list-pages-with-images',
    text: `SELECT id FROM hosted_pages WHERE workspace_id = $1 AND deleted_at IS NULL AND strpos(content::text, '/i/') > 0`,
    values: [workspaceId],
  });
  return rows.map(({ id }) => id);
};

/** Marks the images of a page as in use. */
export const noteReferences = async (db: Queryable, pageId: string): Promise<void> => {
  await db.query({
    name: 'note-image-references',
    text: `UPDATE uploaded_images image SET referenced_at = now()
           FROM hosted_pages page,
             LATERAL (SELECT DISTINCT found[1] AS id FROM regexp_matches(page.content::text, '/i/([1-9A-HJ-NP-Za-km-z]{21})/', 'g') found)
               AS named
           WHERE page.id = $1 AND page.deleted_at IS NULL AND image.id = named.id AND image.workspace_id = page.workspace_id`,
    values: [pageId],
  });
};

/** Call this after the references were noted. */
export const markUnused = async (db: Queryable, workspaceId: string): Promise<void> => {
  await db.query({
    name: 'mark-images-unused',
    text: `UPDATE uploaded_images SET state = 'unused', unused_at = now()
           WHERE workspace_id = $1 AND state = 'stored' AND referenced_at < now() - make_interval(days => $2)`,
    values: [workspaceId, unusedKeptDays],
  });
};

/** Restores images that a page has come to refer to. */
export const takeBackUsed = async (db: Queryable, workspaceId: string): Promise<void> => {
  await db.query({
    name: 'take-back-used-images',
    text: `UPDATE uploaded_images SET state = 'stored', unused_at = NULL
           WHERE workspace_id = $1 AND state = 'unused' AND referenced_at >= unused_at`,
    values: [workspaceId],
  });
};

/** There is no way back after this. @returns also images whose removal began earlier */
export const beginRemoval = async (db: Queryable, workspaceId: string): Promise<string[]> => {
  const { rows } = await db.query<{ id: string }>({
    name: 'begin-removal-of-images',
    text: `UPDATE uploaded_images SET state = 'removing'
           WHERE workspace_id = $1 AND (state = 'removing'
             OR (state = 'unused' AND unused_at < now() - make_interval(mins => $2) AND referenced_at < unused_at)
             OR (state = 'storing' AND claimed_at < now() - make_interval(mins => $3)))
           RETURNING id`,
    values: [workspaceId, recheckMinutes, storingMinutesMax],
  });
  return rows.map(({ id }) => id);
};

/** Call this once all of its files are removed. */
export const forgetImage = async (db: Queryable, id: string): Promise<void> => {
  await db.query({
    name: 'forget-image',
    text: `DELETE FROM uploaded_images WHERE id = $1 AND state = 'removing'`,
    values: [id],
  });
};

/** The ids that are images. */
export const listKnown = async (db: Queryable, ids: readonly string[]): Promise<string[]> => {
  const { rows } = await db.query<{ id: string }>({
    name: 'list-known-images',
    text: 'SELECT id FROM uploaded_images WHERE id = ANY($1)',
    values: [ids],
  });
  return rows.map(({ id }) => id);
};
