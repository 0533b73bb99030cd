/** Files that are sent whole, in part or not at all. */
import { Readable } from 'node:stream';
import Router from '@koa/router';
import { beforeAll, describe, expect, test } from 'vitest';
import { createLogger } from '#shared/logger.ts';
import { afterFile } from '../../../deploy/testing/local.ts';
import { createApplication } from './application.ts';
import type { State } from './context.ts';
import { listen } from './listener.ts';
import { send } from './send.ts';
import { createStreams } from './streams.ts';

const text = '0123456789';
const etag = '"v2"';
let url: string;
let reads = 0;

beforeAll(async () => {
  const streams = createStreams({
    ownerMax: 8,
    max: 8,
    stallTimeoutMs: 5_000,
    onEnded: () => undefined,
    onRefused: () => undefined,
  });
  const fileOf = (content: string) => ({
    size: content.length,
    etag,
    async read({ first, last } = { first: 0, last: content.length - 1 }) {
      reads++;
      return Readable.from([Buffer.from(content.slice(first, last + 1))], { objectMode: false });
    },
  });
  const headers = { 'content-type': 'text/plain', 'content-disposition': 'attachment' };
  const router = new Router<State>();
  router.get('/file', (ctx) => send(ctx, streams, () => 'one', { headers, file: fileOf(text) }));
  router.get('/empty', (ctx) => send(ctx, streams, () => 'one', { headers, file: fileOf('') }));
  const app = createApplication({
    router,
    logger: createLogger('test', 'silent'),
    secure: false,
    isUnavailable: () => false,
    clientAddress: () => '203.0.113.9',
    docsUrl: '/docs/errors',
    observe: (_, next) => next(),
  });
  const listener = await listen(app.callback(), { host: '127.0.0.1', port: 0 });
  afterFile(() => listener.close());
  url = `http://127.0.0.1:${listener.port}`;
});

const get = async (headers: Record<string, string> = {}, path = '/file', method = 'GET') => {
  const response = await fetch(url + path, { method, headers });
  return {
    status: response.status,
    body: await response.text(),
    length: response.headers.get('content-length'),
    range: response.headers.get('content-range'),
    etag: response.headers.get('etag'),
    accepts: response.headers.get('accept-ranges'),
    type: response.headers.get('content-type'),
  };
};

test('a file is sent whole, with its length, its entity tag and Accept-Ranges', async () => {
  expect(await get()).toEqual({
    status: 200,
    body: text,
    length: '10',
    range: null,
    etag,
    accepts: 'bytes',
    type: 'text/plain',
  });
  expect(await get({}, '/empty')).toMatchObject({ status: 200, body: '', length: '0' });
});

test.each([
  ['bytes=0-0', '0', 'bytes 0-0/10'],
  ['bytes=2-4', '234', 'bytes 2-4/10'],
  ['bytes=7-', '789', 'bytes 7-9/10'],
  ['bytes=7-99', '789', 'bytes 7-9/10'],
  [`bytes=7-${'9'.repeat(400)}`, '789', 'bytes 7-9/10'],
  ['bytes=-3', '789', 'bytes 7-9/10'],
  ['bytes=-99', text, 'bytes 0-9/10'],
  ['Bytes= 2-4 ', '234', 'bytes 2-4/10'],
])('of %s the one range is sent', async (range, body, contentRange) => {
  const length = String(body.length);
  expect(await get({ range })).toMatchObject({ status: 206, body, length, range: contentRange, etag });
});

test.each(['bytes=10-', 'bytes=99-100', `bytes=${'9'.repeat(400)}-`, 'bytes=-0'])(
  '%s begins after the end: 416 with the size',
  async (range) => {
    const answer = await get({ range });
    expect(answer).toMatchObject({ status: 416, range: 'bytes */10' });
    expect(answer.body).toContain('Range must begin before the end of the file, which has 10 bytes');
    expect(await get({ range: 'bytes=0-' }, '/empty')).toMatchObject({ status: 416, range: 'bytes */0' });
  },
);

test.each([
  'bytes=4-2',
  'bytes=-',
  'bytes=a-b',
  'bytes=1',
  'lines=1-2',
  'bytes=0-1,3-4',
  'bytes',
  'bytes=1-2;',
])('%s is as if no range were asked for', async (range) => {
  expect(await get({ range })).toMatchObject({ status: 200, body: text, range: null });
});

describe('a range of another version is never sent', () => {
  test.each([
    [etag, 206],
    ['"v1"', 200],
    [`W/${etag}`, 200],
    ['Sun, 22 Nov 2026 13:00:00 GMT', 200],
  ])('If-Range: %s', async (ifRange, status) => {
    expect(await get({ range: 'bytes=2-4', 'if-range': ifRange })).toMatchObject({ status });
  });

  test('If-Match decides before any range is sent: another version is 412', async () => {
    expect(await get({ 'if-match': '"v1"', range: 'bytes=2-4' })).toMatchObject({ status: 412, range: null });
    expect(await get({ 'if-match': `W/${etag}` })).toMatchObject({ status: 412 });
    expect(await get({ 'if-match': `"v1", ${etag}`, range: 'bytes=2-4' })).toMatchObject({ status: 206 });
    expect(await get({ 'if-match': '*' })).toMatchObject({ status: 200 });
  });
});

test('a file that the client already has, or asks the HEAD of, is not read', async () => {
  const before = reads;
  for (const ifNoneMatch of [etag, `W/${etag}`, `"v1", ${etag}`, '*'])
    expect(await get({ 'if-none-match': ifNoneMatch, range: 'bytes=2-4' })).toMatchObject({
      status: 304,
      body: '',
      etag,
    });
  expect(await get({ range: 'bytes=2-4' }, '/file', 'HEAD')).toMatchObject({
    status: 200,
    length: '10',
    range: null,
    accepts: 'bytes',
  });
  expect(reads).toBe(before);
  expect(await get({ 'if-none-match': '"v1"' })).toMatchObject({ status: 200 });
});
