/** The documentation of conversions. */
import { z } from 'zod';
import {
  conversionBody,
  conversionDaysMax,
  conversionObject,
  conversionResults,
  conversionsMax,
} from '#schemas/api/conversions.ts';
import type { OperationDocs } from '../../api/http/operation.ts';

const scanId = 'q3Zr0bVn1mS8yTq5cXo2uE7hKd4wLfGa9pRjNsUvIxY';

const recorded = {
  status: 'recorded',
  conversionId: 'conv_7Rk2mQw8Z4nX5cPq',
  event: 'purchase',
  codeId: 'nX5cPq7Rk',
  variantId: 'b',
  ruleId: null,
  scannedAt: '2026-05-04T11:48:00.000Z',
  occurredAt: '2026-05-04T12:00:00.000Z',
  counted: true,
};

const purchase = { scanId, event: 'purchase', externalId: 'order-1001', value: 49.9, currency: 'EUR' };

export const reportConversionsDocs: OperationDocs = {
  id: 'reportConversions',
  tag: 'Analytics',
  summary: 'Report conversions',
  description:
    'Records a result of a scan, such as a purchase: from your server to ours, without a pixel and without a cookie. A code ' +
    'with `scanIdParameter` adds an id of the scan to the URL that a scan leads to. Keep it, and send it here. A code whose ' +
    '`analytics` is `none` has no such ids.\n\n' +
    'A report may be sent again: with the same `event` and `externalId`, or, without an `externalId`, of the same scan with ' +
    'the same `event`, it is counted once. Other facts under the same name are refused. A scan converts for ' +
    `${conversionDaysMax} days, after which its reports are refused; an \`externalId\` is compared for 92 days.\n\n` +
    `The body is a report, or an array of at most ${conversionsMax}. Each report of an array is taken or refused by itself, ` +
    'and has a result. After 503, send all of it again. `GET /api/qr/analytics` counts conversions with ' +
    '`conversions=scanned` or `conversions=occurred`.',
  requestSchema: z.union([conversionBody, z.array(conversionBody).min(1).max(conversionsMax)]),
  requestExamples: {
    one: { summary: 'A purchase', value: purchase },
    several: {
      summary: 'Several',
      value: [purchase, { scanId, event: 'registration', occurredAt: '2026-05-04T11:55:00Z' }],
    },
  },
  responses: {
    200: {
      description: 'For an array: a result for each report',
      schema: conversionResults,
      example: {
        recorded: 1,
        repeated: 0,
        refused: 1,
        results: [
          recorded,
          {
            status: 'refused',
            code: 'SCAN_NOT_FOUND',
            param: 'scanId',
            message:
              'scanId must be of a scan of this workspace; a scan is known some two seconds after it was made',
          },
        ],
      },
    },
    201: { description: 'For a single report: the conversion', schema: conversionObject, example: recorded },
  },
  refusals: {
    404: 'The workspace has no scan with this id, or not yet',
    409: 'It was reported before with other facts',
    503: 'The store of conversions is unavailable, or too many reports are being taken; send all again after `Retry-After` seconds',
  },
  refusalExamples: {
    404: {
      error: 'scanId must be of a scan of this workspace; a scan is known some two seconds after it was made',
      code: 'SCAN_NOT_FOUND',
    },
    409: { error: 'externalId was reported for this event with other facts before', code: 'CONFLICT' },
  },
  furtherLimit: 'more than 16 calls with conversions of the workspace wait',
};
