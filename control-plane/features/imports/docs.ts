/** The documentation of imports. */
import {
  type ImportObject,
  importBytesMax,
  importKeptDays,
  importList,
  importRowList,
  importRowsMax,
  importsMax,
  type WholeImportObject,
  wholeImportObject,
} from '#schemas/api/imports.ts';
import { sizeText } from '../../api/http/body.ts';
import type { OperationDocs } from '../../api/http/operation.ts';
import { afterResponse } from '../../api/http/shared-docs.ts';

const tag = 'Imports';

const exampleId = 'imp_7Yh2kPq9RsTuVwXy';

const params = { importId: { description: 'The `id` of the import.', example: exampleId } };

const checked: ImportObject = {
  id: exampleId,
  status: 'checked',
  source: 'shlink',
  sourceDetected: true,
  domain: 's.example.com',
  host: null,
  hosts: [
    {
      host: 's.example.com',
      links: 3,
      moves: 'by_dns',
      message:
        'Codes printed with s.example.com only continue if that domain moves by DNS: they do as soon as its DNS leads here.',
    },
  ],
  notes: [],
  total: 3,
  skipped: 0,
  checked: 3,
  ready: 2,
  refused: 1,
  created: 0,
  failed: 0,
  reasons: [{ reason: 'alias_case', rows: 1 }],
  error: null,
  createdAt: '2026-05-04T12:00:00.000Z',
  updatedAt: '2026-05-04T12:00:01.000Z',
  startedAt: null,
};

const limits: WholeImportObject['limits'] = {
  dynamicQr: { needed: 2, left: 49_000, isEnough: true },
  aliases: { needed: 2, left: 99_000, isEnough: true },
};

const checking: WholeImportObject = {
  ...checked,
  status: 'checking',
  checked: 0,
  ready: 0,
  refused: 0,
  reasons: [],
  updatedAt: checked.createdAt,
  limits: {
    dynamicQr: { needed: 0, left: 49_000, isEnough: true },
    aliases: { needed: 0, left: 99_000, isEnough: true },
  },
};

const importing: WholeImportObject = {
  ...checked,
  status: 'importing',
  startedAt: '2026-05-04T12:05:00.000Z',
  updatedAt: '2026-05-04T12:05:00.000Z',
  limits: null,
};

const pagination = { limit: 25, cursor: null, nextCursor: null };

export const createImportDocs: OperationDocs = {
  id: 'createImport',
  tag,
  summary: 'Import the links of another service',
  description:
    `Takes an export of Shlink, YOURLS, Kutt, Bitly or Dub with at most ${importRowsMax.toLocaleString('en')} links, and ` +
    `checks each link after the response: ${afterResponse}. No code is made before \`POST /api/qr/imports/{importId}/start\`. ` +
    'The short codes live on as aliases of the new codes, the dates of creation, titles, tags and the archive are kept, and ' +
    'the counts of the other service become `importedScanCount`.\n\n' +
    '- The answer says at once on which hosts the links are printed. What is printed only goes on if that domain moves by ' +
    'DNS. Codes on a host of the service, such as bit.ly, cannot move.\n' +
    '- `GET /api/qr/imports/{importId}/rows` lists what cannot be imported, and why.\n' +
    '- Nothing that the service protects or has stopped is imported: links with a password, expired links and banned links.\n' +
    `- An import is removed ${importKeptDays} days after its last progress. Its codes stay.\n` +
    `- A workspace has at most ${importsMax} imports, whose links have ${sizeText(importBytesMax)} together, ended ones included: ` +
    'delete the ones that you no longer need.\n\n' +
    'The guide says for each service where its export is, and what moves.',
  requestExamples: {
    shlink: {
      summary: 'The CSV of Shlink',
      value: {
        file:
          'createdAt,domain,shortCode,shortUrl,longUrl,title,tags,visits\n' +
          '2024-02-01T09:30:00+01:00,s.example.com,menu,https://s.example.com/menu,https://example.com/menu,Menu,print|summer,412\n',
        domain: 's.example.com',
      },
    },
  },
  responses: {
    202: {
      description: 'The file is read, and its rows are stored. They are checked after this response',
      schema: wholeImportObject,
      example: checking,
      headers: { location: 'The URL of the import' },
    },
  },
  refusals: {
    409: 'The domain is not verified, or the workspace has as many imports, or as many bytes of links in them, as it may have',
  },
  refusalExamples: {
    409: {
      error: 'domain: s.example.com is pending; only a verified domain gets aliases',
      code: 'CONFLICT',
    },
    422: { error: 'file must have the columns shortCode, longUrl of Shlink', code: 'UNPROCESSABLE' },
  },
};

export const listImportsDocs: OperationDocs = {
  id: 'listImports',
  tag,
  summary: 'List imports',
  description: 'Lists the imports of the workspace, newest first.',
  responses: {
    200: { description: 'A page', schema: importList, example: { data: [checked], pagination } },
  },
};

export const readImportDocs: OperationDocs = {
  id: 'getImport',
  tag,
  summary: 'Get an import',
  description:
    'Returns an import with its progress. Once its status is `checked`, `limits` says whether the plan has room for it.',
  params,
  responses: {
    200: { description: 'The import', schema: wholeImportObject, example: { ...checked, limits } },
  },
};

export const listRowsDocs: OperationDocs = {
  id: 'listImportRows',
  tag,
  summary: 'List the rows of an import',
  description:
    'Lists the links of an import in the order in which their codes are made, oldest link first, with what the check found ' +
    'and the codes that were made of them.',
  params,
  responses: {
    200: {
      description: 'A page',
      schema: importRowList,
      example: {
        data: [
          {
            row: 4,
            slug: 'Menu',
            shortUrl: 'https://s.example.com/Menu',
            destination: 'https://example.com/menu',
            state: 'refused',
            codeId: null,
            reason: 'alias_case',
            code: 'ALIAS_TAKEN',
            message:
              'Row 2 has the short code \'Menu\' in other letters: set aliasCase of s.example.com to "exact"',
            warnings: [],
          },
        ],
        pagination,
      },
    },
  },
};

export const startImportDocs: OperationDocs = {
  id: 'startImport',
  tag,
  summary: 'Start an import',
  description:
    `Makes a code of each row that is ready: ${afterResponse}. Each takes one dynamic code of the quota. All of them are ` +
    'taken at the start, and those of rows that fail are given back. Webhooks get `qr.created` with `importId`.',
  params,
  responses: {
    202: { description: 'The import is started', schema: wholeImportObject, example: importing },
  },
  refusals: {
    409: 'The import is not checked yet, was started before, has ended or has no row that is ready; its domain is not verified any more; or the workspace would have too many aliases',
  },
  refusalExamples: {
    409: {
      error: `${exampleId} is still being checked: wait until its status is checked`,
      code: 'CONFLICT',
    },
    422: {
      error: "domain must be a domain of the workspace; given: 's.example.com'",
      code: 'UNPROCESSABLE',
    },
  },
};

export const cancelImportDocs: OperationDocs = {
  id: 'cancelImport',
  tag,
  summary: 'Cancel an import',
  description:
    'Ends an import that is being checked, waits for its start, or is being imported. The codes that were made stay. The ' +
    'quota for the other rows is given back. To cancel it once more changes nothing.',
  params,
  responses: {
    200: {
      description: 'The import, as it is now',
      schema: wholeImportObject,
      example: { ...importing, status: 'cancelled', created: 1 },
    },
  },
  refusals: { 409: 'The import has ended otherwise' },
  refusalExamples: { 409: { error: `${exampleId} has ended already: it is completed`, code: 'CONFLICT' } },
};

export const deleteImportDocs: OperationDocs = {
  id: 'deleteImport',
  tag,
  summary: 'Delete an import',
  description: 'Removes an import that is not being worked on, and the list of its rows. The codes stay.',
  params,
  responses: { 204: { description: 'The import is removed' } },
  refusals: { 409: 'The import is being checked or imported' },
  refusalExamples: { 409: { error: `${exampleId} is being worked on: cancel it first`, code: 'CONFLICT' } },
};
