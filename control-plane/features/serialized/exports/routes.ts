/** /api/qr/serialized-batches/{batchId}/images: the pictures of all items of a batch, as a zip. */
import { imageDownloadQuery, imageExportBody } from '#schemas/api/serialized-images.ts';
import { bodyLimits } from '../../../api/http/body.ts';
import { type Operation, operation } from '../../../api/http/operation.ts';
import { toJobObject } from '../objects.ts';
import { createCancellation } from './cancellation.ts';
import { cancelDocs, downloadDocs, exportDocs } from './docs.ts';
import { createDownload, type DownloadOptions } from './download.ts';
import { createSubmission, type SubmissionOptions } from './submission.ts';

const base = '/api/qr/serialized-batches';

export type ExportOptions = DownloadOptions & SubmissionOptions;

export const createExportOperations = (options: ExportOptions): Operation[] => {
  const submit = createSubmission(options);
  const download = createDownload(options);
  const cancel = createCancellation(options);
  return [
    operation({
      method: 'post',
      path: `${base}/:batchId/images`,
      body: imageExportBody,
      bodyMayBeMissing: true,
      bodyLimit: bodyLimits.code,
      creates: {},
      docs: exportDocs,
      handle: ({ principal, params: { batchId = '' }, body, create }) =>
        submit(principal, batchId, body, create),
    }),
    operation({
      method: 'get',
      path: `${base}/:batchId/images/download`,
      query: imageDownloadQuery,
      docs: downloadDocs,
      handle: ({ principal: { workspaceId }, params: { batchId = '' }, query: { jobId } }) =>
        download(workspaceId, batchId, jobId),
    }),
    operation({
      method: 'delete',
      path: `${base}/jobs/:jobId`,
      docs: cancelDocs,
      async handle({ principal: { workspaceId }, params: { jobId = '' } }) {
        return { body: toJobObject(await cancel(workspaceId, jobId)) };
      },
    }),
  ];
};
