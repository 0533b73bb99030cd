/** What every event of a code says. */
import type { Code } from './code.ts';

export const aboutCode = ({ id, version, workspaceId, updatedAt }: Code) => ({
  workspaceId,
  subject: { id, version },
  occurredAt: updatedAt,
});
