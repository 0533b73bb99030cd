/** An export is accepted: its look is proven, and its job exists with its first turn. */
import type { ImageExportAnswer, ImageExportBody } from '#schemas/api/serialized-images.ts';
import { prefixedIds } from '#shared/ids.ts';
import type { Principal } from '../../../api/access/authentication.ts';
import type { Reply } from '../../../api/http/operation.ts';
import { withWarnings } from '../../../api/http/warnings.ts';
import type { Create } from '../../../api/idempotency/request.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import { findBatch, requireCompleted } from '../store/batches.ts';
import { listItems } from '../store/items.ts';
import { insertJob } from '../store/jobs.ts';
import { requirePlace } from './place.ts';
import { createRequestReader, type RequestOptions } from './request.ts';
import { roomOf } from './room.ts';
import { insertExport, lockKept } from './store/exports.ts';
import { imageJobs } from './work/images.ts';

export const imageJobIds = prefixedIds('szip');

export interface SubmissionOptions extends RequestOptions {
  pool: Pool;
  /** The URL of a job. */
  locationOf(jobId: string): string;
}

/** @throws {ClientError} CONFLICT where the batch is not minted; see `requirePlace` and {@link createRequestReader} */
export const createSubmission = (options: SubmissionOptions) => {
  const { pool, locationOf } = options;
  const readRequest = createRequestReader(options);

  const prepare = async (principal: Principal, batchId: string, body: ImageExportBody) => {
    const batch = await findBatch(pool, principal.workspaceId, batchId);
    requireCompleted(batch);
    await requirePlace(pool, principal, imageJobs);
    const [first] = await listItems(pool, batch.id, 0, 1);
    const { request, warnings } = await readRequest(batch, first!.id, body);
    return { batch, request: { ...request, keptBytesMax: roomOf(principal) }, warnings };
  };

  return (principal: Principal, batchId: string, body: ImageExportBody, create: Create): Promise<Reply> =>
    create({
      isLong: true,
      prepare: () => prepare(principal, batchId, body),
      async effect(tx, { batch, request, warnings }) {
        const { id: batchId, workspaceId, count } = batch;
        const { format } = body;
        const jobId = imageJobIds.create();
        await lockKept(tx, workspaceId);
        await requirePlace(tx, principal, imageJobs);
        await insertJob(tx, { id: jobId, workspaceId, batchId, kind: imageJobs, count, imageFormat: format });
        await insertExport(tx, jobId, workspaceId, request);
        const answer: ImageExportAnswer = { jobId, batchId, format, count };
        return {
          status: 202,
          headers: { location: locationOf(jobId) },
          body: withWarnings(answer, warnings),
        };
      },
    });
};
