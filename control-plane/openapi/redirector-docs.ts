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

export const scanTagDescription =
  'What scanners ask the origin of the codes for. It needs no key. Browsers, whose `Accept` names `text/html`, get pages; programs ' +
  'get JSON. “Try it out” reaches the API only: ask this origin with a browser or with curl.';

const rateHeaders = {
  RateLimit: header(
    '`limit=600, remaining=599, reset=12`: what is left of the minute, and seconds to its end',
  ),
  'RateLimit-Policy': header('`600;w=60`: scans of one address in a minute; answers of 4xx are not counted'),
};
/** The JSON for programs; browsers get a page. */
const shown = z.union([
  z.object(
    described(
      { dataType: z.enum(dataTypes), data: ownText() },
      { dataType: 'What the code holds.', data: 'The payload.' },
    ),
  ),
  z.object(
    described(
      { encrypted: z.enum(encryptionTypes), dataType: z.enum(dataTypes), jwe: ownText() },
      {
        encrypted: 'What opens it.',
        dataType: 'What was sealed.',
        jwe: 'The sealed payload (RFC 7516).',
      },
    ),
  ),
  z.object(
    described(
      { app: ownText().nullable(), store: ownText().nullable(), destination: ownText().nullable() },
      {
        app: 'What opens the app; null where it cannot be opened.',
        store: 'Where the app is to be had; null where that is not said.',
        destination: 'Where the code leads without the app; null where it does not.',
      },
    ),
  ),
]);

const refusals = (errorSchema: z.ZodType) => {
  const of = (text: string, code: ErrorCode, error: string, headers = {}) =>
    refusalOf(errorSchema, text, code, error, headers);
  return {
    ...of('There is no code with this id', 'NOT_FOUND', 'No code has this id'),
    ...of(
      'The code is switched off (`CODE_INACTIVE`), has expired (`CODE_EXPIRED`) or has had as many scans as it may have ' +
        '(`SCAN_CAP_REACHED`)',
      'CODE_EXPIRED',
      'This code has expired',
    ),
    ...of('More scans than one address may send', 'RATE_LIMITED', 'Too many scans from this address', {
      ...rateHeaders,
      ...retryAfter,
    }),
    ...of(
      'The code cannot be looked up, or its scans cannot be counted, just now',
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
    Location: header('Where the scan leads'),
    'Cache-Control': header('`private, no-store`: every scan is asked for'),
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
    id: boundedText(64).meta({ description: 'The id of the code. It never changes.', example: 'nX5cPq7Rk' }),
  }),
  query: z.object({
    s: boundedText(sourceIdLengthMax).optional().meta({
      description:
        'The id of one of the code’s `sources`, for which the scan is counted. Any other is ignored, as all other parameters are.',
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
    'Leads on to the destination, counts the scan, and takes it from the cap where there is one. Crawlers, link previews and ' +
    'prefetches are led on and not counted. A slash at the end makes no difference.',
  responses: {
    200: shownPage(
      'What the code holds, where that is no location: a page that does on a phone what the data type means, that opens a ' +
        'sealed payload in the browser, that tries an app, or that asks for a password',
    ),
    302: redirect('To the destination, or where a routing rule, a campaign or a deep link sends the scan'),
    401: refusal(
      errorSchema,
      'The code needs a password. A browser gets the form as 200',
      'PASSWORD_REQUIRED',
      'This code needs a password',
    ),
    ...refusals(errorSchema),
  },
});

/** The probe has the status and headers of the scan's response. */
const probeOperation = (scan: ZodOpenApiOperationObject): ZodOpenApiOperationObject => ({
  operationId: 'probeCode',
  summary: 'Ask where a code leads',
  description: 'Answers as a scan does, without a body, and is not counted as one; the rate limit counts it.',
  responses: bodiless(scan.responses),
});

const unlockOperation = (errorSchema: z.ZodType): ZodOpenApiOperationObject => ({
  operationId: 'unlockCode',
  summary: 'Open a code with its password',
  description: 'What the form of a protected code sends. The scan is counted where the password is right.',
  requestBody: passwordBody,
  responses: {
    200: shownPage('The password is right, and the code holds what is no location'),
    303: redirect('The password is right'),
    401: refusal(
      errorSchema,
      'The password is wrong; a browser gets the form again',
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
      'More scans than one address may send, or too many passwords were tried',
      'RATE_LIMITED',
      'Too many passwords were tried',
      { ...rateHeaders, ...retryAfter },
    ),
  },
});
