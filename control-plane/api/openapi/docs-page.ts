/**
 * /openapi.json, and the page at /docs that shows it. Everything it loads is served here, so it works without internet.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { z } from 'zod';
import { ClientError } from '#shared/errors.ts';
import { type Operation, publicOperation } from '../http/operation.ts';
import type { describeApi } from './document.ts';
import { createStartOperation } from './start-page.ts';

const swaggerFolder = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Waymark API</title>
<link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="docs"></div>
<noscript><p>This page needs JavaScript. The same is in <a href="/openapi.json">/openapi.json</a>.</p></noscript>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

// An entered key is forgotten with the page: it is in no storage that another script could read.
const start = `SwaggerUIBundle({
  url: '/openapi.json', dom_id: '#docs', deepLinking: true, docExpansion: 'list', defaultModelsExpandDepth: 0,
  showCommonExtensions: true, validatorUrl: null, persistAuthorization: false, displayRequestDuration: true,
});
`;

/** Allows only its own scripts, styles and data. */
const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
};

const assets: ReadonlyMap<string, Buffer> = new Map([
  ...['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'].map(
    (name) => [name, readFileSync(path.join(swaggerFolder, name))] as const,
  ),
  ['start.js', Buffer.from(start)],
]);

const tag = 'About this API';

/** Adds this file's operations: the document also describes itself. */
export const withDocs = (
  operations: readonly Operation[],
  origins: { baseUrl: string; qrHost: string },
  describe: typeof describeApi,
): Operation[] => {
  const html = Buffer.from(page);
  const all: Operation[] = [
    ...operations,
    createStartOperation(origins.baseUrl),
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
        body: document,
      }),
    }),
    publicOperation({
      access: 'public',
      method: 'get',
      path: '/docs',
      docs: {
        id: 'getDocs',
        tag,
        summary: 'Get this page',
        description: 'Returns the document as a page, where the operations can be tried.',
        responses: { 200: { description: 'The page', contentTypes: ['text/html'] } },
      },
      handle: async () => ({
        headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': pagePolicy },
        body: html,
      }),
    }),
    publicOperation({
      access: 'public',
      method: 'get',
      path: '/docs/:file',
      docs: {
        id: 'getDocsFile',
        tag,
        summary: 'Get a file of this page',
        description: 'Returns a script, a style sheet or the icon of the page.',
        params: { file: { description: 'The name of the file.', example: 'swagger-ui.css' } },
        responses: {
          200: { description: 'The file', contentTypes: ['text/css', 'text/javascript', 'image/png'] },
        },
      },
      async handle({ params: { file = '' } }) {
        const body = assets.get(file);
        if (!body) throw new ClientError('NOT_FOUND', 'There is no such file');
        const headers = {
          'content-type': types[path.extname(file)] ?? 'application/octet-stream',
          'cache-control': 'public, max-age=3600',
        };
        return { headers, body };
      },
    }),
  ];
  const document = Buffer.from(JSON.stringify(describe(all, origins)));
  return all;
};
