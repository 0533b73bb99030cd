import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import net from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import Router from '@koa/router';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLogger } from '#shared/logger.ts';
import type { Reply } from '../idempotency/reply.ts';
import { createApplication } from './application.ts';
import type { State } from './context.ts';
import { type Listener, listen } from './listener.ts';
import { inPieces, type Piece } from './pieces.ts';
import { send } from './send.ts';
import type { StreamRefusal } from './stream-places.ts';
import { createStreamShares } from './stream-shares.ts';
import { createStreams, type StreamEnd, type Streams } from './streams.ts';

/** Long enough never to expire. Tests of stalled clients use shorter ones. */
const patient = { drainTimeoutMs: 30_000, stallTimeoutMs: 60_000 };
const piece = Buffer.alloc(16 * 1024, 'x');

let listener: Listener;
let streams: Streams;
let ended: StreamEnd[];
let refused: StreamRefusal[];
let logged: Record<string, unknown>[];
/** The reply to the next request. */
let reply: () => Reply;

const start = async ({ drainTimeoutMs, stallTimeoutMs }: typeof patient) => {
  // Private to this test, also for calls after its end.
  const [ends, refusals, lines]: [StreamEnd[], StreamRefusal[], Record<string, unknown>[]] = [[], [], []];
  [ended, refused, logged] = [ends, refusals, lines];
  streams = createStreams({
    ownerMax: 2,
    max: 3,
    stallTimeoutMs,
    onEnded: (how) => ends.push(how),
    onRefused: (why) => refusals.push(why),
  });
  const router = new Router<State>();
  router.get('/:owner', (ctx) => send(ctx, streams, () => String(ctx.params.owner), reply()));
  const logger = createLogger('test', 'silent');
  logger.error = (fields: object, message?: string) => lines.push({ message, ...fields });
  const app = createApplication({
    router,
    logger,
    secure: false,
    isUnavailable: () => false,
    clientAddress: () => '203.0.113.9',
    docsUrl: '/docs/errors',
    observe: (_, next) => next(),
  });
  listener = await listen(app.callback(), { host: '127.0.0.1', port: 0 }, { drainTimeoutMs });
};

beforeEach(() => start(patient));

afterEach(() => listener.close());

const restart = async (options: typeof patient) => {
  await listener.close();
  await start(options);
};

/** An endless source, the number of bytes read from it, and whether it was destroyed. */
const endless = () => {
  const source = new Readable({
    read() {
      seen.pieces++;
      this.push(piece);
    },
  });
  const seen = { source, pieces: 0 };
  return seen;
};

/** Some bytes, then silence until the source is destroyed. */
const silentAfter = (text: string) => {
  const source = new Readable({ read: () => undefined });
  source.push(text);
  return source;
};

const lost = () => new Error('the database went away');

const csv = { 'content-type': 'text/csv' };
const urlOf = (owner: string) => `http://127.0.0.1:${listener.port}/${owner}`;

const open = async (owner = 'one', options: http.RequestOptions = {}): Promise<IncomingMessage> => {
  const request = http.get(urlOf(owner), { agent: false, ...options });
  const [response] = await once(request, 'response');
  // A reset connection fails the response, and the request once more.
  request.on('error', () => undefined);
  return response;
};

/**
 * Everything a connection delivers, and how it ends.
 * @param onBody called once the beginning of the body is there: a reset discards unread bytes
 */
const exchange = (
  head: string,
  onBody: () => void = () => undefined,
): Promise<{ received: string; error: string | undefined }> =>
  new Promise((resolve) => {
    const socket = net.connect(listener.port, '127.0.0.1', () => socket.write(`${head}\r\n\r\n`));
    let received = '';
    let error: string | undefined;
    socket.on('data', (chunk) => {
      received += chunk;
      if (received.includes('a,b')) onBody();
    });
    socket.on('error', (failure: NodeJS.ErrnoException) => {
      error = failure.code;
    });
    socket.on('close', () => resolve({ received, error }));
  });

test('a stream is sent whole, with its headers, and the connection stays usable', async () => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  reply = () => ({ headers: csv, body: Readable.from(['a,b\r\n', '1,2\r\n'], { objectMode: false }) });
  for (let n = 0; n < 2; n++) {
    const response = await open('one', { agent });
    expect(response.headers).toMatchObject({ 'content-type': 'text/csv', 'transfer-encoding': 'chunked' });
    expect((await buffer(response)).toString()).toBe('a,b\r\n1,2\r\n');
  }
  agent.destroy();
  await expect.poll(() => ended).toEqual(['sent', 'sent']);
  expect(streams.open()).toBe(0);
});

test('an empty stream is an empty body', async () => {
  reply = () => ({ headers: csv, body: Readable.from([]) });
  const response = await open();
  expect([response.statusCode, (await buffer(response)).length]).toEqual([200, 0]);
});

test('a stream of known length announces it, and its bytes are counted', async () => {
  const ofLength = (length: number) => ({
    headers: { ...csv, 'content-length': String(length) },
    body: Readable.from(['12345'], { objectMode: false }),
  });
  reply = () => ofLength(5);
  const response = await open();
  expect(response.headers['content-length']).toBe('5');
  expect((await buffer(response)).toString()).toBe('12345');
  for (const wrong of [4, 6]) {
    reply = () => ofLength(wrong);
    await expect(open().then(buffer)).rejects.toThrow();
  }
  await expect.poll(() => ended).toEqual(['sent', 'source_failed', 'source_failed']);
});

test('a client that disconnects has its source destroyed at once', async () => {
  const { source } = endless();
  reply = () => ({ headers: csv, body: source });
  const response = await open();
  response.destroy();
  await expect.poll(() => source.destroyed).toBe(true);
  await expect.poll(() => ended).toEqual(['client_gone']);
  expect(logged).toEqual([]);
});

test('a client that disconnects before the first byte has its source destroyed, too', async () => {
  const source = new Readable({ read: () => undefined });
  reply = () => ({ headers: csv, body: source });
  const request = http.get(urlOf('one'), { agent: false });
  request.on('error', () => undefined);
  await expect.poll(() => streams.open()).toBe(1);
  request.destroy();
  await expect.poll(() => ended).toEqual(['client_gone']);
  expect(source.destroyed).toBe(true);
  expect(logged).toEqual([]);
});

describe('a source that fails', () => {
  test('before its first byte is an ordinary error response, without the stream’s headers', async () => {
    const failingAtOnce = new Readable({
      read() {
        this.destroy(lost());
      },
    });
    reply = () => ({ headers: { ...csv, 'content-disposition': 'attachment' }, body: failingAtOnce });
    const response = await open();
    expect(response.statusCode).toBe(500);
    expect(response.headers['content-disposition']).toBeUndefined();
    expect(JSON.parse((await buffer(response)).toString())).toMatchObject({ code: 'INTERNAL' });
    expect(streams.open()).toBe(0);
  });

  test('after its first byte has the connection reset, and is logged with the request id', async () => {
    const source = silentAfter('a,b\r\n');
    reply = () => ({ headers: csv, body: source });
    const response = await open('one', { headers: { 'request-id': 'export-17' } });
    expect(response.statusCode).toBe(200);
    source.destroy(lost());
    await expect(buffer(response)).rejects.toThrow();
    await expect
      .poll(() => logged)
      .toEqual([
        {
          message: 'response interrupted',
          err: expect.objectContaining({ message: 'the database went away' }),
          requestId: 'export-17',
          method: 'GET',
          path: '/one',
          client: '203.0.113.9',
        },
      ]);
    expect(ended).toEqual(['source_failed']);
  });

  test('never ends well-formed, in HTTP/1.1 or 1.0', async () => {
    let source: Readable;
    const fail = () => source.destroy(lost());
    reply = () => {
      source = silentAfter('a,b\r\n');
      return { headers: csv, body: source };
    };
    const chunked = await exchange('GET /one HTTP/1.1\r\nhost: a\r\nconnection: close', fail);
    expect(chunked.received).toContain('a,b');
    expect(chunked.received).not.toMatch(/\r\n0\r\n/);
    const plain = await exchange('GET /one HTTP/1.0', fail);
    expect(plain.received).toMatch(/\r\n\r\na,b\r\n$/);
    expect(plain.error).toBe('ECONNRESET');
  });
});

test('a client of HTTP/1.0 gets the bytes without chunks, up to the end of the connection', async () => {
  reply = () => ({ headers: csv, body: Readable.from(['a,b\r\n', '1,2\r\n'], { objectMode: false }) });
  const { received, error } = await exchange('GET /one HTTP/1.0');
  expect(received).toMatch(/\r\n\r\na,b\r\n1,2\r\n$/);
  expect(received).not.toMatch(/transfer-encoding/i);
  expect(error).toBeUndefined();
});

test('HEAD gets only the headers; nothing is read, and no place is taken', async () => {
  const seen = endless();
  reply = () => ({ headers: { ...csv, 'content-length': '7' }, body: seen.source });
  const response = await open('one', { method: 'HEAD' });
  expect(response.headers).toMatchObject({ 'content-type': 'text/csv', 'content-length': '7' });
  expect((await buffer(response)).length).toBe(0);
  expect(seen).toMatchObject({ pieces: 0, source: { destroyed: true } });
  expect(ended).toEqual([]);
});

test('nothing is read ahead of the client; a client that takes nothing is given up after a while', async () => {
  await restart({ ...patient, stallTimeoutMs: 500 });
  const seen = endless();
  reply = () => ({ headers: csv, body: seen.source });
  const response = await open();
  response.pause();
  // The buffers of two sockets, at most 6 MB each on Linux.
  await expect.poll(() => ended).toEqual(['client_stalled']);
  expect(seen.pieces * piece.length).toBeLessThan(16 * 2 ** 20);
  expect(seen.source.destroyed).toBe(true);
  expect(streams.open()).toBe(0);
  await expect(buffer(response)).rejects.toThrow();
});

test('a client that takes the body slowly is waited for', async () => {
  await restart({ ...patient, stallTimeoutMs: 1_000 });
  // More than the buffers of two sockets.
  const pieces = 1_024;
  reply = () => ({ headers: csv, body: Readable.from(Array<Buffer>(pieces).fill(piece)) });
  let bytes = 0;
  for await (const chunk of await open()) {
    const before = Math.floor(bytes / 2 ** 20);
    bytes += chunk.length;
    if (Math.floor(bytes / 2 ** 20) > before) await sleep(100);
  }
  expect(bytes).toBe(pieces * piece.length);
  await expect.poll(() => ended).toEqual(['sent']);
});

test('a source that brings the body slowly is waited for', async () => {
  await restart({ ...patient, stallTimeoutMs: 500 });
  reply = () => ({
    headers: csv,
    body: Readable.from(
      (async function* () {
        for (let n = 0; n < 4; n++) {
          await sleep(200);
          yield 'x';
        }
      })(),
      { objectMode: false },
    ),
  });
  expect((await buffer(await open())).toString()).toBe('xxxx');
});

test('concurrent streams are limited per owner, 429, and in all, 503', async () => {
  reply = () => ({ headers: csv, body: silentAfter('x') });
  const running = [await open('one'), await open('one')];
  const third = await open('one');
  expect([third.statusCode, third.headers['retry-after']]).toEqual([429, '5']);
  expect(JSON.parse((await buffer(third)).toString())).toMatchObject({
    error: 'More than 2 downloads at once are not allowed; wait until one of yours has ended',
    code: 'RATE_LIMITED',
  });
  running.push(await open('two'));
  expect((await open('three')).statusCode).toBe(503);
  expect(refused).toEqual(['owner_full', 'all_full']);
  expect(streams.open()).toBe(3);
  for (const response of running) response.destroy();
  await expect.poll(() => streams.open()).toBe(0);
  const again = await open('one');
  expect(again.statusCode).toBe(200);
  again.destroy();
});

describe('a response that is written while it is sent', () => {
  test('has pieces that end after a millisecond, both with cheap rows and with a row that takes longer by itself', () => {
    let nowMs = 0;
    const pieces = (rows: readonly number[]) => {
      const written: string[] = [];
      const textOf = (some: readonly number[]) => {
        for (const ms of some) nowMs += ms;
        return some.map((ms) => `${ms} `).join('');
      };
      for (const piece of inPieces(rows, textOf, () => nowMs)) written.push(piece());
      expect(written.join('')).toBe(rows.map((ms) => `${ms} `).join(''));
      return written.map((text) => text.trim().split(' ').length);
    };
    expect(pieces([])).toEqual([]);
    expect(pieces([7, 7, 7])).toEqual([1, 1, 1]);
    // No two looks at the clock are more than 32 rows apart.
    const many = pieces(Array<number>(1_000).fill(0.01));
    expect(Math.max(...many)).toBeLessThan(100 + 32);
    expect(many.length).toBeLessThan(15);
  });

  test('shares the time among workspaces, however many responses a workspace has, and leaves the event loop five sixths of its time', async () => {
    let nowMs = 0;
    const rests: number[] = [];
    const shares = createStreamShares({
      ownerMax: 8,
      max: 64,
      clock: () => nowMs,
      async pause(ms) {
        rests.push(ms);
        nowMs += ms;
        await new Promise(setImmediate);
      },
    });
    const done: string[] = [];
    const stream = async (owner: string) => {
      for (let piece = 0; piece < 5; piece++)
        await shares.take(owner, () => {
          done.push(owner);
          nowMs += 2;
        });
    };
    await Promise.all([...Array<string>(8).fill('many'), 'one'].map(stream));
    expect(done).toHaveLength(45);
    expect(done.slice(0, 11).filter((owner) => owner === 'one')).toHaveLength(5);
    expect(rests).toEqual(Array(45).fill(10));
  });

  test('is exactly what its pieces write, even a long text, and only in its share of the time', async () => {
    const long = '…😀'.repeat(300_000);
    let asked = 0;
    async function* pieces(): AsyncGenerator<Piece> {
      for (const text of ['a,b\r\n', '', long, 'end']) {
        asked++;
        yield () => text;
      }
    }
    reply = () => ({ headers: csv, pieces: pieces() });
    expect((await buffer(await open())).toString()).toBe(`a,b\r\n${long}end`);
    await expect.poll(() => ended).toEqual(['sent']);
    expect(asked).toBe(4);
    expect((await open('one', { method: 'HEAD' })).statusCode).toBe(200);
    expect(asked).toBe(4);
  });

  test('is an ordinary error response if its first piece fails, and a reset if a later one does', async () => {
    async function* pieces(texts: string[]): AsyncGenerator<Piece> {
      for (const text of texts) yield () => text;
      yield () => {
        throw lost();
      };
    }
    reply = () => ({ headers: csv, pieces: pieces([]) });
    expect((await open()).statusCode).toBe(500);
    reply = () => ({ headers: csv, pieces: pieces(['a,b\r\n']) });
    await expect(open().then(buffer)).rejects.toThrow();
    await expect.poll(() => ended).toEqual(['source_failed']);
    expect(streams.open()).toBe(0);
  });
});

describe('a listener that closes', () => {
  test('waits for the streams in progress', async () => {
    const source = silentAfter('begin');
    reply = () => ({ headers: csv, body: source });
    const response = await open();
    const closed = listener.close();
    source.push(' end');
    source.push(null);
    expect((await buffer(response)).toString()).toBe('begin end');
    await closed;
    await expect.poll(() => ended).toEqual(['sent']);
  });

  test('resets streams that do not end in time', async () => {
    await restart({ ...patient, drainTimeoutMs: 300 });
    const source = silentAfter('begin');
    reply = () => ({ headers: csv, body: source });
    const broken = exchange('GET /one HTTP/1.0');
    await expect.poll(() => streams.open()).toBe(1);
    await listener.close();
    expect(await broken).toMatchObject({ error: 'ECONNRESET' });
    await expect.poll(() => ended).toEqual(['client_gone']);
    expect(source.destroyed).toBe(true);
  });
});
