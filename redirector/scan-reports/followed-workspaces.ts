/** Which workspaces have a webhook that follows their scans. */
import type { WorkspaceDocument } from '#schemas/documents.ts';
import type { Logger } from '#shared/logger.ts';
import type { Documents } from '../documents/document-store.ts';

/** Whether a scan of the workspace is reported. */
export type IsFollowed = (workspaceId: string) => boolean;

/** After a failure nothing is looked up for this time: each scan would ask again. */
const pauseMs = 1000;

/**
 * Scans of a workspace that is not known yet are reported, and it is looked up meanwhile: the control plane drops those that no
 * webhook follows.
 * @param now a clock that is never set, in ms
 */
export const createFollowedWorkspaces = (
  workspaces: Documents<WorkspaceDocument>,
  logger: Logger,
  now: () => number = () => performance.now(),
): IsFollowed => {
  let pausedUntilMs = Number.NEGATIVE_INFINITY;

  const lookUp = async (id: string): Promise<void> => {
    try {
      await workspaces.load(id);
    } catch (error) {
      pausedUntilMs = now() + pauseMs;
      logger.debug({ err: error, id }, 'a workspace cannot be looked up: its scans are reported');
    }
  };

  return (workspaceId) => {
    const workspace = workspaces.held(workspaceId);
    if (workspace !== undefined) return workspace?.scanEvents === true;
    if (now() >= pausedUntilMs) void lookUp(workspaceId);
    return true;
  };
};
