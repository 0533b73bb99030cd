/** The replays of a process: the queue's jobs, and the resumption of what others have left. */
import type { Job } from '../../../jobs/registry.ts';
import { startResume } from '../../../jobs/resume.ts';
import { workspaceOfTurn } from '../../../jobs/workspace-turns.ts';
import type { Services } from '../../../services.ts';
import { createReplaying } from './slices.ts';
import { listStalledReplays } from './store.ts';
import { replayTurns } from './turns.ts';

/** Begins to work on replays. @returns the queue's jobs */
export const startReplaying = async ({
  connections,
  pool,
  logger,
  background,
  onClose,
}: Services): Promise<Job[]> => {
  const work = createReplaying({ pool: connections.jobs, logger });
  const resume = await startResume({
    db: pool,
    background,
    turns: replayTurns,
    what: 'replays of webhook events',
    listStalled: listStalledReplays,
    looked: async () => undefined,
  });
  onClose(() => resume.close());
  return [
    { task: replayTurns.task, run: (payload) => work(workspaceOfTurn(payload)) },
    { task: 'sweep-webhook-replays', schedule: '35 3 * * *', run: () => replayTurns.removeDeadJobs(pool) },
  ];
};
