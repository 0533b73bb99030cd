/** The part that all events of a code have. */
import type { Code } from './code.ts';

export const aboutCode = ({ id, version, workspaceId, updatedAt }: Code) => ({
  workspaceId,
  subject: { id, version },
  occurredAt: updatedAt,
});
