/**
 * Both origins serve `POST /api/verify/serial`: a redirector behind a control plane, and the same redirector
 * directly.
 */
import http from 'node:http';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { secretKey, startTestControlPlane } from '../../control-plane/testing/control-plane.ts';
import { startTestRedirector } from '../../redirector/testing/redirector.ts';
import { freePort } from '../testing/local.ts';
import { startTestRedis } from '../testing/redis.ts';

const redis = await startTestRedis();
const port = await freePort();
const codesOrigin = `http://127.0.0.1:${port}`;
const proxies = { TRUSTED_PROXIES: '127.0.0.1' };
const plane = await startTestControlPlane({
  redisUrl: redis.url,
  environment: { ...proxies, REDIRECTOR_URL: codesOrigin },
});
const redirector = await startTestRedirector({
  ...proxies,
  REDIS_URL: redis.url,
  SECRET_KEY: secretKey,
  CONTROL_PLANE_INTERNAL_URL: plane.internalUrl,
  REDIRECTOR_PORT: String(port),
});
await redirector.connected();

interface Question {
  method?: string;
  path?: string;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
}

/** Headers that must be equal at both; others exist only at one origin, such as its `request-id`. */
const compared = ['content-type', 'allow', 'retry-after', 'ratelimit-policy'];

let phones = 0;

const ask = async (origin: string, { method = 'POST', path = '', headers = {}, body }: Question) => {
  const request = http.request(`${origin}/api/verify/serial${path}`, {
    method,
    agent: false,
    headers: {
      'content-type': 'application/json',
      // Each is its own phone, with its own limit.
      'x-forwarded-for': `2001:db8:${(phones >> 16).toString(16)}:${(phones++ & 0xffff).toString(16)}::1`,
      ...headers,
    },
  });
  const answered = new Promise<http.IncomingMessage>((resolve, reject) => {
    request.once('response', resolve).once('error', reject);
  });
  request.end(body);
  const response = await answered;
  const comparedHeaders = compared.flatMap((name) =>
    response.headers[name] === undefined ? [] : [[name, response.headers[name]]],
  );
  const left = /remaining=\d+/.exec(String(response.headers.ratelimit))?.[0];
  if (method !== 'OPTIONS') expect(response.headers['cache-control']).toContain('no-store');
  const answer = lean(await text(response));
  return { status: response.statusCode, headers: Object.fromEntries(comparedHeaders), left, answer };
};

/** The control plane says more about a refusal than the redirector, which is asked more often. */
const lean = (answer: string): string => {
  if (!answer.startsWith('{')) return answer;
  const { param: _, errors: _faults, docUrl: _page, requestId: _id, ...rest } = JSON.parse(answer);
  return JSON.stringify(rest);
};

/** Checks that both answered alike. @returns the answer of the redirector */
const expectSame = async (question: Question) => {
  const [own, passedOn] = await Promise.all([ask(codesOrigin, question), ask(plane.url, question)]);
  expect(passedOn).toEqual(own);
  return own;
};

const forged = { itemId: '7CbHq2mXvR4k', signature: '1Jd8sQwLx5nB3TyV' };
const forgedText = JSON.stringify(forged);
const deep = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

const questions: [what: string, status: number, question: Question][] = [
  ['a forged code', 404, { body: forgedText }],
  ['a browser', 404, { body: forgedText, headers: { accept: 'text/html', 'accept-language': 'de' } }],
  ['a bot', 404, { body: forgedText, headers: { 'user-agent': 'Googlebot/2.1' } }],
  ['a trailing slash', 404, { path: '/', body: forgedText }],
  ['__proto__', 404, { body: `{"__proto__":{"x":1},${forgedText.slice(1)}` }],
  ['__proto__ alone', 400, { body: `{"__proto__":${forgedText}}` }],
  ['__proto__ in escapes', 404, { body: `{"\\u005f_proto__":1,${forgedText.slice(1)}` }],
  ['further fields', 404, { body: JSON.stringify({ ...forged, more: [1] }) }],
  ['a field twice', 400, { body: `${forgedText.slice(0, -1)},"itemId":7}` }],
  ['deep nesting', 404, { body: `{"more":${deep(40)},${forgedText.slice(1)}` }],
  ['a byte order mark', 404, { body: `\ufeff${forgedText}` }],
  ['an array', 400, { body: `[${forgedText}]` }],
  ['null', 400, { body: 'null' }],
  ['no body', 400, {}],
  ['blanks', 400, { body: ' \n' }],
  ['invalid JSON', 400, { body: '{"itemId":' }],
  ['invalid UTF-8', 400, { body: Buffer.from('{"itemId":"\xff","signature":"x"}', 'latin1') }],
  ['a number instead of a text', 400, { body: '{"itemId":7,"signature":"x"}' }],
  ['an empty text', 422, { body: '{"itemId":"","signature":"x"}' }],
  ['a long text', 422, { body: JSON.stringify({ ...forged, itemId: 'x'.repeat(101) }) }],
  ['a body that is just small enough', 404, { body: forgedText.padEnd(2048) }],
  ['a body that is too large', 413, { body: forgedText.padEnd(2049) }],
  [
    'a body without a content length',
    413,
    { body: forgedText.padEnd(5000), headers: { 'transfer-encoding': 'chunked' } },
  ],
  ['a body that is far too large', 413, { body: forgedText.padEnd(600_000) }],
  ['no type', 404, { body: forgedText, headers: { 'content-type': '' } }],
  ['another type', 400, { body: forgedText, headers: { 'content-type': 'text/plain' } }],
  [
    'a second JSON value',
    404,
    { body: forgedText, headers: { 'content-type': 'application/x+json; charset=utf8' } },
  ],
  ['a charset', 400, { body: forgedText, headers: { 'content-type': 'application/json; charset=latin1' } }],
  ['an encoding', 400, { body: forgedText, headers: { 'content-encoding': 'gzip' } }],
  ['the identity encoding', 404, { body: forgedText, headers: { 'content-encoding': 'identity' } }],
  ['a query', 400, { path: '?lang=de', body: forgedText }],
  ['an empty query', 404, { path: '?', body: forgedText }],
  ['a password in a query', 400, { path: '?%00%F0%9F%98%80=1&a', body: '{' }],
  ...['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'].map(
    (method): [string, number, Question] => [method, method === 'OPTIONS' ? 204 : 405, { method }],
  ),
  ['DELETE with a slash', 405, { method: 'DELETE', path: '/?x=1' }],
];

test.each(questions)('both origins answer alike: %s', async (_, status, question) => {
  expect((await expectSame(question)).status).toBe(status);
});

test('an address over its limit gets the same answer at both, also as a browser', async () => {
  const headers = { 'x-forwarded-for': '2001:db8:ffff::1', accept: 'text/html' };
  for (let count = 0; count < 60; count++) await ask(codesOrigin, { headers, body: forgedText });
  expect((await expectSame({ headers, body: forgedText })).status).toBe(429);
});

test('any small JSON gets the same answer at both', async () => {
  const name = fc.constantFrom('itemId', 'signature', '__proto__', 'constructor', 'toString', 'x');
  const value = fc.oneof(fc.constantFrom(...Object.values(forged)), fc.jsonValue({ maxDepth: 2 }));
  const object = fc.array(fc.tuple(name, value), { maxLength: 5 }).map((fields) => {
    const parts = fields.map(([key, each]) => `${JSON.stringify(key)}:${JSON.stringify(each)}`);
    return `{${parts.join(',')}}`;
  });
  const body = fc.oneof(
    object,
    fc.jsonValue({ maxDepth: 2 }).map((each) => JSON.stringify(each)),
    fc.string(),
  );
  await fc.assert(
    fc.asyncProperty(body, async (each) => {
      await expectSame({ body: each });
    }),
    { numRuns: 150 },
  );
});
