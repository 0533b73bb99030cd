/** Calls of tools whose answers are streams, through the application that serves the API. */
import { Readable } from 'node:stream';
import Router from '@koa/router';
import { beforeEach, expect, test } from 'vitest';
import { createLogger } from '#shared/logger.ts';
import { createApplication } from '../http/application.ts';
import type { State } from '../http/context.ts';
import { send } from '../http/send.ts';
import { createStreams, type StreamEnd } from '../http/streams.ts';
import { callTool, type Dispatch } from './call-tool.ts';
import type { Tool } from './tools.ts';

const megabyte = 2 ** 20;
const chunk = Buffer.alloc(16 * 1024, ' ');

let ended: StreamEnd[];
let source: Readable;
let dispatch: Dispatch;

beforeEach(() => {
  ended = [];
  const streams = createStreams({
    ownerMax: 2,
    max: 2,
    stallTimeoutMs: 60_000,
    onEnded: (how) => ended.push(how),
    onRefused: () => undefined,
  });
  const router = new Router<State>();
  const headers = { 'content-type': 'application/json' };
  router.get('/menus', (ctx) => send(ctx, streams, () => 'ws', { headers, body: source }));
  dispatch = createApplication({
    router,
    logger: createLogger('test', 'silent'),
    secure: false,
    isUnavailable: () => false,
    clientAddress: () => '203.0.113.9',
    docsUrl: '/docs/errors',
    observe: (_, next) => next(),
  }).callback();
});

const tool = {
  method: 'get',
  template: '/menus',
  args: new Map(),
  listed: { name: 'list_menus' },
} as unknown as Tool;

const call = (gone = new AbortController().signal) =>
  callTool(dispatch, tool, {}, { authorization: 'Bearer key', address: '203.0.113.9', gone }, '/docs/errors');

/** Some megabytes, of which it counts what is read. */
const megabytesOf = (megabytes: number) => {
  const seen = { bytes: 0 };
  source = new Readable({
    read() {
      seen.bytes += chunk.length;
      this.push(seen.bytes > megabytes * megabyte ? null : chunk);
    },
  });
  return seen;
};

test('an answer of many megabytes is read up to the first, and its source is destroyed', async () => {
  const seen = megabytesOf(64);
  const { isError, content } = await call();
  expect([isError, content]).toEqual([
    true,
    [{ type: 'text', text: expect.stringMatching(/^The answer has more than 1048576 bytes/) }],
  ]);
  expect(seen.bytes).toBeLessThan(1.5 * megabyte);
  await expect.poll(() => [source.destroyed, ended]).toEqual([true, ['client_gone']]);
});

test('an answer in several chunks is read to its end, at the pace of its source', async () => {
  const text = JSON.stringify({ menus: [{ name: 'm'.repeat(3_000) }] });
  source = Readable.from(text.match(/.{1,100}/g)!, { objectMode: false });
  expect((await call()).content).toEqual([{ type: 'text', text }]);
  await expect.poll(() => ended).toEqual(['sent']);
});

test('an answer that breaks off is a failure, and no shorter answer', async () => {
  source = new Readable({ read: () => undefined });
  source.push('{"menus":[');
  const answer = call();
  await expect.poll(() => source.readableLength).toBe(0);
  source.destroy(new Error('lost'));
  await expect(answer).rejects.toThrow();
  await expect.poll(() => ended).toEqual(['source_failed']);
});

test('a caller that is gone ends the request, whether its answer has begun or not', async () => {
  for (const begun of ['', '{"menus":[']) {
    source = new Readable({ read: () => undefined });
    if (begun !== '') source.push(begun);
    const caller = new AbortController();
    const answer = call(caller.signal);
    await expect.poll(() => [source.listenerCount('readable'), source.readableLength]).toEqual([1, 0]);
    caller.abort();
    await expect(answer).rejects.toThrow();
    await expect.poll(() => source.destroyed).toBe(true);
  }
  await expect.poll(() => ended).toEqual(['client_gone', 'client_gone']);
  source = Readable.from([]);
  await expect(call(AbortSignal.abort())).rejects.toThrow();
});
