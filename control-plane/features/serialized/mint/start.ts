/** The minting of a process: the queue's jobs, the resumption of what others have left, and the figures of what waits. */
import type { Job } from '../../../jobs/registry.ts';
import { startResume } from '../../../jobs/resume.ts';
import { workspaceOfTurn } from '../../../jobs/workspace-turns.ts';
import type { Services } from '../../../services.ts';
import { listStalledMints, type MintBacklog, readMintBacklog } from '../store/backlog.ts';
import { createMinting, mintSliceEnds } from './slices.ts';
import { mintTurns } from './turns.ts';

/** Begins to mint. @returns the queue's jobs */
export const startMinting = async (services: Services, createItemId: () => string): Promise<Job[]> => {
  const { connections, pool, metrics, logger, background, onClose } = services;
  const onEnd = metrics.counter(
    'serialized_items_total',
    'Serialized items, by what became of them',
    'end',
    mintSliceEnds,
  );
  const work = createMinting({ pool: connections.jobs, createItemId, logger, onEnd });
  const backlog: MintBacklog = { batches: 0, items: 0, oldestSeconds: 0 };
  const resume = await startResume({
    db: pool,
    background,
    turns: mintTurns,
    what: 'mints',
    listStalled: listStalledMints,
    looked: async () => Object.assign(backlog, await readMintBacklog(pool)),
  });
  onClose(() => resume.close());
  metrics.gauge('mints_waiting', 'Serialized batches that are not finished', () => backlog.batches);
  metrics.gauge('mint_items_waiting', 'Their items that are not written', () => backlog.items);
  metrics.gauge('mint_oldest_seconds', 'Age of the oldest of them', () => backlog.oldestSeconds);
  return [
    { task: mintTurns.task, run: (payload) => work(workspaceOfTurn(payload)) },
    { task: 'sweep-mints', schedule: '40 3 * * *', run: () => mintTurns.removeDeadJobs(pool) },
  ];
};
