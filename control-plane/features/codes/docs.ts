/** The documentation of the operations on codes. */
import {
  codeList,
  codeObject,
  createdCodeObject,
  deactivatedCodeObject,
  updatedCodeObject,
  wholeCodeObject,
} from '#schemas/api/codes.ts';
import type { OperationDocs, ResponseDocs } from '../../api/http/operation.ts';
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
    '`scanCount` if the counts are the last known ones, because the store of scans is unavailable',
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
    'Creates a code whose destination can be changed after it is printed. The pattern encodes ' +
    '`redirectUrl`. Each scan is redirected to the destination and counted. The code works as soon as this ' +
    'call returns.',
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
  summary: 'List codes',
  description:
    'Lists the codes of the workspace, newest first. Send the same filters with each page. Codes that are ' +
    'created in the meantime do not shift the pages.',
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
  summary: 'Get a code',
  description:
    'Returns a code with the number of its scans so far. Its campaign, routing rules, deep link, style and ' +
    'sources are included if it has them.',
  params,
  responses: { 200: { ...oneCode('The code'), schema: wholeCodeObject } },
};

export const updateCodeDocs: OperationDocs = {
  id: 'updateCode',
  tag,
  summary: 'Update a code',
  description:
    'Updates the fields that are sent. Other fields keep their values. Scans see the change as soon as ' +
    'this call returns, so nothing has to be printed again. A new style is drawn and decoded before it is ' +
    'stored. A style that no scanner can read is refused with 422.\n\n' +
    'How the style is updated:\n\n' +
    '- A key that is sent replaces the stored key as a whole. Other keys keep their values.\n' +
    '- If any key of the look is sent (all but `width`, `height`, `margin` and `returnType`), omitting ' +
    '`image` removes the logo, and omitting `frame` removes the frame.\n' +
    '- A `preset` replaces a brand kit, and a `brandKitId` replaces a preset.\n' +
    '- `null` removes one key and keeps the others: `{"image": null}` removes the logo and keeps the frame.',
  params,
  requestExamples: {
    destination: { summary: 'Send scans elsewhere', value: { destination: 'https://example.org/summer' } },
    pause: { summary: 'Switch the code off', value: { status: 'inactive' } },
    campaign: {
      summary: 'Compare two pages',
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
        'The updated code, with its campaign, routing rules, deep link, style and sources if it has them',
        {
          ...exampleCode,
          destination: 'https://example.org/summer',
        },
      ),
      schema: updatedCodeObject,
    },
  },
  refusals: {
    409: 'The code is encrypted, is locked for compliance, or keeps being changed by other requests',
  },
  refusalExamples: { 409: { error: 'An encrypted code cannot be updated', code: 'CONFLICT' } },
};

export const activateCodeDocs: OperationDocs = {
  id: 'activateCode',
  tag,
  summary: 'Activate a code',
  description:
    'Resumes the redirects of a code. This also works for an encrypted code, which `PUT` cannot change. An ' +
    'active code stays as it is. A code that is locked for compliance stays inactive until the operator ' +
    'lifts the lock.',
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
    'Deactivates a code: its scans get a page that says so. Nothing is deleted. Analytics and ' +
    'configuration are kept, and a `POST` to `activateUrl` activates the code again. Repeating the call ' +
    'changes nothing.',
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
  refusals: { 409: 'The code is under legal hold' },
  refusalExamples: {
    409: { error: 'This code is in legal hold and cannot be deactivated', code: 'CONFLICT' },
  },
};
