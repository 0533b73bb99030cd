/** The filters of webhooks: as they are sent, stored and shown. */
import { distinctTags, tagKey } from '#schemas/api/tags.ts';
import type { StoredFilter, WebhookFilter, WebhookObject } from '#schemas/api/webhooks.ts';
import { ClientError } from '#shared/errors.ts';
import { isCodeIdShaped } from '#shared/ids.ts';
import { quoted } from '#shared/quoted.ts';
import type { Transaction } from '../../../platform/db/transaction.ts';

/** @throws {ClientError} UNPROCESSABLE naming the first id of a list that the workspace does not have */
const requireKnown = async (
  tx: Transaction,
  list: 'codeIds' | 'folderIds',
  { name, text, values }: { name: string; text: string; values: [workspaceId: string, ids: string[]] },
  given: readonly string[],
): Promise<void> => {
  const { rows } = await tx.query<{ id: string }>({ name, text, values });
  const known = new Set(rows.map(({ id }) => id));
  const at = given.findIndex((id) => !known.has(id));
  if (at >= 0)
    throw new ClientError(
      'UNPROCESSABLE',
      `filter.${list}[${at}] must be the id of a ${list === 'codeIds' ? 'code' : 'folder'} of this workspace; given: ${quoted(given[at]!)}`,
    );
};

/** Codes are never removed, and a folder that is has no codes: they are checked only when they are given. */
const checkFilter = async (
  tx: Transaction,
  workspaceId: string,
  { codeIds, folderIds }: WebhookFilter,
): Promise<void> => {
  const codes = {
    name: 'find-codes-of-filter',
    text: 'SELECT id FROM codes WHERE workspace_id = $1 AND id = ANY ($2)',
    values: [workspaceId, codeIds?.filter(isCodeIdShaped) ?? []] as [string, string[]],
  };
  if (codeIds) await requireKnown(tx, 'codeIds', codes, codeIds);
  const folders = {
    name: 'find-folders-of-filter',
    text: 'SELECT id FROM folders WHERE workspace_id = $1 AND id = ANY ($2) AND deleted_at IS NULL',
    values: [workspaceId, folderIds?.filter((id) => /^fold_[1-9A-Za-z]{1,40}$/.test(id)) ?? []] as [
      string,
      string[],
    ],
  };
  if (folderIds) await requireKnown(tx, 'folderIds', folders, folderIds);
};

/** A process of the version before knows codes only, and expects a list of them. */
const toStoredFilter = ({ tags, codeIds = [], folderIds }: WebhookFilter): StoredFilter => ({
  codeIds,
  ...(folderIds && { folderIds }),
  ...(tags && { tags: tags.map((name) => ({ key: tagKey(name), name })) }),
});

/** @returns as it is stored @throws {ClientError} UNPROCESSABLE naming an entry */
export const checkedFilter = async (
  tx: Transaction,
  workspaceId: string,
  filter: WebhookFilter | null | undefined,
): Promise<StoredFilter | null> => {
  if (!filter) return null;
  await checkFilter(tx, workspaceId, filter);
  return toStoredFilter(filter);
};

/** As the API shows it. */
export const toFilter = ({
  codeIds,
  tags,
  folderIds,
}: StoredFilter): NonNullable<WebhookObject['filter']> => ({
  ...(codeIds && codeIds.length > 0 && { codeIds: [...codeIds] }),
  // Two that were merged are one.
  ...(tags && { tags: distinctTags(tags.map(({ name }) => name)) }),
  ...(folderIds && { folderIds: [...folderIds] }),
});
