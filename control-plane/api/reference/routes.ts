/** The operations that describe the others: the root, the OpenAPI document, and the pages that show it. */
import { z } from 'zod';
import { ClientError } from '#shared/errors.ts';
import { wantsPage } from '#shared/wants-page.ts';
import { type Operation, publicOperation } from '../http/operation.ts';
import type { describeApi, OpenApiDocument } from '../openapi/document.ts';
import { changeKinds } from './changelog.ts';
import { createReference, type Reference } from './reference.ts';

const tag = 'About this API';

const unchanged = { description: 'It has not changed: its tag is in `If-None-Match`' };
const tagged = { etag: 'Names the bytes, for `If-None-Match`' };

export interface Origins {
  baseUrl: string;
  qrHost: string;
}

/** What is known once all operations are declared, these included. */
interface Described {
  bytes: Buffer;
  reference: Reference;
}

const pointers = z.object({
  name: z.string().meta({ description: 'The name of the service.' }),
  docs: z.string().meta({ description: 'The URL of the documentation, as a page.' }),
  openapi: z.string().meta({ description: 'The URL of the documentation, for programs.' }),
});

const startOperation = ({ baseUrl }: Origins, described: () => Described): Operation => {
  const body = { name: 'Waymark', docs: `${baseUrl}/docs`, openapi: `${baseUrl}/openapi.json` };
  return publicOperation({
    access: 'public',
    method: 'get',
    path: '/',
    docs: {
      id: 'getStart',
      tag,
      summary: 'Get the address of the documentation',
      description:
        'Returns the address of the documentation. Browsers, which accept `text/html`, get a page that says what ' +
        'this service is.',
      responses: {
        200: {
          description: 'The address of the documentation, or the page',
          schema: pointers,
          example: body,
          contentTypes: ['text/html'],
        },
        304: { description: 'The page has not changed: its tag is in `If-None-Match`' },
      },
    },
    async handle(request) {
      if (wantsPage(request.header('accept'))) return described().reference.start().answer(request);
      return { headers: { vary: 'Accept' }, body };
    },
  });
};

const documentOperation = (described: () => Described): Operation =>
  publicOperation({
    access: 'public',
    method: 'get',
    path: '/openapi.json',
    docs: {
      id: 'getOpenApi',
      tag,
      summary: 'Get this document',
      description: 'Returns this document in OpenAPI 3.1, for generators of clients and tests.',
      responses: {
        200: {
          description: 'The document',
          schema: z.looseObject({
            openapi: z.string().meta({ description: 'The version of OpenAPI.' }),
          }),
        },
      },
    },
    handle: async () => ({
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: described().bytes,
    }),
  });

const introductionOperation = (described: () => Described): Operation =>
  publicOperation({
    access: 'public',
    method: 'get',
    path: '/docs',
    docs: {
      id: 'getDocs',
      tag,
      summary: 'Get the reference',
      description:
        'Returns the introduction as a page. It leads to a page for each group of operations, with examples, and a ' +
        'panel in which they can be tried.',
      responses: {
        200: { description: 'The page', contentTypes: ['text/html'], headers: tagged },
        304: unchanged,
      },
    },
    handle: async (request) => (await described().reference.introduction()).answer(request),
  });

const searchEntry = z.object({
  title: z.string().meta({ description: 'The title of the section or operation.' }),
  group: z.string().meta({ description: 'The group that it belongs to.' }),
  url: z.string().meta({ description: 'The path of its page, with the anchor.' }),
  method: z.string().optional().meta({ description: 'The method of an operation; `event` for a message.' }),
  path: z.string().optional().meta({ description: 'The path of an operation, or the type of a message.' }),
  fields: z
    .array(z.string())
    .optional()
    .meta({ description: 'Where each field is: the rest of its anchor.' }),
});

const searchOperation = (described: () => Described): Operation =>
  publicOperation({
    access: 'public',
    method: 'get',
    path: '/docs/search.json',
    docs: {
      id: 'getDocsSearch',
      tag,
      summary: 'Get what the search of the reference looks through',
      description: 'Returns the titles, paths and fields of all operations.',
      responses: {
        200: {
          description: 'The entries',
          schema: z.array(searchEntry),
          example: [
            {
              title: 'Create a dynamic code',
              group: 'Dynamic codes',
              url: '/docs/dynamic-codes#createCode',
              method: 'POST',
              path: '/api/qr/codes',
              fields: ['body.data', 'body.name'],
            },
          ],
          headers: tagged,
        },
        304: unchanged,
      },
    },
    handle: async (request) => (await described().reference.searchEntries()).answer(request),
  });

const change = z.object({
  date: z.iso.date().meta({ description: 'The day of the change (UTC).' }),
  kind: z.enum(changeKinds).meta({ description: 'What kind of change it is.' }),
  text: z.string().meta({ description: 'The change, in Markdown.' }),
  operations: z.array(z.string()).optional().meta({
    description: 'The operations that it concerns, as `POST /api/qr/codes`. Absent if it names none.',
  }),
});

const changelogOperation = (described: () => Described): Operation =>
  publicOperation({
    access: 'public',
    method: 'get',
    path: '/changelog.json',
    docs: {
      id: 'getChangelog',
      tag,
      summary: 'Get the changes of the API',
      description:
        'Returns all changes of the API, newest first, for programs that watch for `deprecated` and `removed`. ' +
        'An operation is deprecated at least six months before it is removed.',
      responses: {
        200: {
          description: 'The changes',
          schema: z.object({
            entries: z.array(change).meta({ description: 'The changes, newest first.' }),
          }),
          example: {
            entries: [
              {
                date: '2026-11-28',
                kind: 'added',
                text: '`GET /changelog.json` has the changes of the API for programs.',
                operations: ['GET /changelog.json'],
              },
            ],
          },
          headers: tagged,
        },
        304: unchanged,
      },
    },
    handle: async (request) => (await described().reference.changes()).answer(request),
  });

const pageOperation = (described: () => Described): Operation =>
  publicOperation({
    access: 'public',
    method: 'get',
    path: '/docs/:page',
    docs: {
      id: 'getDocsPage',
      tag,
      summary: 'Get a page of the reference',
      description:
        'Returns the page of a group of operations, the page of all codes of errors (`errors`), the page of changes ' +
        '(`changelog`), or a file that the pages load.',
      params: { page: { description: 'The name of the page or file.', example: 'dynamic-codes' } },
      responses: {
        200: {
          description: 'The page or file',
          contentTypes: ['text/html', 'text/css', 'text/javascript'],
          headers: tagged,
        },
        304: unchanged,
      },
      refusalExamples: { 404: { error: 'There is no such page', code: 'NOT_FOUND' } },
    },
    async handle(request) {
      const found = await described().reference.find(request.params.page ?? '');
      if (!found) throw new ClientError('NOT_FOUND', 'There is no such page');
      return found.answer(request);
    },
  });

/** Adds the operations of this file: the document also describes itself. */
export const withReference = (
  operations: readonly Operation[],
  origins: Origins,
  describe: typeof describeApi,
): { operations: Operation[]; document: OpenApiDocument } => {
  const described = (): Described => made;
  const all = [
    ...operations,
    startOperation(origins, described),
    documentOperation(described),
    introductionOperation(described),
    searchOperation(described),
    changelogOperation(described),
    pageOperation(described),
  ];
  const document: OpenApiDocument = describe(all, origins);
  const made: Described = {
    bytes: Buffer.from(JSON.stringify(document)),
    reference: createReference(document),
  };
  return { operations: all, document };
};
