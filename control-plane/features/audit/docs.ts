/** The documentation of the audit log. */
import { auditKeptDays, auditList } from '#schemas/api/audit.ts';
import type { OperationDocs } from '../../api/http/operation.ts';

export const auditDocs: OperationDocs = {
  id: 'listAuditLog',
  tag: 'Audit log',
  summary: 'List who did what',
  description:
    'Lists the requests that changed something in the workspace, newest first: who sent them, what they did, ' +
    'and to which resource. An entry is stored in the transaction of the change, so there is one if and only if ' +
    'the change was made. A refused request has none, nor has a repeated answer of an idempotency key, or a ' +
    '`PUT` of a code that changed nothing. A bulk operation has one entry; the history of each code has its ' +
    'changes. Commands of the operator that concern the workspace are included. What the payment provider or a ' +
    `nightly check changes is not: see the feed of events. Entries are kept for ${auditKeptDays} days. A request ` +
    'that is still running when a page is read may be added at its time later.',
  responses: {
    200: {
      description: 'A page of entries',
      schema: auditList,
      example: {
        data: [
          {
            id: 'aud_7Rk2mQw8Z4nX5cPq',
            at: '2026-05-04T12:00:00.000Z',
            by: { type: 'key', keyId: 'key_4nX5cPq7Rk2mQw8Z', keyName: 'Till' },
            operation: 'updateCode',
            resourceId: 'nX5cPq7Rk',
            requestId: 'b3b1e6a4-5f0c-4d5e-9a51-0d6a8a1f7c11',
          },
        ],
        pagination: { limit: 25, cursor: null, nextCursor: null },
      },
    },
  },
  refusalExamples: {
    400: { error: 'to must be later than from; given: "2026-05-04T12:00:00.000Z"', code: 'INVALID_REQUEST' },
  },
};
