/** /api/qr/serialized-batches/{batchId}/sheets */
import { sheetDownloadQuery, sheetsBody } from '#schemas/api/serialized-sheets.ts';
import { type Operation, operation } from '../../../../api/http/operation.ts';
import { sheetDownloadDocs, sheetsDocs } from './docs.ts';
import { createSheetDownload, type SheetDownloadOptions } from './download.ts';
import { createSheetSubmission, type SheetSubmissionOptions } from './submission.ts';

const path = '/api/qr/serialized-batches/:batchId/sheets';

export const createSheetOperations = (
  options: SheetSubmissionOptions & SheetDownloadOptions,
): Operation[] => {
  const submit = createSheetSubmission(options);
  const download = createSheetDownload(options);
  return [
    operation({
      method: 'post',
      path,
      body: sheetsBody,
      creates: {},
      docs: sheetsDocs,
      handle: ({ principal, params: { batchId = '' }, body, create }) =>
        submit(principal, batchId, body, create),
    }),
    operation({
      method: 'get',
      path: `${path}/download`,
      query: sheetDownloadQuery,
      docs: sheetDownloadDocs,
      handle: ({ principal: { workspaceId }, params: { batchId = '' }, query: { jobId } }) =>
        download(workspaceId, batchId, jobId),
    }),
  ];
};
