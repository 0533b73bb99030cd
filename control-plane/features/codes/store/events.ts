/** The part that all events of a code have. */
import type { EventLabels } from '#schemas/events.ts';
import type { Code } from './code.ts';

/** What a code is filed under, as PostgreSQL writes it: the ids of tags are `{1,2}`. */
export type StoredLabels = Pick<Code, 'tagIds' | 'folderId'>;

export const labelsOf = ({ tagIds, folderId }: StoredLabels): EventLabels => ({
  tagIds: JSON.parse(`[${tagIds.slice(1, -1)}]`),
  folderId,
});

export const aboutCode = (code: Code) => ({
  workspaceId: code.workspaceId,
  subject: { id: code.id, version: code.version },
  occurredAt: code.updatedAt,
  labels: labelsOf(code),
});
