/** The documentation of the operations on submissions. */
import { submissionList } from '#schemas/api/submissions.ts';
import { csvRules, disposition, furtherLimit, sending } from '../../../http/attachment-docs.ts';
import type { OperationDocs } from '../../../http/operation.ts';
import { formDocs, formExample } from '../docs.ts';

const { tag, params } = formDocs.find;

const ofDeletedForms =
  'Submissions stay when their form is deleted, and are read here as before, until they are purged: by ' +
  '`DELETE /api/qr/forms/{formId}?purgeSubmissions=true`, which works after the form was deleted, too.';

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
    'All submissions that exist when the call begins, newest first, without pages: the answer is sent as fast as it is read, and where ' +
    `it cannot be finished the connection is reset. The event \`form.submitted\` tells a webhook of each submission. ${ofDeletedForms} Then \`form\` is as it was, with its \`status\`, and has \`"deleted": true\` and a \`deletedAt\`, in epoch milliseconds.`,
  ...(params && { params }),
  responses: { 200: { description: 'The form and its submissions', schema: submissionList, example } },
  furtherLimit,
};

export const deleteSubmissionDocs: OperationDocs = {
  id: 'deleteFormSubmission',
  tag,
  summary: 'Delete a submission',
  description:
    'One submission is removed for good, with all that is stored of its visitor, and `submissionCount` is one less. It works for the ' +
    'submissions of a deleted form, too. Backups of the database have it for as long as they are kept.',
  params: {
    ...params,
    submissionId: { description: 'The `submissionId` from the list', example: 'subm_8Zq2mQw7Rk4nX5cP' },
  },
  responses: { 204: { description: 'It is gone' } },
  refusals: { 404: 'There is no form with this id, or it has no submission with this id' },
};

export const exportSubmissionsDocs: OperationDocs = {
  id: 'exportFormSubmissions',
  tag,
  summary: 'Export the submissions of a form',
  description:
    'Every submission that exists when the call begins, newest first: `submissionId`, `createdAt` (ISO 8601, UTC), a column for each ' +
    'field of the form as it is now, with its label as its name, or its label and its id where another column is called the same, ' +
    'then `ip`, `userAgent`, `referrer`, and `otherValues`, which has, as JSON, the values of fields that the form no longer has. ' +
    `${ofDeletedForms} ${csvRules} ${sending}`,
  ...(params && { params }),
  responses: { 200: { description: 'The file', contentTypes: ['text/csv'], headers: disposition } },
  furtherLimit,
};
