import Router from '@koa/router';
import { expect, test } from 'vitest';
import { ClientError } from '#shared/errors.ts';
import { createLogger } from '#shared/logger.ts';
import { afterFile } from '../../../deploy/testing/local.ts';
import { createApplication } from './application.ts';
import type { State } from './context.ts';
import { listen } from './listener.ts';

const docsUrl = 'https://api.example.com/docs/errors';

class LostDependency extends Error {}

/** An application whose only route throws the given value. */
const answerTo = async (thrown: unknown, times = 1, isAnswered = false) => {
  const logged: Record<string, unknown>[] = [];
  const logger = createLogger('test', 'silent');
  logger.error = (fields: object) => logged.push({ level: 'error', ...fields });
  logger.warn = (fields: object) => logged.push({ level: 'warn', ...fields });
  const router = new Router<State>();
  router.get('/', (ctx) => {
    if (isAnswered) ctx.res.writeHead(400).end('{}');
    throw thrown;
  });
  const app = createApplication({
    router,
    logger,
    secure: true,
    isUnavailable: (error) => error instanceof LostDependency,
    clientAddress: () => '203.0.113.9',
    docsUrl,
    observe: (_, next) => next(),
  });
  const listener = await listen(app.callback(), { host: '127.0.0.1', port: 0 });
  afterFile(() => listener.close());
  const url = `http://127.0.0.1:${listener.port}/`;
  for (let n = 1; n < times; n++) await (await fetch(url)).text();
  const response = await fetch(url);
  return { status: response.status, headers: response.headers, body: await response.json(), logged };
};

test.each([new Error('secret detail'), 'a thrown string', undefined, null, { status: 404, expose: true }])(
  'an unexpected %s is 500 with only a request id, which the log has as well',
  async (thrown) => {
    const { status, headers, body, logged } = await answerTo(thrown);
    const requestId = headers.get('request-id');
    expect(status).toBe(500);
    expect(body).toEqual({
      error: 'Internal error',
      code: 'INTERNAL',
      docUrl: `${docsUrl}#INTERNAL`,
      requestId,
    });
    expect(logged).toEqual([
      { level: 'error', err: thrown, requestId, method: 'GET', path: '/', client: '203.0.113.9' },
    ]);
  },
);

test('a lost dependency is 503 with Retry-After, and its cause is logged', async () => {
  const { status, headers, body, logged } = await answerTo(new LostDependency('connection refused'));
  expect(status).toBe(503);
  expect(headers.get('retry-after')).toMatch(/^\d+$/);
  expect(body).toEqual({
    error: 'The service is temporarily unavailable',
    code: 'UNAVAILABLE',
    docUrl: `${docsUrl}#UNAVAILABLE`,
    requestId: headers.get('request-id'),
  });
  expect(logged).toMatchObject([{ level: 'warn', err: { cause: expect.any(LostDependency) } }]);
});

test('many requests refused by a full queue make one log line', async () => {
  const { status, logged } = await answerTo(new ClientError('UNAVAILABLE', 'Too many wait'), 20);
  expect(status).toBe(503);
  expect(logged).toHaveLength(1);
});

test('a client’s error is answered with its status and message, and not logged', async () => {
  const { status, headers, body, logged } = await answerTo(new ClientError('CONFLICT', 'The code is locked'));
  expect(status).toBe(409);
  expect(body).toEqual({
    error: 'The code is locked',
    code: 'CONFLICT',
    docUrl: `${docsUrl}#CONFLICT`,
    requestId: headers.get('request-id'),
  });
  expect(logged).toEqual([]);
});

test('a body that breaks off after the answer is not logged; a response that breaks off is', async () => {
  const brokenOff = await answerTo(new ClientError('INVALID_REQUEST', 'The body could not be read'), 1, true);
  expect([brokenOff.status, brokenOff.logged]).toEqual([400, []]);
  for (const code of ['RATE_LIMITED', 'UNAVAILABLE'] as const) {
    const interrupted = await answerTo(new ClientError(code, 'Too many downloads'), 1, true);
    expect(interrupted.logged).toMatchObject([{ level: 'error' }]);
  }
});

test('over https, browsers get Strict-Transport-Security', async () => {
  const { headers } = await answerTo(new ClientError('NOT_FOUND', 'no'));
  expect(headers.get('strict-transport-security')).toMatch(/^max-age=\d{8}$/);
});
