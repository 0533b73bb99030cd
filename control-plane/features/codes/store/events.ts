/** The part that all events of a code have. */
import type { EventLabels } from '#schemas/events.ts';
import type { Code } from './code.ts';

/** The ids of tags are `{1,2}`. */
const labelsOf = ({ tagIds, folderId }: Code): EventLabels => ({
  tagIds: JSON.parse(`[${tagIds.slice(1, -1)}]`),
  folderId,
});

export const aboutCode = (code: Code) => ({
  workspaceId: code.workspaceId,
  subject: { id: code.id, version: code.version },
  occurredAt: code.updatedAt,
  labels: labelsOf(code),
});
