import { expect, test } from 'vitest';
import { toRequest } from './autocannon.ts';
import { responseLength } from './connection.ts';
import { requestsFor } from './traffic.ts';

const ids = Array.from({ length: 10_000 }, (_, index) => `id${index}`);
const requests = requestsFor(ids, '/r/');
const valuesOf = (name: string) =>
  new Set(requests.map((request) => new RegExp(`\r\n${name}: ([^\r]*)\r\n`).exec(request)?.[1]));

test('60,000 requests from as many addresses, over 10,000 codes and 200 user agents', () => {
  expect(new Set(requests).size).toBe(60_000);
  expect(valuesOf('X-Forwarded-For').size).toBe(60_000);
  expect(new Set(requests.map((request) => request.split(' ')[1])).size).toBe(10_000);
  expect(valuesOf('User-Agent').size).toBe(200);
  expect(valuesOf('Host')).toEqual(new Set(['qr.example']));
  expect(valuesOf('Referer')).toEqual(new Set(['https://t.co/abc']));
});

test('a code is asked for again only after all others', () => {
  expect(requests[0]!.split(' ')[1]).toBe(requests[10_000]!.split(' ')[1]);
  expect(new Set(requests.slice(0, 10_000).map((request) => request.split(' ')[1])).size).toBe(10_000);
});

test('autocannon is given the same path and headers', () => {
  expect(toRequest('GET /r/x HTTP/1.1\r\nHost: qr.example\r\nReferer: https://t.co/abc\r\n\r\n')).toEqual({
    method: 'GET',
    path: '/r/x',
    headers: { Host: 'qr.example', Referer: 'https://t.co/abc' },
  });
});

test('a response ends with its head, or with the body that the head announces', () => {
  expect(responseLength('HTTP/1.1 302 Found\r\nLocation: /\r\n')).toBeUndefined();
  expect(responseLength('HTTP/1.1 302 Found\r\nLocation: /\r\n\r\n')).toBe(35);
  expect(responseLength('HTTP/1.1 302 Found\r\nContent-Length: 4\r\n\r\nabc')).toBeUndefined();
  expect(responseLength('HTTP/1.1 302 Found\r\ncontent-length: 3\r\n\r\nabc')).toBe(44);
});
