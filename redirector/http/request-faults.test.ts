import { beforeAll, describe, expect, test } from 'vitest';
import type { CodeRecord } from '#schemas/code-record.ts';
import { type DomainDocument, domainDocumentId } from '#schemas/documents.ts';
import {
  ambiguousFramings,
  answersTo as answersOf,
  impossibleHosts,
  malformedRequests,
  statusesOf,
} from '#shared/testing/malformed-requests.ts';
import { freePort } from '../../deploy/testing/local.ts';
import { startTestRedirector, type TestRedirector } from '../testing/redirector.ts';

let waymark: TestRedirector;
let code: CodeRecord;

beforeAll(async () => {
  waymark = await startTestRedirector({ REDIRECTOR_HTTP10_PORT: String(await freePort()) });
  await waymark.connected();
  code = await waymark.published();
  const domain = 'go.brand.example';
  await waymark.publishDocument({
    ...{ id: domainDocumentId(domain), version: 1, workspaceId: code.workspaceId },
    ...{ domain, active: true, path: '/' },
  } as DomainDocument);
});

/** A connection's answers to bytes, until the server closes it. */
const answersTo = (bytes: string, port = waymark.config.redirector.port): Promise<string> =>
  answersOf(bytes, port);

/** A request after which the server closes the connection. */
const last = 'GET /r/unknownid HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

const routes = () => [
  `/r/${code.id}`,
  `/r/${code.id}/`,
  '/r/abc!',
  '/v/7CbHq2mXvR4k/1Jd8sQwLx5nB3TyV',
  '/v/7CbHq2mXvR4k/1Jd8sQwLx5nB3TyV/',
  '/api/verify/serial',
  '/api/verify/serial/',
  '/01/09506000134352',
  '/.well-known/gs1resolver',
  '/p/page_1',
  '/',
];
const methods = ['GET', 'HEAD', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'PATCH'];
const hosts = ['x', 'go.brand.example'];
const hidden = () => `GET /r/${code.id} HTTP/1.1\r\nHost: x\r\n\r\n`;

interface Asked {
  lines: readonly string[];
  /** Sent with each request. */
  follow: string;
  isRight(statuses: string[], answers: string): boolean;
}

/** Sends every method to every route, a few at a time. @returns the requests with a wrong answer */
const askAll = async (port: number, { lines, follow, isRight }: Asked): Promise<string[]> => {
  const requests = hosts.flatMap((host) =>
    methods.flatMap((method) =>
      routes().map(
        (path) => [`${method} ${path} HTTP/1.1`, `Host: ${host}`, ...lines, '', ''].join('\r\n') + follow,
      ),
    ),
  );
  const wrong: string[] = [];
  const ask = async (): Promise<void> => {
    for (let request = requests.pop(); request !== undefined; request = requests.pop()) {
      const answers = await answersTo(request, port);
      const statuses = statusesOf(answers);
      if (!isRight(statuses, answers)) wrong.push(`${statuses.join()}: ${request}`);
    }
  };
  await Promise.all(Array.from({ length: 16 }, ask));
  return wrong;
};

describe('a request with an ambiguous end is 400 and closes its connection: no hidden request is answered', () => {
  // With a further request at once, uWebSockets.js closes before the answer.
  const refused = (lines: readonly string[], follow: string): Asked => ({
    ...{ lines, follow },
    isRight: (statuses) => statuses.join() === '400' || (follow !== '' && statuses.length === 0),
  });

  test.each(ambiguousFramings.map((lines) => [lines.join(' and '), lines] as const))(
    'on all routes, by all methods, on both ports: %s',
    async (_, template) => {
      const { port, http10Port } = waymark.config.redirector;
      const lines = template.map((line) => line.replace(/N$/, String(hidden().length)));
      expect(await askAll(port, refused(lines, ''))).toEqual([]);
      expect(await askAll(port, refused(lines, hidden()))).toEqual([]);
      expect(await askAll(http10Port!, refused(lines, hidden()))).toEqual([]);
    },
  );
});

describe('a request with a Transfer-Encoding is the last of its connection, on all routes, by all methods', () => {
  const lines = ['Transfer-Encoding: chunked'];
  const whole = '2\r\n{}\r\n0\r\n\r\n';

  test('its answer says so, and closes the connection', async () => {
    const isRight: Asked['isRight'] = (statuses, answers) =>
      statuses.length === 1 && /\r\nconnection: close\r\n/i.test(answers);
    expect(await askAll(waymark.config.redirector.port, { lines, follow: whole, isRight })).toEqual([]);
  });

  test.each([
    ['in order', whole],
    ['that end in LF alone', '2\n{}\n0\n\n'],
    ['with another two bytes for a CRLF', '2\r\n{}XX0\r\n\r\n'],
    ['with a blank behind a size', '2 \r\n{}\r\n0\r\n\r\n'],
  ])('no request behind it is answered: chunks %s', async (_, chunks) => {
    const isRight: Asked['isRight'] = (statuses) => statuses.length <= 1;
    const follow = chunks + last;
    expect(await askAll(waymark.config.redirector.port, { lines, follow, isRight })).toEqual([]);
  });
});

test('a request with one length is answered, and so is the next request', async () => {
  const answers = await answersTo(`POST /r/abc! HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nabcd${last}`);
  expect(statusesOf(answers)).toEqual(['404', '404']);
});

const badRequest = expect.stringMatching(/^HTTP\/1\.1 400 /);

test.each(['/\xe9', '/v/7CbHq2mXvR4k/1Jd8sQwLx5nB3T\xe9', '/v/7CbHq2mXvR4k/1Jd8sQwLx5nB3TyV?a=\xff'])(
  'a target that is not ASCII is 400: %j',
  async (target) => {
    expect(await answersTo(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)).toEqual(
      badRequest,
    );
  },
);

describe('a fault of the client is 400, and the control plane is not asked', () => {
  test.each(['G"T', 'GET(', ''])('the method %j', async (method) => {
    for (const path of ['/p/page_1', '/api/verify/serial', '/v/a/b', `/r/${code.id}`, '/01/09506000134352'])
      expect(await answersTo(`${method} ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)).toEqual(badRequest);
  });

  test.each([
    ['a target with a fragment', 'POST', '/api/verify/serial#x', ''],
    ['a query with a fragment', 'POST', '/api/verify/serial?#x', ''],
    ['a method in lower case', 'post', '/api/verify/serial', ''],
    [
      'a second coding',
      'POST',
      '/api/verify/serial',
      'Content-Encoding: identity\r\nContent-Encoding: gzip\r\n',
    ],
  ])('%s of a verification, at both ports', async (_, method, path, lines) => {
    const item = JSON.stringify({ itemId: '7CbHq2mXvR4k', signature: '1Jd8sQwLx5nB3TyV' });
    const request = `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${lines}Content-Length: ${item.length}\r\n\r\n${item}`;
    for (const port of [waymark.config.redirector.port, waymark.config.redirector.http10Port])
      expect(await answersTo(request, port)).toEqual(badRequest);
  });

  test.each(impossibleHosts)('the Host %j: it is not taken for QR_HOST', async (host) => {
    for (const path of [`/r/${code.id}`, '/p/page_1', '/v/a/b', '/01/09506000134352'])
      for (const port of [waymark.config.redirector.port, waymark.config.redirector.http10Port])
        expect(
          await answersTo(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`, port),
        ).toEqual(badRequest);
  });

  test.each(['', 'name', 'NAME.example.:', 'name:80', '127.0.0.1:8080', '[::1]:8080', '_a.b-c.example'])(
    'the Host %j is allowed',
    async (host) => {
      const answers = await answersTo(
        `GET /r/${code.id} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
      );
      expect(answers).toMatch(/^HTTP\/1\.1 302 /);
    },
  );

  test('CONNECT is 405, on both ports', async () => {
    const { port, http10Port } = waymark.config.redirector;
    for (const each of [port, http10Port])
      for (const target of ['/p/page_1', `/r/${code.id}`, '/v/a/b', '/01/09506000134352'])
        expect(await answersTo(`CONNECT ${target} HTTP/1.1\r\nHost: x\r\n\r\n`, each)).toMatch(
          /^HTTP\/1\.1 405 .*"code":"METHOD_NOT_ALLOWED"\}$/s,
        );
  });

  test.each(malformedRequests)('on the port for HTTP/1.0: %s', async (_, start, lines) => {
    for (const version of ['HTTP/1.0', 'HTTP/1.1']) {
      const head = [`${start} ${version}`, ...lines, '', ''].join('\r\n');
      const answers = await answersTo(head, waymark.config.redirector.http10Port);
      expect(statusesOf(answers)).toEqual(['400']);
      expect(answers).toMatch(/\r\n\r\n\{"error":"[^"]+","code":"INVALID_REQUEST"\}$/);
    }
  });
});

describe('a body in chunks of one byte is refused before it ends, with the cause, and its connection is closed', () => {
  const chunks = (count: number): string => '1\r\na\r\n'.repeat(count);
  const post = (path: string, count: number, ...lines: string[]): string =>
    [`POST ${path} HTTP/1.1`, 'Host: x', 'Transfer-Encoding: chunked', ...lines, '', ''].join('\r\n') +
    chunks(count);
  const cause =
    /^HTTP\/1\.1 400 .*\r\n\r\n\{"error":"A body must not come in chunks this small[^"]+","code":"INVALID_REQUEST"\}$/s;

  test.each(['/p/page_1', '/api/nothing', '/r/unknownid', '/api/verify/serial', '/01/09506000134352'])(
    'at %s, on both ports, on domains, too',
    async (path) => {
      const { port, http10Port } = waymark.config.redirector;
      const domain = post(path, 3_000).replace('Host: x', 'Host: go.brand.example');
      for (const request of [post(path, 3_000), domain]) expect(await answersTo(request)).toMatch(cause);
      // Many more at once may end the connection without an answer: nothing else ends the work.
      for (const each of [port, http10Port])
        expect(statusesOf(await answersTo(post(path, 90_000), each)).join()).toMatch(/^(400)?$/);
    },
  );

  test('browsers get a page', async () => {
    const answer = await answersTo(post('/p/page_1', 3_000, 'Accept: text/html'));
    expect(answer).toMatch(/^HTTP\/1\.1 400 .*<title>This request cannot be read/s);
  });

  test('chunks of 64 bytes are not refused', async () => {
    const chunk = `40\r\n${'a'.repeat(64)}\r\n`;
    const request = `${post('/api/verify/serial', 0)}${chunk.repeat(1_500)}0\r\n\r\n`;
    for (const port of [waymark.config.redirector.port, waymark.config.redirector.http10Port])
      expect(await answersTo(request.replace('Host: x', 'Host: x\r\nConnection: close'), port)).not.toMatch(
        /chunks/,
      );
  });
});
