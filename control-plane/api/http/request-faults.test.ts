/** Requests that are not HTTP, at the control plane's own port: they are refused as the redirector refuses them. */
import { describe, expect, test } from 'vitest';
import {
  ambiguousFramings,
  answersTo,
  impossibleHosts,
  malformedRequests,
  statusesOf,
} from '#shared/testing/malformed-requests.ts';
import { startTestControlPlane } from '../../testing/control-plane.ts';
import { startRedirectorStandIn } from '../../testing/redirector-stand-in.ts';

const plane = await startTestControlPlane({
  environment: { REDIRECTOR_URL: await startRedirectorStandIn() },
});
const ports = [plane.url, plane.internalUrl].map((url) => Number(new URL(url).port));

const ask = (start: string, lines: readonly string[], follow = '', port = ports[0]!): Promise<string> =>
  answersTo(`${start}\r\n${lines.join('\r\n')}\r\n\r\n${follow}`, port);

const hidden = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';
const last = 'GET /openapi.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
const refused = /^HTTP\/1\.1 400 .*\r\n\r\n\{"error":"[^"]+","code":"INVALID_REQUEST"\}$/s;

const methods = ['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'PATCH', 'HEAD'];
const paths = ['/', '/api/qr/codes', '/api/verify/serial', '/p/page_1', '/docs', '/f/form_1', '/%00', '/x?a'];

test.each(ambiguousFramings.map((lines) => [lines.join(' and '), lines] as const))(
  'a request whose end is ambiguous is 400, and no hidden request is answered, on all routes, by all methods, on both ports: %s',
  async (_, template) => {
    const lines = ['Host: x', ...template.map((line) => line.replace(/N$/, String(hidden.length)))];
    const wrong: string[] = [];
    for (const port of ports)
      for (const method of methods) {
        const answers = await Promise.all(
          paths.map((path) => ask(`${method} ${path} HTTP/1.1`, lines, hidden, port)),
        );
        const own = method === 'HEAD' ? /^HTTP\/1\.1 400 / : refused;
        for (const answer of answers)
          if (statusesOf(answer).join() !== '400' || !own.test(answer)) wrong.push(`${method}: ${answer}`);
      }
    expect(wrong).toEqual([]);
  },
);

describe('a client’s fault is 400 and named', () => {
  test.each(malformedRequests)('%s', async (_, start, lines) => {
    for (const port of ports)
      expect(await ask(`${start} HTTP/1.1`, lines, last, port)).toEqual(expect.stringMatching(refused));
  });

  test.each(impossibleHosts)('the Host %j', async (host) => {
    for (const start of ['GET /openapi.json HTTP/1.1', 'POST /api/qr/codes HTTP/1.0'])
      expect(await ask(start, [`Host: ${host}`], last)).toEqual(expect.stringMatching(refused));
  });

  test('no Host, which HTTP/1.1 requires', async () => {
    expect(await ask('GET / HTTP/1.1', ['A: b'], last)).toEqual(expect.stringMatching(refused));
    const before = 'HTTP/1.0\r\nA: b\r\n\r\n';
    expect(statusesOf(await answersTo(`GET /openapi.json ${before}`, ports[0]!))).toEqual(['200']);
  });
});

test('a head over its limit is refused as too large, and CONNECT is not allowed', async () => {
  const large = await ask('GET / HTTP/1.1', ['Host: x', `A: ${'a'.repeat(17_000)}`]);
  expect(large).toMatch(/^HTTP\/1\.1 431 .*16 KB","code":"INVALID_REQUEST"\}$/s);
  const connect = await ask('CONNECT x:80 HTTP/1.1', ['Host: x:80']);
  expect(connect).toMatch(/^HTTP\/1\.1 405 .*"code":"METHOD_NOT_ALLOWED"\}$/s);
});

test('a request with one length is answered, and so is the next one; an unknown expectation is ignored', async () => {
  const lines = ['Host: name.example:8080', 'Content-Length: 4', 'Expect: something'];
  const answers = await ask('POST /nothing HTTP/1.1', lines, `abcd${last}`);
  expect(statusesOf(answers)).toEqual(['404', '200']);
});
