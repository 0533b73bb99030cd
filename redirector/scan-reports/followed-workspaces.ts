/** Which workspaces have a webhook that follows their scans. */
import type { WorkspaceDocument } from '#schemas/documents.ts';
import type { Logger } from '#shared/logger.ts';
import type { Documents } from '../documents/document-store.ts';

/** Whether a scan of the workspace is reported. */
export type IsFollowed = (workspaceId: string) => boolean;

/** Pause after a failed lookup; otherwise each scan would retry. */
const pauseMs = 1000;

/**
 * If a workspace is not known yet, or a change to it may have been missed, its scans are reported while it is looked
 * up: the control plane drops scans that no webhook follows.
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
      // Without an answer from a source, it may be the document held before.
      if (!workspaces.isCurrent(id)) pause();
    } catch (error) {
      pause();
      logger.debug({ err: error, id }, 'could not look up a workspace: reporting its scans');
    }
  };

  return (workspaceId) => {
    const workspace = workspaces.held(workspaceId);
    if (workspace !== undefined && workspaces.isCurrent(workspaceId)) return workspace?.scanEvents === true;
    if (now() >= pausedUntilMs) void lookUp(workspaceId);
    return true;
  };
};
