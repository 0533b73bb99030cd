/** The documentation of the log of requests. */
import { requestLogDays, requestLogList, wholeRequestLogEntry } from '#schemas/api/request-logs.ts';
import type { OperationDocs } from '../../api/http/operation.ts';

const tag = 'Request log';

const entry = {
  id: '3f2b8c1e-5a77-4a5c-9d3e-0c5b7d1f2a90',
  at: '2026-05-04T12:00:00.000Z',
  method: 'PUT',
  route: '/api/qr/codes/{id}',
  path: '/api/qr/codes/nX5cPq7Rk',
  status: 422,
  errorCode: 'UNPROCESSABLE',
  errorParam: 'routingRules[2].destination',
  durationMs: 4,
  keyId: 'key_7Ab3kQw2ZnX5cPq7',
  network: '203.0.113.0/24',
  idempotencyKeySent: false,
};

const kept =
  `A request is in the log for ${requestLogDays} days, from a few seconds after its response on. The log has requests ` +
  'with a valid key of the workspace. It never holds up a request: while there are more than 1,000 in a second, or while ' +
  'its storage is away for long, requests are left out.';

export const listRequestLogsDocs: OperationDocs = {
  id: 'listRequestLogs',
  tag,
  summary: 'List the requests of the workspace',
  description:
    `Lists API calls with their outcome, the newest first. Filters combine: an entry matches all of them. ${kept}\n\n` +
    'Addresses are shortened to their network before they are stored: /24 of IPv4, /48 of IPv6.',
  responses: {
    200: {
      description: 'A page',
      schema: requestLogList,
      example: { data: [entry], pagination: { limit: 25, cursor: null, nextCursor: null } },
    },
  },
};

export const readRequestLogDocs: OperationDocs = {
  id: 'getRequestLog',
  tag,
  summary: 'Get a request of the log',
  description: `Returns an API call by the \`request-id\` of its response. If it failed, its body is there without secrets. ${kept}`,
  params: {
    requestId: {
      description: 'The `request-id` of the response, or the `requestId` of an error.',
      example: entry.id,
    },
  },
  responses: {
    200: {
      description: 'The request',
      schema: wholeRequestLogEntry,
      example: {
        ...entry,
        errorMessage:
          "routingRules[2].destination must be an absolute http or https URL with a host; given: 'nowhere'",
        requestBody: {
          password: '[redacted]',
          routingRules: [
            { condition: { country: ['DE'] }, destination: 'https://example.com/de' },
            { condition: { country: ['FR'] }, destination: 'https://example.com/fr' },
            { condition: { country: ['IT'] }, destination: 'nowhere' },
          ],
        },
      },
    },
  },
  refusalExamples: {
    403: {
      error: 'The API key lacks the permission request-logs:read',
      code: 'PERMISSION_MISSING',
      permission: 'request-logs:read',
    },
    404: { error: `There is no request with the id '${entry.id}' in the log`, code: 'NOT_FOUND' },
  },
};
