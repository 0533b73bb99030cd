/** The queue's job of a workspace: each run does one slice of one replay. */
import { createWorkspaceTurns } from '../../../jobs/workspace-turns.ts';

export const replayTurns = createWorkspaceTurns({
  task: 'replay-webhook-events',
  key: 'webhook-replay',
  lockClass: 4_811_627,
});
