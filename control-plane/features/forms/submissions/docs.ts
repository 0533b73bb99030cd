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
    `it cannot be finished the connection is reset. ${ofDeletedForms} Then \`form\` has a \`deletedAt\`, in epoch milliseconds.`,
  ...(params && { params }),
  responses: { 200: { description: 'The form and its submissions', schema: submissionList, example } },
  furtherLimit,
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
