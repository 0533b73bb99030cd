/** /api/qr/forms/{formId}/submissions, the same as .csv, and single submissions. */

import { attachment } from '../../../api/http/attachment.ts';
import { type Operation, operation } from '../../../api/http/operation.ts';
import { pageReads } from '../../../platform/db/page-reads.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import { csvContentType } from '../../../platform/spreadsheets/csv.ts';
import { submissionsCsv } from './csv.ts';
import { deleteSubmissionDocs, exportSubmissionsDocs, listSubmissionsDocs } from './docs.ts';
import { findFormOfSubmissions, formOfSubmissionsObject } from './find-form.ts';
import { submissionsJson } from './list.ts';
import { submissionPages } from './pages.ts';
import { removeSubmission } from './remove-submission.ts';
import { storedBytesMax, storedBytesOf } from './store.ts';

export const createSubmissionOperations = (pool: Pool): Operation[] => [
  operation({
    method: 'get',
    path: '/api/qr/forms/:formId/submissions',
    docs: listSubmissionsDocs,
    async handle({ principal: { workspaceId }, params: { formId = '' } }) {
      const form = await findFormOfSubmissions(pool, workspaceId, formId);
      const pieces = submissionsJson(
        formOfSubmissionsObject(form),
        { storedBytes: await storedBytesOf(pool, workspaceId), storedBytesMax },
        submissionPages(pageReads(pool), form.id),
      );
      return {
        headers: { 'content-type': 'application/json; charset=utf-8' },
        pieces,
      };
    },
  }),
  operation({
    method: 'get',
    path: '/api/qr/forms/:formId/submissions.csv',
    docs: exportSubmissionsDocs,
    async handle({ principal: { workspaceId }, params: { formId = '' } }) {
      const form = await findFormOfSubmissions(pool, workspaceId, formId);
      const name = `waymark-submissions-${form.id}-${new Date().toISOString().slice(0, 10)}.csv`;
      return attachment(
        name,
        csvContentType,
        submissionsCsv(form.content.fields, submissionPages(pageReads(pool), form.id)),
      );
    },
  }),
  operation({
    method: 'delete',
    path: '/api/qr/forms/:formId/submissions/:submissionId',
    docs: deleteSubmissionDocs,
    async handle({ principal: { workspaceId }, params: { formId = '', submissionId = '' } }) {
      await removeSubmission(pool, workspaceId, formId, submissionId);
      return { status: 204 };
    },
  }),
];
