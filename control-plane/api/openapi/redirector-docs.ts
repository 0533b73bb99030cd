/**
 * Documentation of the redirector's own paths: `{qrHost}/r/{id}` and others. The redirector serves them; this plane
 * describes them.
 */
import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { dataTypes } from '#schemas/api/data-types.ts';
import { described } from '#schemas/api/described.ts';
import { encryptionTypes, passwordLengthMax } from '#schemas/api/protection.ts';
import { sourceIdLengthMax } from '#schemas/api/routing.ts';
import { boundedText, ownText } from '#schemas/api/text.ts';
import type { ErrorCode } from '#shared/errors.ts';
import { scanTag } from '../http/operation.ts';
import { gs1Paths } from './gs1-docs.ts';
import { bodiless, header, page, refusal, refusalOf, retryAfter } from './redirector-answers.ts';
import { verificationPaths } from './verification-docs.ts';

const rateHeaders = {
  RateLimit: header(
    '`limit=600, remaining=599, reset=12`: the scans that are left, and the seconds until the minute ends',
  ),
  'RateLimit-Policy': header('`600;w=60`: scans from one address in a minute. A 4xx response is not counted'),
};
/** The JSON for programs; browsers get a page. */
const shown = z.union([
  z.object(
    described(
      { dataType: z.enum(dataTypes), data: ownText() },
      { dataType: 'The type of the payload.', data: 'The payload.' },
    ),
  ),
  z.object(
    described(
      { encrypted: z.enum(encryptionTypes), dataType: z.enum(dataTypes), jwe: ownText() },
      {
        encrypted: 'The kind of key that opens the payload.',
        dataType: 'The type of the sealed payload.',
        jwe: 'The sealed payload (RFC 7516).',
      },
    ),
  ),
  z.object(
    described(
      { app: ownText().nullable(), store: ownText().nullable(), destination: ownText().nullable() },
      {
        app: 'The link that opens the app. Null if the app cannot be opened.',
        store: 'The store page of the app. Null if it is not known.',
        destination: 'The destination without the app. Null if there is none.',
      },
    ),
  ),
]);

const refusals = (errorSchema: z.ZodType) => {
  const of = (text: string, code: ErrorCode, error: string, headers = {}) =>
    refusalOf(errorSchema, text, code, error, headers);
  return {
    ...of('The operator of the service has suspended the code', 'CODE_SUSPENDED', 'This code is suspended'),
    ...of(
      'There is no code with this id, or the code has not started yet (`CODE_NOT_STARTED`)',
      'NOT_FOUND',
      'No code has this id',
    ),
    ...of(
      'The code is inactive (`CODE_INACTIVE`), was erased (`CODE_ERASED`), has expired (`CODE_EXPIRED`) or has reached its scan cap ' +
        '(`SCAN_CAP_REACHED`)',
      'CODE_EXPIRED',
      'This code has expired',
    ),
    ...of('Too many scans from one address', 'RATE_LIMITED', 'Too many scans from this address', {
      ...rateHeaders,
      ...retryAfter,
    }),
    ...of(
      'The code cannot be looked up, or its scans cannot be counted, at the moment',
      'UNAVAILABLE',
      'The code cannot be looked up at the moment',
      retryAfter,
    ),
  };
};

const redirect = (description: string) => ({
  description,
  headers: {
    ...rateHeaders,
    Location: header('The target of the scan'),
    'Cache-Control': header('`private, no-store`: every scan reaches the service'),
  },
});

const shownPage = (description: string) => ({
  description,
  headers: rateHeaders,
  content: {
    ...page,
    'application/json': { schema: shown, example: { dataType: 'text', data: 'Hello' } },
  },
});

const requestParams = {
  path: z.object({
    id: boundedText(64).meta({
      description:
        'The id of the code, which never changes, or one of its aliases. With a plus sign after it (`nX5cPq7Rk+`), GET and ' +
        'HEAD answer with a preview: where the code leads, without a redirect and without a scan.',
      example: 'nX5cPq7Rk',
    }),
  }),
  query: z.object({
    s: boundedText(sourceIdLengthMax)
      .optional()
      .meta({
        description:
          'The id of one of the code’s `sources`, for which the scan is counted. An unknown id is ignored. ' +
          'Other parameters are forwarded if the code has `forwardQuery`, and looked at by its rules.',
      }),
  }),
};

const passwordSchema = z.object({
  password: boundedText(passwordLengthMax).meta({ description: 'The password of the code.' }),
});

const passwordBody = {
  required: true,
  description: 'At most 4 KB.',
  content: {
    'application/x-www-form-urlencoded': { schema: passwordSchema },
    'application/json': {
      schema: passwordSchema,
      examples: { password: { summary: 'A password', value: { password: 'open sesame' } } },
    },
  },
};

/**
 * @param qrHost the origin of the redirector
 * @param errorSchema the body of every response that is not 2xx
 */
export const scanPaths = (qrHost: string, errorSchema: z.ZodType): ZodOpenApiPathsObject => {
  const common = { tags: [scanTag], servers: [{ url: qrHost }], security: [], requestParams };
  const scan = scanOperation(errorSchema);
  return {
    '/r/{id}': {
      get: { ...common, ...scan },
      head: { ...common, ...probeOperation(scan) },
      post: { ...common, ...unlockOperation(errorSchema) },
    },
    ...verificationPaths(qrHost, errorSchema),
    ...gs1Paths(qrHost, errorSchema),
  };
};

const scanOperation = (errorSchema: z.ZodType): ZodOpenApiOperationObject => ({
  operationId: 'scanCode',
  summary: 'Scan a code',
  description:
    'Redirects to the destination. The scan is counted, and counts against the scan cap if there is one. ' +
    'Crawlers, link previews and prefetches are redirected but not counted. A trailing slash makes no ' +
    'difference.',
  responses: {
    200: shownPage(
      'The content of the code, if it is not a location: a page that does on a phone what the data type ' +
        'means, opens a sealed payload in the browser, tries to open an app, or asks for a password',
    ),
    302: redirect(
      'To the destination, or to the target of a routing rule, a campaign or a deep link; for browsers also to ' +
        '`beforeStartUrl` or `expiredUrl`',
    ),
    401: refusal(
      errorSchema,
      'The code needs a password. A browser gets a form instead, with 200',
      'PASSWORD_REQUIRED',
      'This code needs a password',
    ),
    ...refusals(errorSchema),
  },
});

/** The probe has the status and headers of the scan's response. */
const probeOperation = (scan: ZodOpenApiOperationObject): ZodOpenApiOperationObject => ({
  operationId: 'probeCode',
  summary: 'Check where a code leads',
  description:
    'Returns the status and headers of a scan, without a body. It is not counted as a scan, but counts ' +
    'against the rate limit.',
  responses: bodiless(scan.responses),
});

const unlockOperation = (errorSchema: z.ZodType): ZodOpenApiOperationObject => ({
  operationId: 'unlockCode',
  summary: 'Unlock a code with its password',
  description: 'Opens a protected code, as its form does. The scan is counted if the password is right.',
  requestBody: passwordBody,
  responses: {
    200: shownPage('The password is right, and the content of the code is not a location'),
    303: redirect('The password is right'),
    401: refusal(
      errorSchema,
      'The password is wrong. A browser gets the form again',
      'PASSWORD_WRONG',
      'The password is wrong',
    ),
    405: refusal(
      errorSchema,
      'The code has no password',
      'METHOD_NOT_ALLOWED',
      'Only GET and HEAD are allowed, and POST of a password',
      { Allow: header('`GET, HEAD, POST`') },
    ),
    ...refusals(errorSchema),
    429: refusal(
      errorSchema,
      'Too many scans from one address, or too many attempts at a password',
      'RATE_LIMITED',
      'Too many passwords were tried',
      { ...rateHeaders, ...retryAfter },
    ),
  },
});
