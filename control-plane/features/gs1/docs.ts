/** The documentation of the operations on entries of the GS1 resolver. */
import { codeAnalytics } from '#schemas/api/codes.ts';
import { gs1EntriesPerKeyMax, gs1EntryList, gs1EntryObject, gs1LinksMax } from '#schemas/api/gs1.ts';
import type { OperationDocs } from '../../http/operation.ts';
import { analyticsDocs as codeAnalyticsDocs } from '../codes/analytics/docs.ts';

const tag = 'GS1 resolver';

const params = { entryId: { description: 'The `entryId` of the entry', example: 'gs1_4nX5cPq7Rk2mQw8Z' } };

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
  409: 'The primary key is another workspace’s, has as many entries as it may have, or has an entry at this path',
};

export const createEntryDocs: OperationDocs = {
  id: 'createGs1Entry',
  tag,
  summary: 'Create an entry',
  description:
    'Keeps links at a GS1 Digital Link: a primary key with its qualifiers. From the answer on `{qr_host}{path}` leads to them: to the default link, or to what ' +
    '`linkType`, `context`, `lang` or `Accept-Language` ask for. A primary key belongs to one workspace, whose first entry or batch takes it; it is ' +
    `given back with the last. A key has at most ${gs1EntriesPerKeyMax} entries, an entry ${gs1LinksMax} links. An entry below another (a batch below a GTIN) answers before it. ` +
    'Redirectors answer with 307 and the query of the scan, or with the linkset (RFC 9264) for `linkType=linkset`; 400 says in the words of GS1 what is wrong ' +
    'with a Digital Link, 404 that there is no link, 429 that one address has sent more than 60 requests in a minute. A serial of a GTIN with serialized batches is ' +
    'verified instead, unless `linkType` asks for a link.',
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
  summary: 'List the entries',
  description: 'The entries of the workspace, or those of one primary key, newest first.',
  responses: {
    200: { description: 'A page', schema: gs1EntryList, example: { entries: [entry], nextCursor: null } },
  },
};

export const readEntryDocs: OperationDocs = {
  id: 'getGs1Entry',
  tag,
  summary: 'Read an entry',
  description: 'The links of an entry, and how often it was scanned.',
  params,
  responses: { 200: { description: 'The entry', schema: gs1EntryObject, example: entry } },
};

export const replaceEntryDocs: OperationDocs = {
  id: 'replaceGs1Entry',
  tag,
  summary: 'Replace an entry',
  description:
    'Puts the sent content in place of the entry’s, whole. The change is in effect when this answers.',
  params,
  requestExamples: { product: { summary: 'Other links', value: body } },
  responses: { 200: { description: 'The entry as it is now', schema: gs1EntryObject, example: entry } },
  refusals,
  refusalExamples: { 409: keyConflict },
};

export const deleteEntryDocs: OperationDocs = {
  id: 'deleteGs1Entry',
  tag,
  summary: 'Delete an entry',
  description:
    'Its path is then answered by the entry above it, if there is one, else with 404. With the last entry, and without batches, its key is given back.',
  params,
  responses: { 204: { description: 'It is gone' } },
};

export const analyticsDocs: OperationDocs = {
  ...codeAnalyticsDocs,
  id: 'getGs1EntryAnalytics',
  tag,
  summary: 'Read the scans of an entry',
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
