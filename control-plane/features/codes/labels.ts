/** Tags and folders of a body → what is stored of them. */
import type { CreateCodeBody } from '#schemas/api/code-bodies.ts';
import type { CodeChanges } from './store/code.ts';

export interface CodeLabels {
  /**
   * The ids of tags, as {@link CodeChanges} has them. A tag that does not exist yet is made, in a transaction of its own:
   * no change of codes waits for another's new tags.
   * @param dryRun true: none is made, and the ids are those of the tags that exist
   * @throws {ClientError} UNPROCESSABLE naming tags, if the workspace would have too many
   */
  tagIds(workspaceId: string, names: readonly string[], dryRun: boolean): Promise<string>;
  /** @throws {ClientError} UNPROCESSABLE naming folderId; FORBIDDEN if it is another workspace's */
  requireFolder(workspaceId: string, folderId: string): Promise<void>;
}

type Labelled = Pick<CodeChanges, 'tagIds' | 'folderId'>;

export const labelled = async (
  labels: CodeLabels,
  workspaceId: string,
  { tags, folderId }: Pick<CreateCodeBody, 'tags' | 'folderId'>,
  dryRun: boolean,
): Promise<Labelled> => {
  if (folderId != null) await labels.requireFolder(workspaceId, folderId);
  return {
    ...(folderId !== undefined && { folderId }),
    ...(tags !== undefined && { tagIds: await labels.tagIds(workspaceId, tags ?? [], dryRun) }),
  };
};
