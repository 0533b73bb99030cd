/** /api/qr/serialized-batches: the quota, batches, their jobs and their items. */
import {
  batchJobQuery,
  batchListQuery,
  itemFileQuery,
  itemListQuery,
  mintBody,
  type UpdateBatchBody,
  updateBatchBody,
} from '#schemas/api/serialized.ts';
import { attachment } from '../../api/http/attachment.ts';
import { bodyLimits } from '../../api/http/body.ts';
import { type Operation, operation } from '../../api/http/operation.ts';
import { csvContentType } from '../../platform/spreadsheets/csv.ts';
import type { ChangeBatch } from './change-batch.ts';
import {
  consumptionDocs,
  itemFileDocs,
  jobDocs,
  listBatchesDocs,
  listBatchJobsDocs,
  mintDocs,
  readBatchDocs,
  updateBatchDocs,
} from './docs.ts';
import { batchesJson, readBatchPage } from './items/batch-list.ts';
import { type BatchReaderOptions, createBatchReader } from './items/batch-page.ts';
import { itemsCsv } from './items/csv.ts';
import { readJobPage } from './job-list.ts';
import type { Mint } from './mint/submission.ts';
import { toBatchObject, toJobObject } from './objects.ts';
import { capability, quotaOf } from './quota.ts';
import { findBatch, requireCompleted } from './store/batches.ts';
import { findJob } from './store/jobs.ts';
import { readQuota } from './store/quotas.ts';

export interface SerializedOptions extends BatchReaderOptions {
  mint: Mint;
  changeBatch: ChangeBatch;
}

const base = '/api/qr/serialized-batches';

/** The URL of a job. */
export const jobUrl = (baseUrl: string) => (jobId: string) => `${baseUrl}${base}/jobs/${jobId}`;

/** A notice warns of items that are in circulation: after a downgrade the owner still sets it and takes it back. */
const changesNoticeOnly = ({ notice, ...others }: UpdateBatchBody): boolean =>
  notice !== undefined && Object.values(others).every((value) => value === undefined);

/** What the verification page leads to. */
const linksOf = ({ brandUrl, supportUrl, registerUrl }: UpdateBatchBody) => ({
  brandUrl,
  supportUrl,
  registerUrl,
});

export const createSerializedOperations = (options: SerializedOptions): Operation[] => {
  const { pool, cursors, urls, mint, changeBatch } = options;
  const readBatch = createBatchReader(options);
  return [
    operation({
      method: 'get',
      path: `${base}/consumption`,
      docs: consumptionDocs,
      async handle({ principal: { subscriptionId, terms } }) {
        return { body: quotaOf(terms, await readQuota(pool, subscriptionId)) };
      },
    }),
    operation({
      method: 'post',
      path: base,
      capability,
      body: mintBody,
      bodyLimit: bodyLimits.batch,
      creates: { idempotencyHeader: 'Idempotency-Key' },
      screened: linksOf,
      docs: mintDocs,
      handle: ({ principal, body, create }) => mint(principal, body, create),
    }),
    operation({
      method: 'get',
      path: `${base}/jobs/:jobId`,
      docs: jobDocs,
      async handle({ principal: { workspaceId }, params: { jobId = '' } }) {
        return { body: toJobObject(await findJob(pool, workspaceId, jobId)) };
      },
    }),
    operation({
      method: 'get',
      path: `${base}/:batchId/jobs`,
      query: batchJobQuery,
      docs: listBatchJobsDocs,
      async handle({ principal: { workspaceId }, params: { batchId = '' }, query }) {
        return { body: await readJobPage(pool, cursors, await findBatch(pool, workspaceId, batchId), query) };
      },
    }),
    operation({
      method: 'get',
      path: base,
      query: batchListQuery,
      docs: listBatchesDocs,
      async handle({ principal: { workspaceId }, query }) {
        if (query.limit !== undefined || query.cursor !== undefined)
          return { body: await readBatchPage(pool, cursors, workspaceId, query) };
        return {
          headers: { 'content-type': 'application/json; charset=utf-8' },
          pieces: batchesJson(pool, workspaceId, query),
        };
      },
    }),
    operation({
      method: 'get',
      path: `${base}/:batchId`,
      query: itemListQuery,
      docs: readBatchDocs,
      async handle({ principal: { workspaceId }, params: { batchId = '' }, query }) {
        return { body: await readBatch(workspaceId, batchId, query) };
      },
    }),
    operation({
      method: 'patch',
      path: `${base}/:batchId`,
      capability,
      isOpenToAllPlans: changesNoticeOnly,
      body: updateBatchBody,
      bodyLimit: bodyLimits.batch,
      screened: linksOf,
      docs: updateBatchDocs,
      async handle({ principal: { workspaceId }, params: { batchId = '' }, body }) {
        return { body: toBatchObject(await changeBatch(workspaceId, batchId, body)) };
      },
    }),
    operation({
      method: 'get',
      path: `${base}/:batchId/items.csv`,
      query: itemFileQuery,
      docs: itemFileDocs,
      async handle({ principal: { workspaceId }, params: { batchId = '' }, query: { uriFormat } }) {
        const batch = await findBatch(pool, workspaceId, batchId);
        requireCompleted(batch);
        const lines = itemsCsv(pool, batch, urls.inFormat(batch, uriFormat));
        return attachment(`waymark-items-${batch.id}.csv`, csvContentType, lines);
      },
    }),
  ];
};
