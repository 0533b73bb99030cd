/** The documentation of the operations on codes. */
import { z } from 'zod';
import { codeCount, codeList, countedMax } from '#schemas/api/code-lists.ts';
import {
  codeObject,
  createdCodeObject,
  deactivatedCodeObject,
  updatedCodeObject,
  wholeCodeObject,
} from '#schemas/api/codes.ts';
import { boundedText } from '#schemas/api/text.ts';
import type { OperationDocs, ResponseDocs } from '../../api/http/operation.ts';
import { codeIdParam, dynamicCodesTag } from './store/docs.ts';

const tag = dynamicCodesTag;
const params = codeIdParam;

export const exampleCode = {
  id: 'nX5cPq7Rk',
  type: 'dynamic',
  name: 'Table 7',
  dataType: 'url',
  destination: 'https://example.com/menu',
  redirectUrl: 'https://qr.example.com/r/nX5cPq7Rk',
  status: 'active',
  suspension: null,
  healthCheck: false,
  destinationHealth: null,
  encrypted: false,
  passwordProtected: false,
  expiresAt: null,
  maxScans: null,
  scanCount: 0,
  lastScannedAt: null,
  secure: [],
  externalId: 'table-7',
  metadata: { room: 'terrace' },
  notes: null,
  createdBy: 'key_4nX5cPq7Rk2mQw8Z',
  tags: ['Summer'],
  folderId: null,
  archived: false,
  importId: null,
  importedScanCount: null,
  createdAt: '2026-05-04T12:00:00.000Z',
  updatedAt: '2026-05-04T12:00:00.000Z',
};

export const etagHeader = {
  etag: 'The version of the code, as a strong entity tag: for `If-Match` of a later change',
};

const ifMatchLengthMax = 1_000;

/** The header of a change that its client makes to the version that it has seen. */
export const ifMatchHeader = z.object({
  'If-Match': boundedText(ifMatchLengthMax)
    .optional()
    .meta({
      description:
        'The `ETag` of the version that you have read, a list of entity tags, or `*`. If the code has changed since, ' +
        'the answer is 412 and nothing changes. Scans do not change the tag. `If-None-Match` is ignored.',
      example: '"v7"',
    }),
});

export const overtaken = { 412: 'The code does not have an entity tag of `If-Match`' };
export const overtakenExample = {
  412: { error: 'The code has changed: its ETag is "v8" now', code: 'PRECONDITION_FAILED' },
};

/** @param others further states that forbid it */
const takenOr = (others = ''): Record<number, string> => ({
  409: `Another code has the \`externalId\` (\`EXTERNAL_ID_TAKEN\`; \`id\` is that code)${others}`,
});
const takenExample = {
  409: {
    error: "externalId 'table-7' is that of the code nX5cPq7Rk",
    code: 'EXTERNAL_ID_TAKEN',
    id: 'nX5cPq7Rk',
  },
};
/** Of each operation that creates one code. */
export const createRefusals = {
  refusals: takenOr(
    '; the alias is taken (`ALIAS_TAKEN`); the first request with this idempotency key is still in progress',
  ),
  refusalExamples: takenExample,
};
const uneditable =
  '; the code is encrypted, is locked for compliance, or keeps being changed by other requests';

export const staleHeader = {
  'waymark-stale':
    '`scanCount` if the counts are the last known ones, because the store of scans is unavailable',
};

const oneCode = (description: string, example: object = exampleCode): ResponseDocs => ({
  description,
  schema: codeObject,
  example,
  headers: { ...staleHeader, ...etagHeader },
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
      headers: { location: 'The URL of the code in this API', ...etagHeader },
    },
  },
  ...createRefusals,
};

export const listCodesDocs: OperationDocs = {
  id: 'listCodes',
  tag,
  summary: 'List codes',
  description:
    'Lists the codes of the workspace, newest first if `sort` does not say otherwise. Filters can be combined with each ' +
    'other and with any `sort`; a code must match all of them. Send the same filters and `sort` with each page: a cursor ' +
    'of another list is refused with 400. `expand` adds further fields. Codes that are created in the meantime do not shift the pages.\n\n' +
    '`sort=-scanCount`, `lastScannedAt` and `excludeCapped` use counts that are copied once a minute from the store of ' +
    'scans. `scanCount` itself is current.',
  responses: {
    200: {
      description: 'A page of codes',
      schema: codeList,
      example: {
        data: [exampleCode],
        pagination: { total: 1, totalRelation: 'eq', limit: 25, cursor: null, nextCursor: null },
      },
      headers: staleHeader,
    },
  },
  refusals: { 503: 'Too many codes match to be read in time, or too many lists are being read' },
  furtherLimit: 'Too many lists of the workspace wait to be read',
};

export const countCodesDocs: OperationDocs = {
  id: 'countCodes',
  tag,
  summary: 'Count codes',
  description:
    'Counts the codes that match the filters of a list, and with `groupBy` those of each status, type, tag, folder, ' +
    'domain or host, the most frequent ones first.',
  responses: {
    200: {
      description: 'The counts',
      schema: codeCount,
      example: {
        total: 3,
        totalRelation: 'eq',
        groups: [
          { value: 'active', count: 2 },
          { value: 'inactive', count: 1 },
        ],
      },
    },
  },
  refusals: {
    422: `groupBy is given, and too many of the more than ${countedMax} codes of the workspace match the filters`,
    503: 'Too many codes match to be counted in time, or too many lists are being read',
  },
  refusalExamples: {
    422: {
      error: 'groupBy counts codes one by one, and too many match these filters: narrow them',
      code: 'UNPROCESSABLE',
    },
  },
  furtherLimit: 'Too many lists of the workspace wait to be read',
};

export const readCodeDocs: OperationDocs = {
  id: 'getCode',
  tag,
  summary: 'Get a code',
  description:
    'Returns a code with the number of its scans so far, and everything that can be set, except secrets: its ' +
    'password and its encryption key. What is not set is omitted or null. `ETag` is the version of the code; ' +
    '`scanCount` changes without it, so no answer is 304.',
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
    lunch: {
      summary: 'Show the lunch menu at lunchtime, to people who read German',
      value: {
        routingRules: [
          {
            id: 'lunch',
            condition: {
              language: ['de'],
              time: {
                days: ['mon', 'tue', 'wed', 'thu', 'fri'],
                from: '11:30',
                to: '14:00',
                timezone: 'Europe/Berlin',
              },
            },
            destination: 'https://example.com/mittag',
          },
        ],
      },
    },
    schedule: {
      summary: 'Lead elsewhere from New Year on',
      value: {
        schedule: [{ at: '2099-01-01T00:00:00+01:00', destination: 'https://example.com/new-year' }],
        expiredUrl: 'https://example.com/over',
      },
    },
    parameters: {
      summary: 'Tell the shop where a visit comes from',
      value: { forwardQuery: true, parameters: { utm_source: 'qr', utm_content: '{source}' } },
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
  headers: ifMatchHeader,
  refusals: { ...takenOr(uneditable), ...overtaken },
  refusalExamples: {
    409: { error: 'An encrypted code cannot be updated', code: 'CONFLICT' },
    ...overtakenExample,
  },
};

export const patchCodeDocs: OperationDocs = {
  id: 'patchCode',
  tag,
  summary: 'Change parts of a code',
  description:
    'Changes a code by a JSON merge patch (RFC 7396): the fields of `PUT`, whose objects are merged into the stored ' +
    'ones instead of replacing them. A key that is not sent stays, at any depth, `null` removes a key, and a list is ' +
    'replaced as a whole.\n\n' +
    '- The keys of the style are accepted as in `PUT`, or in `style`, where a code shows them. The logo and the frame ' +
    'stay unless they are sent.\n' +
    '- `destination` is replaced as a whole, also if it is an object.\n\n' +
    'Scans see the change as soon as this call returns.',
  params,
  requestTypes: ['application/merge-patch+json'],
  requestExamples: {
    color: {
      summary: 'Another colour, and no logo',
      value: { style: { dotsOptions: { color: '#14532d' }, image: null } },
    },
    pause: { summary: 'Pause the campaign', value: { campaign: { status: 'paused' } } },
    metadata: {
      summary: 'Set a key, and remove another',
      value: { metadata: { room: 'bar', season: null } },
    },
  },
  responses: {
    200: { ...oneCode('The updated code'), schema: updatedCodeObject },
  },
  headers: ifMatchHeader,
  refusals: { ...takenOr(uneditable), ...overtaken },
  refusalExamples: { ...takenExample, ...overtakenExample },
};

export const upsertCodeDocs: OperationDocs = {
  id: 'upsertCode',
  tag,
  summary: 'Create a code, or update it',
  description:
    'Updates the code of the workspace with this `externalId`, or creates it. The body is that of a create. An update ' +
    'is that of `PUT`: fields that are not sent keep their values, and no quota is used. `dataType` and `sources` must ' +
    'be those of the code. However often and however concurrently the call is sent, one code has the `externalId`.',
  requestExamples: {
    table: {
      summary: 'The code of a table',
      value: {
        externalId: 'table-7',
        data: 'https://example.com/menu?table=7',
        metadata: { room: 'terrace' },
      },
    },
  },
  responses: {
    200: { ...oneCode('The updated code'), schema: updatedCodeObject },
    201: {
      description: 'The new code, active',
      schema: createdCodeObject,
      example: exampleCode,
      headers: { location: 'The URL of the code in this API', ...etagHeader },
    },
  },
  headers: ifMatchHeader,
  refusals: {
    409:
      'The code is encrypted or locked for compliance, has another `dataType` or other `sources`, or keeps being ' +
      'changed by other requests',
    412: 'The code does not have an entity tag of `If-Match`, or does not exist',
  },
  refusalExamples: {
    409: {
      error:
        'dataType must be wifi: the dataType of a code never changes; the code with this externalId is nX5cPq7Rk',
      code: 'CONFLICT',
    },
    ...overtakenExample,
  },
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
  headers: ifMatchHeader,
  refusals: { 409: 'The code is locked for compliance', ...overtaken },
  refusalExamples: {
    ...overtakenExample,
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
  headers: ifMatchHeader,
  refusals: { 409: 'The code is under legal hold', ...overtaken },
  refusalExamples: {
    ...overtakenExample,
    409: { error: 'This code is in legal hold and cannot be deactivated', code: 'CONFLICT' },
  },
};
