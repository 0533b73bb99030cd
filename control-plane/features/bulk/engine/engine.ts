/** The bulk operations of a process: how they are submitted, and their jobs. */
import { oncePerProcess } from '../../../framework/feature.ts';
import type { Services } from '../../../framework/services.ts';
import type { JobKind } from '../../../jobs/kind.ts';
import { createBulkJob, rowEnds } from './job.ts';
import type { Kind } from './kind.ts';
import { createSealedBodies } from './sealed-body.ts';
import { createSubmission, type Submit } from './submission.ts';

const bodiesOf = oncePerProcess(({ keyFor }) => createSealedBodies(keyFor('bulk-rows')));

/** By it every bulk call is submitted. */
export const submitOf = oncePerProcess(
  (services): Submit => createSubmission({ bodies: bodiesOf(services), consumeQuota: services.consumeQuota }),
);

/** The kinds as jobs. */
export const bulkJobsOf = (services: Services, kinds: readonly Kind[]): JobKind[] => {
  const onRows = services.metrics.counter(
    'bulk_rows_total',
    'Rows of bulk operations, by how their slice ended',
    'end',
    rowEnds,
  );
  const options = { pool: services.connections.jobs, bodies: bodiesOf(services), onRows };
  return kinds.map((kind) => createBulkJob(options, kind));
};
