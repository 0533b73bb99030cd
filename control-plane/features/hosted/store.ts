/** Hosted pages in PostgreSQL: shared by landing pages, forms and menus. */
import { pageDocumentId } from '#schemas/documents.ts';
import { countCapReached } from '../../api/access/plans.ts';
import { noteSubject } from '../../platform/db/actions.ts';
import { findOwned, refusalOfMissing } from '../../platform/db/owned.ts';
import type { Pool, Queryable } from '../../platform/db/pool.ts';
import { inTransaction, type Transaction } from '../../platform/db/transaction.ts';
import { documentsChanged } from '../../publishing/documents.ts';
import type { PageHead, PageParts, PageText } from './objects.ts';
import type { NewPage, PageChanges } from './page-rules.ts';
import { type HostedResource, ownedBy } from './resource.ts';

/** The columns of a page except its content. */
export const headColumns = ({ count }: HostedResource): string =>
  `id, workspace_id AS "workspaceId", name, status, version::double precision AS version, created_at AS "createdAt",
   updated_at AS "updatedAt", (${count})::double precision AS count`;

/** The content with every field. */
const wholeContent = ({ unset }: HostedResource): string =>
  `('${JSON.stringify(unset)}'::jsonb || content)::text`;
const wholeText = (resource: HostedResource): string => `${wholeContent(resource)} AS "contentText"`;

/** The content of an answer arrives in rows of this size: the driver takes 0.1 ms for one, and 30 ms for a text of 4 MB. */
const partBytes = 64 * 2 ** 10;

/** SQL: a parameter that is JSON in UTF-8. The driver would encode a string again. */
const jsonOf = (parameter: string): string => `convert_from(${parameter}::bytea, 'UTF8')::jsonb`;

/** The driver takes a Buffer; this one shares the bytes. */
const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/** Redirectors hold it: it is published after the commit. */
const pageChanged = (tx: Transaction, { id, version }: Pick<PageHead, 'id' | 'version'>): Promise<void> =>
  documentsChanged(tx, [{ id: pageDocumentId(id), version }]);

/**
 * One statement: a concurrent creation waits for the lock on the count's row, and then sees the new count.
 * @throws {ClientError} CONFLICT if the workspace has reached its maximum
 */
export const createPage = async (
  tx: Transaction,
  resource: HostedResource,
  workspaceId: string,
  { name, status, contentBytes, language }: NewPage,
): Promise<PageHead> => {
  const { kind, ids, max, noun, capability } = resource;
  const { rows } = await tx.query<PageHead>({
    name: `create-${kind}`,
    text: `WITH counted AS (
             INSERT INTO hosted_page_counts AS counts (workspace_id, kind, pages) VALUES ($2, $3, 1)
             ON CONFLICT (workspace_id, kind) DO UPDATE SET pages = counts.pages + 1 WHERE counts.pages < $7
             RETURNING workspace_id
           )
           INSERT INTO hosted_pages (id, workspace_id, kind, name, status, content, language)
           SELECT $1, workspace_id, $3, $4, $5, ${jsonOf('$6')}, $8 FROM counted
           RETURNING ${headColumns(resource)}`,
    values: [ids.create(), workspaceId, kind, name, status, bufferOf(contentBytes), max, language],
  });
  const [page] = rows;
  if (!page)
    throw countCapReached(capability, max, `A workspace has at most ${max} ${noun}s; delete one first`);
  noteSubject({ resourceId: page.id });
  await pageChanged(tx, page);
  return page;
};

/** @returns the bytes of its content @throws {ClientError} NOT_FOUND, or FORBIDDEN if the page is another workspace's */
export const findPageBytes = async (
  db: Queryable,
  resource: HostedResource,
  workspaceId: string,
  id: string,
): Promise<number> => {
  const { bytes } = await findOwned<{ bytes: number }>(db, ownedBy(resource), workspaceId, id, {
    name: `find-bytes-${resource.kind}`,
    text: `SELECT content_bytes AS bytes FROM hosted_pages
           WHERE id = $1 AND workspace_id = $2 AND deleted_at IS NULL`,
  });
  return bytes;
};

/** @throws {ClientError} NOT_FOUND, or FORBIDDEN if the page is another workspace's */
export const findPage = async (
  db: Queryable,
  resource: HostedResource,
  workspaceId: string,
  id: string,
): Promise<PageParts> => {
  const owned = ownedBy(resource);
  if (!owned.isIdShaped(id)) throw await refusalOfMissing(db, owned, workspaceId, id);
  const { rows } = await db.query<PageHead & { at: number; part: Buffer }>({
    name: `find-${resource.kind}`,
    // Sorted here: PostgreSQL would sort megabytes on its disk.
    text: `WITH page AS MATERIALIZED (
             SELECT ${headColumns(resource)}, convert_to(${wholeContent(resource)}, 'UTF8') AS bytes
             FROM hosted_pages WHERE id = $1 AND workspace_id = $2 AND deleted_at IS NULL)
           SELECT id, "workspaceId", name, status, version, "createdAt", "updatedAt", count, at,
             substring(bytes FROM at + 1 FOR ${partBytes}) AS part
           FROM page, generate_series(0, octet_length(bytes) - 1, ${partBytes}) AS at`,
    values: [id, workspaceId],
  });
  const [head] = rows;
  if (!head) throw await refusalOfMissing(db, owned, workspaceId, id);
  return { head, content: rows.toSorted((one, other) => one.at - other.at).map(({ part }) => part) };
};

/** Checks a changed page: throws to reject the change, and returns the language of its texts. */
export type CheckChanged = (changed: PageText) => Promise<string>;

/**
 * Fields that are not changed are not read either, so concurrent changes of them are kept.
 * @param checkChanged if it throws, the transaction must be rolled back; without it the language stays
 * @throws {ClientError} NOT_FOUND, or FORBIDDEN if the page is another workspace's
 */
export const changePage = async (
  tx: Transaction,
  resource: HostedResource,
  workspaceId: string,
  id: string,
  { name, status, setBytes, cleared }: PageChanges,
  checkChanged?: CheckChanged,
): Promise<PageText> => {
  const owned = ownedBy(resource);
  if (!owned.isIdShaped(id)) throw await refusalOfMissing(tx, owned, workspaceId, id);
  const { rows } = await tx.query<PageText & { language: string }>({
    name: `update-${resource.kind}`,
    text: `UPDATE hosted_pages SET name = coalesce($3, name), status = coalesce($4, status),
             content = (content || ${jsonOf('$5')}) - $6::text[], version = version + 1,
             updated_at = greatest(clock_timestamp(), updated_at + interval '1 millisecond')
           WHERE id = $1 AND workspace_id = $2 AND deleted_at IS NULL
           RETURNING ${headColumns(resource)}, ${wholeText(resource)}, language`,
    values: [id, workspaceId, name ?? null, status ?? null, bufferOf(setBytes), cleared],
  });
  const [page] = rows;
  if (!page) throw await refusalOfMissing(tx, owned, workspaceId, id);
  const language = await checkChanged?.(page);
  if (language !== undefined && language !== page.language) await noteLanguage(tx, workspaceId, id, language);
  await pageChanged(tx, page);
  return page;
};

const noteLanguage = async (
  tx: Transaction,
  workspaceId: string,
  id: string,
  language: string,
): Promise<void> => {
  await tx.query({
    name: 'note-page-language',
    text: 'UPDATE hosted_pages SET language = $3 WHERE id = $2 AND workspace_id = $1',
    values: [workspaceId, id, language],
  });
};

/** {@link changePage} in a transaction of its own. */
export const updatePage = (
  pool: Pool,
  resource: HostedResource,
  workspaceId: string,
  id: string,
  changes: PageChanges,
  checkChanged?: CheckChanged,
): Promise<PageText> =>
  inTransaction(pool, (tx) => changePage(tx, resource, workspaceId, id, changes, checkChanged));

/** @throws {ClientError} NOT_FOUND, or FORBIDDEN if the page is another workspace's */
export const requirePage = async (
  db: Queryable,
  resource: HostedResource,
  workspaceId: string,
  id: string,
): Promise<void> => {
  await findOwned(db, ownedBy(resource), workspaceId, id, {
    name: `require-${resource.kind}`,
    text: 'SELECT FROM hosted_pages WHERE id = $1 AND workspace_id = $2 AND deleted_at IS NULL',
  });
};

/** The id is never reused. @throws {ClientError} NOT_FOUND, or FORBIDDEN if the page is another workspace's */
export const deletePage = async (
  tx: Transaction,
  resource: HostedResource,
  workspaceId: string,
  id: string,
): Promise<void> => {
  const owned = ownedBy(resource);
  if (!owned.isIdShaped(id)) throw await refusalOfMissing(tx, owned, workspaceId, id);
  const { rows } = await tx.query<{ version: number }>({
    name: 'delete-hosted-page',
    text: `UPDATE hosted_pages SET deleted_at = clock_timestamp(), version = version + 1,
             content = CASE WHEN $3 THEN content ELSE '{}' END,
             updated_at = greatest(clock_timestamp(), updated_at + interval '1 millisecond')
           WHERE id = $1 AND workspace_id = $2 AND deleted_at IS NULL
           RETURNING version::double precision AS version`,
    values: [id, workspaceId, resource.keepsDeleted],
  });
  const [deleted] = rows;
  if (!deleted) throw await refusalOfMissing(tx, owned, workspaceId, id);
  await tx.query({
    name: 'count-deleted-hosted-page',
    text: 'UPDATE hosted_page_counts SET pages = pages - 1 WHERE workspace_id = $1 AND kind = $2',
    values: [workspaceId, resource.kind],
  });
  await pageChanged(tx, { id, version: deleted.version });
};

export interface ListedPage {
  id: string;
  /** Of the content. */
  bytes: number;
}

/** All pages of the workspace, in the order of the list. */
export const listPages = async (
  db: Queryable,
  { kind, order }: HostedResource,
  workspaceId: string,
): Promise<ListedPage[]> => {
  const { rows } = await db.query<ListedPage>({
    name: `list-${kind}`,
    text: `SELECT id, content_bytes AS bytes FROM hosted_pages
           WHERE workspace_id = $1 AND kind = $2 AND deleted_at IS NULL ORDER BY ${order}`,
    values: [workspaceId, kind],
  });
  return rows;
};

/** @returns in the order of the ids, without pages that no longer exist */
export const readPages = async (
  db: Queryable,
  resource: HostedResource,
  workspaceId: string,
  ids: readonly string[],
): Promise<PageText[]> => {
  if (ids.length === 0) return [];
  const { rows } = await db.query<PageText>({
    name: `read-${resource.kind}`,
    text: `SELECT ${headColumns(resource)}, ${wholeText(resource)} FROM hosted_pages
           WHERE workspace_id = $1 AND id = ANY($2) AND deleted_at IS NULL ORDER BY array_position($2, id)`,
    values: [workspaceId, ids],
  });
  return rows;
};
