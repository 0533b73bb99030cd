/** The documentation of the operations on entries of the GS1 resolver. */
import { codeAnalytics } from '#schemas/api/codes.ts';
import { gs1EntriesPerKeyMax, gs1EntryList, gs1EntryObject, gs1LinksMax } from '#schemas/api/gs1.ts';
import type { OperationDocs } from '../../api/http/operation.ts';
import { analyticsDocs as codeAnalyticsDocs } from '../codes/analytics/docs.ts';

const tag = 'GS1 resolver';

const params = { entryId: { description: 'The `entryId` of the entry.', example: 'gs1_4nX5cPq7Rk2mQw8Z' } };

const body = {
  path: '/01/09506000134352/10/ABC',
  itemDescription: 'Dal Giardino Risotto Rice with Mushrooms, lot ABC',
  links: [
    {
      linkType: 'gs1:pip',
      href: 'https://example.com/risotto',
      title: 'Product information',
      hreflang: ['en'],
      type: 'text/html',
      default: true,
    },
    { linkType: 'gs1:recipeInfo', href: 'https://example.com/recipes', title: 'Recipes' },
  ],
};

const entry = {
  entryId: params.entryId.example,
  path: body.path,
  url: `https://qr.example.com${body.path}`,
  itemDescription: body.itemDescription,
  links: body.links,
  scanCount: 12,
  createdAt: 1777896000000,
  updatedAt: 1777896000000,
};

const keyConflict = {
  error: 'path: the GS1 key 01/09506000134352 belongs to another workspace',
  code: 'CONFLICT',
};

const refusals = {
  409:
    'The primary key belongs to another workspace, has the maximum number of entries, or already has an ' +
    'entry at this path',
};

export const createEntryDocs: OperationDocs = {
  id: 'createGs1Entry',
  tag,
  summary: 'Create a GS1 entry',
  description:
    'Creates an entry: links at a GS1 Digital Link, which is a primary key with its qualifiers. As soon as ' +
    'this call returns, `{qr_host}{path}` leads to the links, as `GET /01/{gtin}` describes.\n\n' +
    `- A primary key has at most ${gs1EntriesPerKeyMax} entries. An entry has at most ${gs1LinksMax} ` +
    'links.\n' +
    '- A primary key belongs to one workspace. Its first entry or batch claims it, and deleting the last ' +
    'one releases it.\n' +
    '- An entry takes precedence over the entries above it: a batch over its GTIN.',
  requestExamples: { product: { summary: 'A lot of a product', value: body } },
  responses: {
    201: { description: 'The new entry', schema: gs1EntryObject, example: { ...entry, scanCount: 0 } },
  },
  refusals,
  refusalExamples: { 409: keyConflict },
};

export const listEntriesDocs: OperationDocs = {
  id: 'listGs1Entries',
  tag,
  summary: 'List GS1 entries',
  description: 'Lists the entries of the workspace, or of one primary key, newest first.',
  responses: {
    200: { description: 'A page', schema: gs1EntryList, example: { entries: [entry], nextCursor: null } },
  },
};

export const readEntryDocs: OperationDocs = {
  id: 'getGs1Entry',
  tag,
  summary: 'Get a GS1 entry',
  description: 'Returns the links of an entry, and the number of its scans.',
  params,
  responses: { 200: { description: 'The entry', schema: gs1EntryObject, example: entry } },
};

export const replaceEntryDocs: OperationDocs = {
  id: 'replaceGs1Entry',
  tag,
  summary: 'Replace a GS1 entry',
  description:
    'Replaces the whole content of an entry. The change is in effect as soon as this call returns.',
  params,
  requestExamples: { product: { summary: 'Other links', value: body } },
  responses: { 200: { description: 'The updated entry', schema: gs1EntryObject, example: entry } },
  refusals,
  refusalExamples: { 409: keyConflict },
};

export const deleteEntryDocs: OperationDocs = {
  id: 'deleteGs1Entry',
  tag,
  summary: 'Delete a GS1 entry',
  description:
    'Deletes an entry. Its path then leads to the entry above it, or to a 404 if there is none. Deleting ' +
    'the last entry of a primary key that has no batches releases the key.',
  params,
  responses: { 204: { description: 'The entry is deleted' } },
};

export const analyticsDocs: OperationDocs = {
  ...codeAnalyticsDocs,
  id: 'getGs1EntryAnalytics',
  tag,
  summary: 'Get the analytics of a GS1 entry',
  params,
  responses: {
    200: {
      description: 'Figures for every day of the window',
      schema: codeAnalytics,
      example: {
        id: params.entryId.example,
        days: 1,
        from: '2026-05-04',
        to: '2026-05-04',
        timezone: 'UTC',
        totalScans: 12,
        uniqueScans: 11,
        series: [{ date: '2026-05-04', scans: 12, uniqueScans: 11 }],
        countries: [{ country: 'DE', scans: 12 }],
        devices: [{ device: 'mobile', scans: 12 }],
        os: [{ os: 'ios', scans: 12 }],
        browsers: [{ browser: 'Safari', scans: 12 }],
        referrers: [],
        sources: [],
        variants: [],
        rules: [],
      },
    },
  },
};
