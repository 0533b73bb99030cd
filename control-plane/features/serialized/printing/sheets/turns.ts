/** The queue's job of a workspace: each run is one slice of the sheets of one batch. */
import { createWorkspaceTurns } from '../../../../jobs/workspace-turns.ts';

export const sheetTurns = createWorkspaceTurns({
  task: 'draw-serialized-sheets',
  key: 'serialized-sheets',
  lockClass: 7_203_953,
});
