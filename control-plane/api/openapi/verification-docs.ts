/**
 * Documentation of the page behind a serialized code, `{qrHost}/v/{itemId}/{signature}`, which the redirector serves.
 */
import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { serialRefusal, serialVerification } from '#schemas/api/serial-verification.ts';
import { boundedText } from '#schemas/api/text.ts';
import { refusalTexts } from '#schemas/verification.ts';
import { errorBody } from '#shared/errors.ts';
import { scanTag } from '../http/operation.ts';
import { bodiless, header, page, refusalOf, retryAfter } from './redirector-answers.ts';

const rateHeaders = {
  RateLimit: header(
    '`limit=60, remaining=59, reset=12`: the verifications that are left, and the seconds until the minute ' +
      'ends',
  ),
  'RateLimit-Policy': header('`60;w=60`: verifications from one address in a minute, whatever the response'),
};

const neutral = z.object({
  verdict: z.null().meta({ description: 'Null for a bot or a HEAD, which claim nothing.' }),
});

const verdict = (description: string, schema: z.ZodType, example: object) => ({
  description,
  headers: rateHeaders,
  content: { ...page, 'application/json': { schema, example } },
});

const itemId = '7Yh2kPq9RsTu';

const requestParams = {
  path: z.object({
    itemId: boundedText(64).meta({ description: 'The id of the item.', example: itemId }),
    signature: boundedText(64).meta({
      description: 'The signature, which shows that the item was minted by this service.',
      example: '2b4Cd6Ef8Gh1Jk3M',
    }),
  }),
};

const responsesOf = (errorSchema: z.ZodType) => ({
  200: verdict(
    'The verdict on an item that exists. A bot and a HEAD get no verdict',
    z.union([serialVerification, neutral]),
    {
      verdict: 'authentic',
      itemId,
      productSku: 'SNK-042',
      productName: 'Trail runner 42',
      gtin: null,
      brandName: 'Example Shoes',
      notice: null,
      mark: null,
      scanCount: 1,
      firstScannedAt: 1777896000000,
      firstScanCountry: 'DE',
      sameDevice: false,
    },
  ),
  404: verdict(
    'The signature is not from this service (`not_genuine`), or the item does not exist (`not_known`)',
    serialRefusal,
    { verdict: 'not_genuine', ...errorBody('NOT_FOUND', refusalTexts.not_genuine) },
  ),
  ...refusalOf(
    errorSchema,
    'Too many verifications from one address',
    'RATE_LIMITED',
    'Too many verifications from this address',
    { ...rateHeaders, ...retryAfter },
  ),
  ...refusalOf(
    errorSchema,
    'The code cannot be verified at the moment, which says nothing about it. Also the response to a ' +
      'browser that prefetches the page',
    'UNAVAILABLE',
    'This code cannot be verified at the moment, which says nothing about it',
    { ...rateHeaders, ...retryAfter },
  ),
});

/**
 * @param qrHost the origin of the redirector
 * @param errorSchema the body of every response that is not 2xx
 */
export const verificationPaths = (qrHost: string, errorSchema: z.ZodType): ZodOpenApiPathsObject => {
  const common = { tags: [scanTag], servers: [{ url: qrHost }], security: [], requestParams };
  const responses = responsesOf(errorSchema);
  return {
    '/v/{itemId}/{signature}': {
      get: {
        ...common,
        operationId: 'openItem',
        summary: 'Scan a serialized code',
        description:
          'Verifies an item of a serialized batch, as `POST /api/verify/serial` does. The first scan by a ' +
          'person claims the item. A trailing slash makes no difference.',
        responses,
      },
      head: {
        ...common,
        operationId: 'probeItem',
        summary: 'Check the page of a serialized code',
        description:
          'Returns the status and headers without a body. It claims nothing, but counts against the rate ' +
          'limit.',
        responses: bodiless(responses),
      },
    },
  };
};
