/** Which workspaces have a webhook that follows their scans. */
import type { WorkspaceDocument } from '#schemas/documents.ts';
import type { Logger } from '#shared/logger.ts';
import type { Documents } from '../documents/document-store.ts';

/** Whether a scan of the workspace is reported. */
export type IsFollowed = (workspaceId: string) => boolean;

/** After a failure nothing is looked up for this time: each scan would ask again. */
const pauseMs = 1000;

/**
 * Scans of a workspace that is not known yet, or of which a change may have been missed, are reported, and it is looked up meanwhile:
 * the control plane drops those that no webhook follows.
 * @param now a clock that is never set, in ms
 */
export const createFollowedWorkspaces = (
  workspaces: Documents<WorkspaceDocument>,
  logger: Logger,
  now: () => number = () => performance.now(),
): IsFollowed => {
  let pausedUntilMs = Number.NEGATIVE_INFINITY;

  const pause = (): void => {
    pausedUntilMs = now() + pauseMs;
  };

  const lookUp = async (id: string): Promise<void> => {
    try {
      await workspaces.load(id);
      // It may be what was held, where no source answered.
      if (!workspaces.isCurrent(id)) pause();
    } catch (error) {
      pause();
      logger.debug({ err: error, id }, 'a workspace cannot be looked up: its scans are reported');
    }
  };

  return (workspaceId) => {
    const workspace = workspaces.held(workspaceId);
    if (workspace !== undefined && workspaces.isCurrent(workspaceId)) return workspace?.scanEvents === true;
    if (now() >= pausedUntilMs) void lookUp(workspaceId);
    return true;
  };
};
