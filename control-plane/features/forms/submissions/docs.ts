/** The documentation of the operations on submissions. */
import { submissionList } from '#schemas/api/submissions.ts';
import type { OperationDocs } from '../../../api/http/operation.ts';
import { disposition, furtherLimit, streamed, streamedCsv } from '../../../api/http/shared-docs.ts';
import { formDocs, formExample } from '../docs.ts';

const { tag, params } = formDocs.find;

const ofDeletedForms =
  'Submissions are kept if their form is deleted, and can be read here until they are purged with `DELETE ' +
  '/api/qr/forms/{formId}?purgeSubmissions=true`.';

const example = {
  form: formExample,
  storedBytes: 8_412,
  storedBytesMax: 2_147_483_648,
  submissions: [
    {
      submissionId: 'subm_8Zq2mQw7Rk4nX5cP',
      values: { name: 'Ann O’Neil', email: 'ann@example.com', topic: 'A booking' },
      ip: '203.0.113.7',
      userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)',
      referrer: 'https://example.com/contact',
      createdAt: 1777899600000,
    },
  ],
};

export const listSubmissionsDocs: OperationDocs = {
  id: 'listFormSubmissions',
  tag,
  summary: 'List the submissions of a form',
  description:
    'Lists all submissions that exist when the call begins, newest first. To be notified of each ' +
    `submission, use a webhook for the event \`form.submitted\`. ${streamed}\n\n` +
    `${ofDeletedForms} \`form\` is then as it was, with its \`status\`, and has \`"deleted": true\` and a ` +
    '`deletedAt` in milliseconds since 1970.',
  ...(params && { params }),
  responses: { 200: { description: 'The form and its submissions', schema: submissionList, example } },
  furtherLimit,
};

export const deleteSubmissionDocs: OperationDocs = {
  id: 'deleteFormSubmission',
  tag,
  summary: 'Delete a submission',
  description:
    'Deletes a submission permanently, with everything that is stored of its visitor. `submissionCount` ' +
    'decreases by one. This also works for submissions of a deleted form. Backups of the database contain ' +
    'the submission for as long as they are kept.',
  params: {
    ...params,
    submissionId: { description: 'The `submissionId` of the submission.', example: 'subm_8Zq2mQw7Rk4nX5cP' },
  },
  responses: { 204: { description: 'The submission is deleted' } },
  refusals: { 404: 'The form does not exist, or it has no submission with this id' },
};

export const exportSubmissionsDocs: OperationDocs = {
  id: 'exportFormSubmissions',
  tag,
  summary: 'Export the submissions of a form',
  description:
    `Exports all submissions that exist when the call begins, newest first. ${ofDeletedForms} ` +
    `${streamedCsv} Columns:\n\n` +
    '- `submissionId`\n' +
    '- `createdAt`: ISO 8601, UTC\n' +
    '- a column for each current field of the form, named after its label. If another column has the same ' +
    'name, the id is added\n' +
    '- `ip`, `userAgent`, `referrer`\n' +
    '- `otherValues`: the values of fields that the form no longer has, as JSON',
  ...(params && { params }),
  responses: { 200: { description: 'The file', contentTypes: ['text/csv'], headers: disposition } },
  furtherLimit,
};
