/** Requests of clients and proxies other than a plain GET: long heads, an extra slash, IPv6. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { CodeRecord } from '#schemas/code-record.ts';
import { eventually } from '../testing/eventually.ts';
import { rawRequest } from '../testing/raw-request.ts';
import { createRecord, phone, startTestRedirector, type TestRedirector } from '../testing/redirector.ts';

let waymark: TestRedirector;
let code: CodeRecord;

const portOf = ({ url }: TestRedirector): number => Number(new URL(url).port);

beforeAll(async () => {
  waymark = await startTestRedirector();
  await waymark.connected();
  code = createRecord();
  await waymark.publish(code);
});

const head = (path: string, ...lines: string[]) => [
  `GET ${path} HTTP/1.1`,
  'Host: x',
  `User-Agent: ${phone}`,
  ...lines,
];

test.each([
  ['one header', (bytes: number) => [`Cookie: ${'c'.repeat(bytes)}`]],
  [
    'many headers',
    (bytes: number) => Array.from({ length: 60 }, (_, n) => `X-${n}: ${'v'.repeat(bytes / 60)}`),
  ],
])('a head of 15 kB is answered, one of 17 kB is 431 (%s)', async (_, lines) => {
  const answer = (bytes: number) =>
    rawRequest({ port: portOf(waymark) }, head(`/r/${code.id}`, ...lines(bytes)));
  const small = await answer(14.5 * 1024);
  expect([small.status, small.headers.location]).toEqual([302, code.destination]);
  expect((await answer(17 * 1024)).status).toBe(431);
});

test('a head of 15 kB is passed through too', async () => {
  const lines = head('/p/page_1', `Cookie: ${'c'.repeat(14.5 * 1024)}`);
  const { status, body } = await rawRequest({ port: portOf(waymark) }, lines);
  expect([status, body]).toEqual([200, 'passed: GET /p/page_1']);
});

describe('a slash after the id leads to the same code', () => {
  test('GET and HEAD', async () => {
    for (const method of ['GET', 'HEAD']) {
      const response = await waymark.scan(`${code.id}/`, { method });
      expect([response.status, response.headers.get('location')]).toEqual([302, code.destination]);
    }
    const sourced = createRecord({ sources: ['poster'] });
    await waymark.publish(sourced);
    expect((await waymark.scan(`${sourced.id}/?s=poster`)).status).toBe(302);
  });

  test("POST of a password to its page's address", async () => {
    const locked = createRecord({ passwordProtected: true });
    waymark.controlPlane.passwords.set(locked.id, 'open sesame');
    await waymark.publish(locked);
    const page = await waymark.scan(`${locked.id}/`, { headers: { accept: 'text/html' } });
    expect(page.status).toBe(200);
    const action = /<form[^>]* action="([^"]*)"/.exec(await page.text())?.[1];
    expect(action).toBe(`/r/${locked.id}/`);
    const response = await fetch(waymark.url + action, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'user-agent': phone },
      body: new URLSearchParams({ password: 'open sesame' }),
    });
    expect([response.status, response.headers.get('location')]).toEqual([303, locked.destination]);
  });

  test('other methods are 405, and a further path segment is not a code', async () => {
    expect((await waymark.scan(`${code.id}/`, { method: 'PUT' })).status).toBe(405);
    expect(await (await waymark.scan(`${code.id}/x`)).text()).toBe(`passed: GET /r/${code.id}/x`);
  });
});

describe('HOST may be IPv6', () => {
  test.each(['::1', '[::1]'])('on HOST=%s the redirector listens and redirects', async (host) => {
    const mine = await startTestRedirector({ HOST: host });
    await mine.connected();
    await mine.publish(code);
    expect(mine.url).toMatch(/^http:\/\/\[::1\]:/);
    expect((await mine.scan(code.id)).status).toBe(302);
    await expect(rawRequest({ port: portOf(mine) }, head('/'))).rejects.toThrow('ECONNREFUSED');
  });

  test('on :: an IPv4 client has one address over both versions, and a proxy is recognised', async () => {
    const mine = await startTestRedirector({ HOST: '::', TRUSTED_PROXIES: '127.0.0.1' });
    await mine.connected();
    await mine.publish(code);
    const left = async (host: string, ...lines: string[]) => {
      const { headers } = await rawRequest({ port: portOf(mine), host }, head(`/r/${code.id}`, ...lines));
      return Number(/remaining=(\d+)/.exec(headers.ratelimit!)![1]);
    };
    // The clock minute may end between two of them: try again.
    await eventually(async () => {
      const forwarded = 'X-Forwarded-For: 203.0.113.8';
      const first = await left('127.0.0.1', forwarded);
      expect(await left('127.0.0.1', 'X-Forwarded-For: ::ffff:203.0.113.8')).toBe(first - 1);
      const own = await left('::1');
      expect(await left('::1', forwarded)).toBe(own - 1);
      expect(await left('127.0.0.1', forwarded)).toBe(first - 2);
    });
  });
});
