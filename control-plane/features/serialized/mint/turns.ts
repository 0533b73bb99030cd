/** The queue's job of a workspace: each run writes one slice of one batch. */
import { createWorkspaceTurns } from '../../../jobs/workspace-turns.ts';

export const mintTurns = createWorkspaceTurns({
  task: 'mint-serialized-items',
  key: 'mint',
  lockClass: 7_203_950,
});
