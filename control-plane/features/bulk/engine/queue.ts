/** The queue's job of a workspace: each run is one slice of one operation. */
import { createWorkspaceTurns } from '../../../jobs/workspace-turns.ts';

export const turns = createWorkspaceTurns({ task: 'work-bulk', key: 'bulk', lockClass: 7_203_949 });

export const { task, enqueue, takeTurn, removeDeadJobs, lockedWorkspaces } = turns;
