/** The engine of a process: how operations are submitted, and how the queue works them off. */

import { oncePerProcess } from '../../../feature.ts';
import type { Job } from '../../../jobs/registry.ts';
import { workspaceOfTurn } from '../../../jobs/workspace-turns.ts';
import type { Services } from '../../../services.ts';
import type { Kind } from './kind.ts';
import { nightlyJob } from './nightly.ts';
import { task } from './queue.ts';
import { startResume } from './resume.ts';
import { createSealedBodies } from './sealed-body.ts';
import { rowEnds } from './slices.ts';
import { createSubmission, type Submit } from './submission.ts';
import { createWork } from './work.ts';

const bodiesOf = oncePerProcess(({ keyFor }) => createSealedBodies(keyFor('bulk-rows')));

/** By it every bulk call is submitted. */
export const submitOf = oncePerProcess(
  (services): Submit => createSubmission({ bodies: bodiesOf(services), consumeQuota: services.consumeQuota }),
);

/** Begins to work. @returns the queue's jobs */
export const startWork = async (services: Services, kinds: readonly Kind[]): Promise<Job[]> => {
  const { connections, pool, metrics, logger, background, onClose } = services;
  const countRows = metrics.counter(
    'bulk_rows_total',
    'Rows of bulk operations, by how their turn ended',
    'end',
    rowEnds,
  );
  const countSlice = metrics.counter(
    'bulk_slices_total',
    'Slices of bulk operations',
    'kind',
    kinds.map(({ name }) => name),
  );
  const work = createWork({
    pool: connections.jobs,
    bodies: bodiesOf(services),
    kinds,
    logger,
    onRows: (end, rows) => countRows(end, rows),
    onSlice: (kind) => countSlice(kind),
  });
  const resume = await startResume(pool, background);
  onClose(() => resume.close());
  const { backlog } = resume;
  metrics.gauge('bulk_operations_waiting', 'Bulk operations that are not finished', () => backlog.operations);
  metrics.gauge('bulk_rows_waiting', 'Their rows that are not done', () => backlog.rows);
  metrics.gauge('bulk_oldest_seconds', 'Age of the oldest of them', () => backlog.oldestSeconds);
  return [
    { task, run: (payload) => work(workspaceOfTurn(payload)) },
    nightlyJob(connections.jobs, kinds, logger),
  ];
};
