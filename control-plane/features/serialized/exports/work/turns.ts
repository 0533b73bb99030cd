/** The queue's job of a workspace: each run is one slice of one export. */
import { createWorkspaceTurns } from '../../../../jobs/workspace-turns.ts';

export const exportTurns = createWorkspaceTurns({
  task: 'export-serialized-images',
  key: 'serialized-images',
  lockClass: 7_203_952,
});
