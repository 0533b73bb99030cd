/** The documentation of the operations on codes. */
import {
  codeList,
  codeObject,
  createdCodeObject,
  deactivatedCodeObject,
  updatedCodeObject,
  wholeCodeObject,
} from '#schemas/api/codes.ts';
import type { OperationDocs, ResponseDocs } from '../../http/operation.ts';
import { codeIdParam, dynamicCodesTag } from './store/docs.ts';

const tag = dynamicCodesTag;
const params = codeIdParam;

const exampleCode = {
  id: 'nX5cPq7Rk',
  type: 'dynamic',
  name: 'Table 7',
  dataType: 'url',
  destination: 'https://example.com/menu',
  redirectUrl: 'https://qr.example.com/r/nX5cPq7Rk',
  status: 'active',
  encrypted: false,
  passwordProtected: false,
  expiresAt: null,
  maxScans: null,
  scanCount: 0,
  secure: [],
  createdAt: '2026-05-04T12:00:00.000Z',
  updatedAt: '2026-05-04T12:00:00.000Z',
};

const staleHeader = {
  'waymark-stale':
    '`scanCount` while the counts are the last ones known: the store of scans does not answer just now',
};

const oneCode = (description: string, example: object = exampleCode): ResponseDocs => ({
  description,
  schema: codeObject,
  example,
  headers: staleHeader,
});

export const createCodeDocs: OperationDocs = {
  id: 'createCode',
  tag,
  summary: 'Create a dynamic code',
  description:
    'Makes a code whose destination can be changed after it is printed. The pattern encodes `redirectUrl`; each scan of it ' +
    'is sent on to the destination and counted. The code works as soon as this answers.',
  requestExamples: {
    url: { summary: 'A web address', value: { data: 'https://example.com/menu', name: 'Table 7' } },
    wifi: {
      summary: 'A network to join',
      value: { dataType: 'wifi', data: { ssid: 'Guests', password: 'welcome!', encryption: 'WPA' } },
    },
    protected: {
      summary: 'With a password, for a thousand scans',
      value: {
        data: 'https://example.com/menu',
        secure: ['password'],
        password: 'open sesame',
        maxScans: 1000,
      },
    },
  },
  responses: {
    201: {
      description: 'The new code, active',
      schema: createdCodeObject,
      example: exampleCode,
      headers: { location: 'The URL of the code in this API' },
    },
  },
};

export const listCodesDocs: OperationDocs = {
  id: 'listCodes',
  tag,
  summary: 'List the codes',
  description:
    'The workspace’s codes, newest first, a page at a time. To get the next page, send `pagination.nextCursor` as `cursor` ' +
    'with the same filters, until it is null. Codes that are made meanwhile do not shift the pages.',
  responses: {
    200: {
      description: 'A page of codes',
      schema: codeList,
      example: {
        data: [exampleCode],
        pagination: { total: 1, limit: 25, cursor: null, nextCursor: null },
      },
      headers: staleHeader,
    },
  },
};

export const readCodeDocs: OperationDocs = {
  id: 'getCode',
  tag,
  summary: 'Read a code',
  description:
    'One code, with the number of its scans so far, and its campaign, routing rules, deep link, style and sources where it has ' +
    'them.',
  params,
  responses: { 200: { ...oneCode('The code'), schema: wholeCodeObject } },
};

export const updateCodeDocs: OperationDocs = {
  id: 'updateCode',
  tag,
  summary: 'Change a code',
  description:
    'Changes the fields that are sent and leaves the others as they are. From the moment this answers, scans see the new ' +
    'state: nothing has to be printed again. A new style is drawn and read before it is stored: one that no scanner reads is ' +
    'refused with 422.\n\n' +
    'Each key of the style that is sent replaces that key as a whole. As soon as any key of the look is sent (all but `width`, ' +
    '`height`, `margin` and `returnType`), leaving out `image` drops the logo and leaving out `frame` drops the frame; ' +
    'every other key stays. A `preset` takes the place of a brand kit, and a `brandKitId` that of a preset. `null` takes one key ' +
    'of the style away and leaves the rest: `{"image": null}` drops the logo and keeps the frame.',
  params,
  requestExamples: {
    destination: { summary: 'Send scans elsewhere', value: { destination: 'https://example.org/summer' } },
    pause: { summary: 'Switch the code off', value: { status: 'inactive' } },
    campaign: {
      summary: 'Try two pages against each other',
      value: {
        campaign: {
          status: 'active',
          variants: [
            { id: 'a', name: 'Photos', destination: 'https://example.com/photos', weight: 3 },
            { id: 'b', name: 'Prices', destination: 'https://example.com/prices', weight: 1 },
          ],
        },
      },
    },
    routing: {
      summary: 'Send phones in Germany elsewhere',
      value: {
        routingRules: [
          {
            id: 'de',
            condition: { country: ['DE'], device: ['mobile'] },
            destination: 'https://example.de/',
          },
        ],
      },
    },
  },
  responses: {
    200: {
      ...oneCode(
        'The code as it is now, with its campaign, routing rules, deep link, style and sources where it has them',
        {
          ...exampleCode,
          destination: 'https://example.org/summer',
        },
      ),
      schema: updatedCodeObject,
    },
  },
  refusals: {
    409: 'The code is encrypted, or locked for compliance, or is being changed by others all the time',
  },
  refusalExamples: { 409: { error: 'An encrypted code cannot be updated', code: 'CONFLICT' } },
};

export const activateCodeDocs: OperationDocs = {
  id: 'activateCode',
  tag,
  summary: 'Activate a code',
  description:
    'Redirects resume, also of an encrypted code, which `PUT` cannot change. An active code stays as it is. A code that is ' +
    'locked for compliance stays inactive until the operator lifts the lock.',
  params,
  responses: { 200: { ...oneCode('The active code'), schema: wholeCodeObject } },
  refusals: { 409: 'The code is locked for compliance' },
  refusalExamples: {
    409: { error: 'This code is locked for compliance and cannot be activated', code: 'CONFLICT' },
  },
};

export const deleteCodeDocs: OperationDocs = {
  id: 'deleteCode',
  tag,
  summary: 'Deactivate a code',
  description:
    'Scans get a page that says so. Nothing is destroyed: analytics and configuration are kept, and a `POST` to `activateUrl` ' +
    'makes the code active again. Repeating the DELETE changes nothing.',
  params,
  responses: {
    200: {
      ...oneCode('The inactive code', {
        ...exampleCode,
        status: 'inactive',
        activateUrl: 'https://qr.example.com/api/qr/codes/nX5cPq7Rk/activate',
      }),
      schema: deactivatedCodeObject,
    },
  },
  refusals: { 409: 'The code is in legal hold' },
  refusalExamples: {
    409: { error: 'This code is in legal hold and cannot be deactivated', code: 'CONFLICT' },
  },
};
