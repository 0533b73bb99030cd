/** The log of requests: its query and its answers. */
import { z } from 'zod';
import { instantParameter } from './instants.ts';
import { boundedText, ownText, wholeNumberParameter } from './text.ts';

/** How long a request is in the log. */
export const requestLogDays = 7;

export const loggedMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Longer than ours, which have some 60 characters. */
const cursorLengthMax = 200;
const idLengthMax = 64;
const routeLengthMax = 200;

/** `404` or `4xx`: the statuses from the first to the second. */
const statusParameter = boundedText(3)
  .regex(/^[1-5]([0-9][0-9]|xx)$/, 'must be a status such as 404, or a class of them such as 4xx')
  .transform((text): readonly [from: number, to: number] =>
    text.endsWith('xx') ? [Number(text[0]) * 100, Number(text[0]) * 100 + 99] : [Number(text), Number(text)],
  );

export const requestLogQuery = z.object({
  limit: wholeNumberParameter(1, 100).default(25).describe('The largest number of entries in the page.'),
  cursor: boundedText(cursorLengthMax)
    .optional()
    .describe('The `nextCursor` of the previous page, which must have had the same filters.'),
  status: statusParameter
    .optional()
    .describe('Only requests that were answered with this status, such as `404`, or class, such as `4xx`.'),
  method: z.enum(loggedMethods).optional().describe('Only requests with this method.'),
  route: boundedText(routeLengthMax)
    .min(1)
    .optional()
    .describe('Only requests to this route, as entries have it: `/api/qr/codes/{id}`.'),
  keyId: boundedText(idLengthMax).min(1).optional().describe('Only requests with the API key of this id.'),
  from: instantParameter()
    .optional()
    .describe(
      'Only requests that arrived at or after this time: ISO 8601 with an offset, a date alone (midnight UTC), or ' +
        'milliseconds since 1970.',
    ),
  to: instantParameter()
    .optional()
    .describe(
      'Only requests that arrived before this time. A date alone is its beginning, midnight UTC: requests of that day are not ' +
        'included.',
    ),
});
export type RequestLogQuery = z.output<typeof requestLogQuery>;

const entryFields = {
  id: ownText().describe(
    'The id of the request, as in the header `request-id` of its response. If the client sent the same id several ' +
      'times, several entries have it.',
  ),
  at: z.iso.datetime().describe('When the request arrived (ISO 8601, UTC).'),
  method: ownText().describe('The method.'),
  route: ownText().describe('The path of the operation, as in its documentation: `/api/qr/codes/{id}`.'),
  path: ownText().describe(
    'The path and the query as sent, shortened. Values that may be secrets, and parameters that the operation does ' +
      'not have, are replaced by `…`.',
  ),
  status: z.int().describe('The status of the response.'),
  errorCode: ownText().nullable().describe('The `code` of the error. Null if there was none.'),
  errorParam: ownText()
    .nullable()
    .describe('The `param` of the error: the field at fault. Null if there was none.'),
  durationMs: z.int().describe('The time from the arrival of the request to its response, in milliseconds.'),
  keyId: ownText().describe('The id of the API key.'),
  network: ownText()
    .nullable()
    .describe(
      'The network of the client, not its address: a /24 of IPv4, or a /48 of IPv6. Null if unknown.',
    ),
  idempotencyKeySent: z.boolean().describe('Whether the request had an idempotency key.'),
};

export const requestLogEntry = z.object(entryFields);
export type RequestLogEntry = z.output<typeof requestLogEntry>;

export const wholeRequestLogEntry = z.object({
  ...entryFields,
  errorMessage: ownText().nullable().describe('The `error` of the response. Null if there was none.'),
  requestBody: z
    .unknown()
    .describe(
      'The JSON body of a request that failed, at most 8 kB of it. Passwords, keys, tokens, pictures, queries of URLs ' +
        'and encrypted data are replaced, long texts and lists cut. Null if the request succeeded or had no JSON body.',
    ),
});
export type WholeRequestLogEntry = z.output<typeof wholeRequestLogEntry>;

export const requestLogList = z.object({
  data: z.array(requestLogEntry).describe('A page of requests, newest first.'),
  pagination: z
    .object({
      limit: z.int().describe('The largest number of entries in the page.'),
      cursor: ownText().nullable().describe('The `cursor` of the request. Null on the first page.'),
      nextCursor: ownText().nullable().describe('The `cursor` of the next page. Null on the last page.'),
    })
    .describe('The position of the page.'),
});
