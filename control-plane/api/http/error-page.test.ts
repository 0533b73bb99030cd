import net from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ClientError, type ErrorCode } from '#shared/errors.ts';
import { afterFile } from '../../../deploy/testing/local.ts';
import { features } from '../../app.ts';
import { startTestControlPlane, type TestControlPlane } from '../../testing/control-plane.ts';
import { bodyLimits } from './body.ts';
import type { ErrorPage } from './error-page.ts';
import { formPairs } from './form-body.ts';
import { type OperationDocs, publicOperation } from './operation.ts';

const docsOf = (id: string): OperationDocs => ({
  id,
  tag: 'Test',
  summary: id,
  description: id,
  params: { id: { description: 'What is to happen', example: 'ok' } },
  responses: { 200: { description: 'It', contentTypes: ['text/html'] } },
});

const errorPage: ErrorPage = ({ status, code, path, retryAfterSeconds, header }) => ({
  html: `<!doctype html><title>${status} ${code} ${path} ${retryAfterSeconds} ${header('accept-language')}</title>`,
  contentSecurityPolicy: "default-src 'none'; style-src 'sha256-x'",
});

const html = {
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: Buffer.from('<!doctype html>ok'),
};

const outcome: Record<string, () => Promise<typeof html>> = {
  ok: async () => html,
  unknown: () => Promise.reject(new ClientError('NOT_FOUND', 'There is no such page')),
  unacceptable: () => Promise.reject(new ClientError('UNPROCESSABLE', 'f.name is required')),
  away: () => Promise.reject(new ClientError('UNAVAILABLE', 'away', { retryAfterSeconds: 7 })),
  broken: () => Promise.reject(new Error('secret')),
};

const operations = [
  publicOperation({
    access: 'public',
    method: 'get',
    path: '/page/:id',
    errorPage,
    query: z.object({ part: z.string().max(3).optional() }),
    docs: docsOf('getPage'),
    handle: ({ params: { id = '' } }) => outcome[id]!(),
  }),
  publicOperation({
    access: 'public',
    method: 'post',
    path: '/page/:id',
    errorPage,
    body: formPairs,
    form: { bytesMax: 64, pairsMax: 2, arrivalMsMax: 30_000 },
    docs: docsOf('postPage'),
    handle: ({ params: { id = '' } }) => outcome[id]!(),
  }),
  publicOperation({
    access: 'public',
    method: 'post',
    path: '/large/:id',
    body: z.unknown(),
    bodyLimit: bodyLimits.bulk,
    docs: docsOf('postLarge'),
    handle: async () => html,
  }),
  publicOperation({
    access: 'public',
    method: 'get',
    path: '/limited/:id',
    ipLimit: 'login',
    errorPage,
    docs: docsOf('getLimited'),
    handle: async () => html,
  }),
];

let plane: TestControlPlane;

beforeAll(async () => {
  plane = await startTestControlPlane({
    features: [...features, { name: 'pages', open: () => ({ operations }) }],
  });
});

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'accept-language': 'de' };
const formType = { 'content-type': 'application/x-www-form-urlencoded' };

type Refused = [
  what: string,
  status: number,
  code: ErrorCode,
  method: string,
  path: string,
  body?: string,
  headers?: Record<string, string>,
];

const refusals: Refused[] = [
  ['an unknown page', 404, 'NOT_FOUND', 'GET', '/page/unknown'],
  ['a method that the path does not have', 405, 'METHOD_NOT_ALLOWED', 'PUT', '/page/ok'],
  ['a query that is too long', 400, 'INVALID_REQUEST', 'GET', '/page/ok?part=long'],
  ['a form that is too large', 413, 'BODY_TOO_LARGE', 'POST', '/page/ok', 'x'.repeat(65), formType],
  [
    'another type of body',
    415,
    'UNSUPPORTED_MEDIA_TYPE',
    'POST',
    '/page/ok',
    '{}',
    { 'content-type': 'application/json' },
  ],
  ['an unacceptable value', 422, 'UNPROCESSABLE', 'POST', '/page/unacceptable', 'a=b', formType],
  ['a dependency that is down', 503, 'UNAVAILABLE', 'GET', '/page/away'],
  ['a fault of ours', 500, 'INTERNAL', 'GET', '/page/broken'],
];

describe('an operation with an error page', () => {
  test.each(refusals)(
    '%s is %i, a page for browsers and JSON for programs',
    async (_, status, code, method, path, body, headers) => {
      const init = { method, ...(body !== undefined && { body }) };
      const page = await fetch(plane.url + path, { ...init, headers: { ...browser, ...headers } });
      expect(page.status).toBe(status);
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(page.headers.get('content-security-policy')).toBe("default-src 'none'; style-src 'sha256-x'");
      expect(page.headers.get('cache-control')).toBe('no-store');
      expect(page.headers.get('vary')).toBe('Accept');
      expect(await page.text()).toContain(`<title>${status} ${code} ${path.split('?')[0]} `);

      const program = await fetch(plane.url + path, { ...init, headers: { accept: '*/*', ...headers } });
      expect(program.status).toBe(status);
      expect(program.headers.get('vary')).toBe('Accept');
      expect(program.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(await program.json()).toMatchObject({ code });
    },
  );

  test("shows after how many seconds to retry, in the browser's language", async () => {
    const away = await fetch(`${plane.url}/page/away`, { headers: browser });
    expect(away.headers.get('retry-after')).toBe('7');
    expect(await away.text()).toContain('503 UNAVAILABLE /page/away 7 de');
    const unsupported = await fetch(`${plane.url}/page/ok`, {
      method: 'POST',
      headers: { ...browser, 'content-type': 'text/plain' },
      body: 'x',
    });
    expect(unsupported.headers.get('accept')).toBe('application/x-www-form-urlencoded');
    const wrongMethod = await fetch(`${plane.url}/page/ok`, { method: 'PUT', headers: browser });
    expect(wrongMethod.headers.get('allow')?.split(', ').sort()).toEqual(['GET', 'HEAD', 'OPTIONS', 'POST']);
  });

  test('answers an address over its limit with 429 as a page, with the headers of the limit', async () => {
    let last = await fetch(`${plane.url}/limited/ok`, { headers: browser });
    for (let n = 0; n < 10 && last.status === 200; n++)
      last = await fetch(`${plane.url}/limited/ok`, { headers: browser });
    expect(last.status).toBe(429);
    expect(last.headers.get('ratelimit-policy')).toBe('5;w=900');
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await last.text()).toContain('429 RATE_LIMITED');
    const program = await fetch(`${plane.url}/limited/ok`);
    expect([program.status, await program.json()]).toMatchObject([429, { code: 'RATE_LIMITED' }]);
  });

  test('answers HEAD with the headers of GET and no body', async () => {
    for (const path of ['/page/ok', '/page/unknown', '/page/broken']) {
      const [get, head] = await Promise.all(
        ['GET', 'HEAD'].map((method) => fetch(plane.url + path, { method, headers: browser })),
      );
      expect(head!.status).toBe(get!.status);
      for (const name of ['content-type', 'content-length', 'content-security-policy', 'vary'])
        if (!(name === 'content-length' && path === '/page/broken'))
          expect(head!.headers.get(name)).toBe(get!.headers.get(name));
      expect(await head!.text()).toBe('');
    }
  });

  test('is documented as such', async () => {
    const { paths } = (await (await fetch(`${plane.url}/openapi.json`)).json()) as {
      paths: Record<
        string,
        Record<string, { responses: Record<string, { content: object }>; requestBody: { content: object } }>
      >;
    };
    const { get, post } = paths['/page/{id}']!;
    expect(Object.keys(post!.requestBody.content)).toEqual(['application/x-www-form-urlencoded']);
    expect(Object.keys(post!.responses)).toEqual([
      '200',
      '400',
      '404',
      '408',
      '413',
      '415',
      '422',
      '500',
      '503',
    ]);
    for (const [status, { content }] of Object.entries({ ...get!.responses, ...post!.responses }))
      expect(Object.keys(content)).toEqual(
        status === '200' ? ['text/html'] : ['text/html', 'application/json'],
      );
  });
});

test('a large body without a key takes room among all large bodies', async () => {
  const taken = async () => {
    const { body } = await plane.internal('GET', '/metrics');
    return Number(/^waymark_large_bodies_bytes (\d+)/m.exec(String(body))?.[1]);
  };
  const socket = net.connect(Number(new URL(plane.url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  afterFile(() => socket.destroy());
  socket.write(`POST /large/ok HTTP/1.1\r\nHost: x\r\nContent-Length: ${20 * 2 ** 20}\r\n\r\n`);
  socket.write(Buffer.alloc(6 * 2 ** 20, ' '));
  await expect.poll(taken).toBeGreaterThanOrEqual(6 * 2 ** 20);
  socket.destroy();
  await expect.poll(taken).toBe(0);
});

describe('a path that does not exist', () => {
  const open = (path: string, headers: Record<string, string>) => fetch(plane.url + path, { headers });

  test.each([
    '/p/',
    '/p',
    '/m',
    '/x',
    '/P/page_4nX5cPq7Rk2mQw8Z',
    '/p/page_4nX5cPq7Rk2mQw8Z/x',
    '/apis',
    '/%',
  ])('%s is a page for browsers, in their language, and JSON for programs', async (path) => {
    const page = await open(path, browser);
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(await page.text()).toContain('<html lang="de"');
    const answer = await open(path, { accept: '*/*' });
    expect([answer.status, await answer.json()]).toEqual([
      404,
      expect.objectContaining({ code: 'NOT_FOUND' }),
    ]);
    for (const { headers } of [page, answer]) expect(headers.get('vary')).toContain('Accept');
  });

  test.each(['/api', '/api/qr/x', '/API/qr/codes', '/docs/x', '/openapi.yaml'])(
    '%s is for programs and answers JSON',
    async (path) => {
      const answer = await open(path, browser);
      expect([answer.status, await answer.json()]).toEqual([
        404,
        expect.objectContaining({ code: 'NOT_FOUND' }),
      ]);
    },
  );
});
