// Must precede loading uWebSockets.js: the process runs the servers of other test files too.
import './request-head.ts';
import { App, us_listen_socket_close } from 'uWebSockets.js';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { Agent } from 'undici';
import { expect, test } from 'vitest';
import { afterFile, freePort } from '../../deploy/testing/local.ts';
import { eventually } from '../testing/eventually.ts';
import { openExchange } from './exchange.ts';
import {
  answerThrough,
  createPassthrough,
  createPassthroughWarning,
  type PassthroughOptions,
} from './passthrough.ts';

const startUpstream = async (handler: http.RequestListener): Promise<string> => {
  const server = http.createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterFile(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** Longer than any machine takes. */
const patient = { headersTimeoutMs: 30_000, bodyTimeoutMs: 30_000 };

/** A server that passes every request through, with long time-outs unless the options say otherwise. */
const startFront = async (
  upstreamUrl: string,
  options: Partial<PassthroughOptions> = {},
  bodyBytesMax = 2 ** 20,
) => {
  const agent = new Agent();
  const passthrough = createPassthrough(agent, {
    upstreamUrl,
    token: 'secret',
    concurrentMax: 10,
    largeMax: 5,
    perClientMax: 10,
    collectingMax: 100,
    collectedBytesMax: 2 ** 22,
    small: { bytesMax: 256 * 2 ** 10, idleMs: 30_000, totalMs: 30_000 },
    ...patient,
    ...options,
  });
  const logged: string[] = [];
  const warn = createPassthroughWarning(
    pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) }),
  );
  const port = await freePort();
  const app = App().any('/*', (res, req) => {
    void answerThrough(
      passthrough,
      openExchange(res, req, bodyBytesMax, () => false),
      { address: '203.0.113.7', network: '203.0.113.7' },
      warn,
    );
  });
  app.listen('127.0.0.1', port, (socket) => {
    if (!socket) throw new Error('not listening');
    afterFile(() => us_listen_socket_close(socket));
  });
  afterFile(() => agent.destroy());
  afterFile(() => app.close());
  return { url: `http://127.0.0.1:${port}`, port, passthrough, logged };
};

test("method, path, query, headers and body arrive as they were sent, with the client's address", async () => {
  let seen: Record<string, unknown> = {};
  const upstream = await startUpstream(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    seen = { method: req.method, url: req.url, headers: req.headers, body: Buffer.concat(chunks).toString() };
    res.writeHead(201, {
      'x-answer': 'yes',
      'set-cookie': ['a=1', 'b=2'],
      connection: 'x-secret',
      'x-secret': '1',
    });
    res.end('made');
  });
  const front = await startFront(upstream);
  const response = await fetch(`${front.url}/f/form_1?x=%20y&x=2`, {
    method: 'POST',
    headers: { 'x-custom': 'kept', 'x-forwarded-for': '6.6.6.6', 'x-waymark-proxy': 'forged' },
    body: 'a=b',
  });
  expect(response.status).toBe(201);
  expect(response.headers.get('x-answer')).toBe('yes');
  expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  expect(response.headers.get('x-secret')).toBeNull();
  expect(await response.text()).toBe('made');
  expect(seen).toMatchObject({
    method: 'POST',
    url: '/f/form_1?x=%20y&x=2',
    body: 'a=b',
    headers: { 'x-custom': 'kept', 'x-forwarded-for': '203.0.113.7', 'x-waymark-proxy': 'secret' },
  });
});

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

test("a large body is passed up whole, at the upstream's pace", async () => {
  const upstream = await startUpstream(async (req, res) => {
    const hash = createHash('sha256');
    let pauses = 0;
    for await (const chunk of req) {
      hash.update(chunk);
      if (pauses++ % 50 === 0) await sleep(2);
    }
    res.end(hash.digest('hex'));
  });
  const front = await startFront(upstream, {}, 64 * 2 ** 20);
  const body = randomBytes(20 * 2 ** 20);
  const response = await fetch(front.url, { method: 'POST', body });
  expect(await response.text()).toBe(digest(body));
});

test('a large body is passed down whole', async () => {
  const body = randomBytes(20 * 2 ** 20);
  const upstream = await startUpstream((_req, res) => res.end(body));
  const front = await startFront(upstream);
  const response = await fetch(front.url);
  expect(digest(new Uint8Array(await response.arrayBuffer()))).toBe(digest(body));
});

test('a client that reads slowly makes the upstream wait, and costs no memory', async () => {
  let sent = 0;
  const upstream = await startUpstream(async (_req, res) => {
    const chunk = Buffer.alloc(2 ** 20);
    while (sent < 200 * chunk.length && !res.destroyed) {
      sent += chunk.length;
      if (!res.write(chunk)) {
        await new Promise((resolve) => res.once('drain', resolve).once('close', resolve));
      }
    }
    res.end();
  });
  const front = await startFront(upstream);
  const socket = net.connect(front.port, '127.0.0.1');
  socket.write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n');
  socket.pause();
  // Until the upstream waits.
  await eventually(async () => {
    const before = sent;
    expect(before).toBeGreaterThan(0);
    // Iterations of the event loop as well as time: a busy machine may run few iterations in it.
    for (let iteration = 0; iteration < 20; iteration++) {
      await sleep(20);
      expect(sent).toBe(before);
    }
  });
  expect(sent).toBeLessThan(100 * 2 ** 20);
  socket.destroy();
  await eventually(() => expect(front.passthrough.underWay).toBe(0));
});

test('HEAD has the length and no body; 204 and 304 have neither', async () => {
  const upstream = await startUpstream((req, res) => {
    if (req.url === '/304') res.writeHead(304, { etag: '"a"' }).end();
    else if (req.url === '/204') res.writeHead(204).end();
    else res.writeHead(200, { 'content-length': '5' }).end('hello');
  });
  const front = await startFront(upstream);
  const head = await fetch(`${front.url}/x`, { method: 'HEAD' });
  expect([head.status, head.headers.get('content-length')]).toEqual([200, '5']);
  expect((await fetch(`${front.url}/304`)).status).toBe(304);
  expect((await fetch(`${front.url}/204`)).status).toBe(204);
});

test('after a HEAD its connection answers a further request', async () => {
  const upstream = await startUpstream((_, res) =>
    res.writeHead(200, { 'content-length': '7' }).end('the end'),
  );
  const front = await startFront(upstream);
  const of = (method: string) => `${method} /x HTTP/1.1\r\nHost: qr.example\r\n\r\n`;
  const received = await talk(
    front.port,
    [
      [0, of('HEAD')],
      ['answered', of('GET')],
    ],
    (text) => text.endsWith('the end'),
  );
  expect(received.match(/content-length: 7\r\n/gi)).toHaveLength(2);
});

test('204 and 304 announce no length, and their connection stays usable', async () => {
  const upstream = await startUpstream((req, res) => {
    if (req.url === '/304') res.writeHead(304, { etag: 'W/"a"' }).end();
    else if (req.url === '/204') res.writeHead(204).end();
    else res.end('the end');
  });
  const front = await startFront(upstream);
  const get = (target: string) => `GET ${target} HTTP/1.1\r\nHost: qr.example\r\n\r\n`;
  const received = await talk(
    front.port,
    [
      [0, get('/304')],
      ['answered', get('/204')],
      ['answered', get('/last')],
    ],
    (text) => text.endsWith('the end'),
  );
  const heads = received.split(/(?=HTTP\/1\.1 )/);
  expect(heads.map((head) => head.slice(9, 12))).toEqual(['304', '204', '200']);
  for (const head of heads.slice(0, 2)) expect(head).not.toMatch(/content-length|transfer-encoding/i);
});

/**
 * In front of an upstream that never answers: a server without room for another request, and one with a short time-out.
 */
const startSilent = async (target: string) => {
  const upstream = await startUpstream(() => {});
  const busy = await startFront(upstream, { concurrentMax: 1 });
  const gone = new AbortController();
  fetch(busy.url + target, { signal: gone.signal }).catch(() => {}); // Never answered.
  afterFile(() => gone.abort());
  await eventually(() => expect(busy.passthrough.underWay).toBe(1));
  return { busy, impatient: await startFront(upstream, { headersTimeoutMs: 200 }) };
};

test('an upstream that is down is 502, one that does not answer is 504, a request too many is 503', async () => {
  const away = await startFront('http://127.0.0.1:1');
  const answer = await fetch(`${away.url}/p/x`);
  expect(answer.status).toBe(502);
  expect(await answer.json()).toEqual({
    error: 'The service behind this address does not answer',
    code: 'BAD_GATEWAY',
  });
  const { busy, impatient } = await startSilent('/p/x');
  const second = await fetch(`${busy.url}/p/x`);
  expect([second.status, second.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await second.json()).toEqual({ error: 'Too many requests at once', code: 'UNAVAILABLE' });
  const late = await fetch(`${impatient.url}/p/x`);
  expect([late.status, await late.json()]).toEqual([
    504,
    { error: 'The service did not answer in time', code: 'GATEWAY_TIMEOUT' },
  ]);
});

test('if an upstream aborts, the client sees a truncated response', async () => {
  let breakOff = () => {};
  const upstream = await startUpstream((_req, res) => {
    res.writeHead(200, { 'content-length': String(2 ** 20) });
    res.write(Buffer.alloc(2 ** 17));
    breakOff = () => res.destroy();
  });
  const front = await startFront(upstream);
  const response = await fetch(front.url);
  breakOff();
  await expect(response.arrayBuffer()).rejects.toThrow();
});

test('a body over the limit is 413', async () => {
  const upstream = await startUpstream((req, res) => {
    req.resume().on('end', () => res.end('read'));
    req.on('error', () => {});
  });
  const front = await startFront(upstream, {}, 1000);
  const response = await fetch(front.url, { method: 'POST', body: Buffer.alloc(100_000) });
  expect([response.status, await response.json()]).toEqual([
    413,
    { error: 'the body is larger than 1000 bytes', code: 'BODY_TOO_LARGE' },
  ]);
});

test('a client that disconnects ends the request upstream', async () => {
  let closed = false;
  const upstream = await startUpstream((req) => {
    req.on('close', () => {
      closed = true;
    });
  });
  const front = await startFront(upstream);
  const gone = new AbortController();
  const request = fetch(front.url, { signal: gone.signal });
  await eventually(() => expect(front.passthrough.underWay).toBe(1));
  gone.abort();
  await expect(request).rejects.toThrow();
  await eventually(() => expect(closed).toBe(true));
  await eventually(() => expect(front.passthrough.underWay).toBe(0));
});

test('a short answer that is cut off is 502, not silence', async () => {
  const upstream = await startUpstream((_, res) => {
    res.writeHead(200, { 'content-length': '100' });
    res.write('half');
    setTimeout(() => res.destroy(), 20);
  });
  const front = await startFront(upstream);
  const response = await fetch(front.url);
  expect([response.status, await response.json()]).toEqual([
    502,
    { error: 'The service behind this address does not answer', code: 'BAD_GATEWAY' },
  ]);
  await eventually(() => expect(front.passthrough.underWay).toBe(0));
});

/** When a part is written: after this many ms, or once the previous answer is complete. */
type When = number | 'answered';

/** The answers to a raw client that writes each part when it is due, and `next` once the first answer has begun. */
const talk = (
  port: number,
  parts: readonly [when: When, bytes: string | Buffer][],
  isDone: (received: string) => boolean,
  next = '',
): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = net.connect({ port, host: '127.0.0.1', noDelay: true });
    let received = '';
    const end = () => {
      clearTimeout(deadline);
      socket.destroy();
      resolve(received);
    };
    const deadline = setTimeout(() => reject(new Error(`no answer in time, but: ${received}`)), 30_000);
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      if (isDone(received)) end();
    });
    socket.on('error', () => {});
    socket.on('close', end);
    void (async () => {
      for (const [n, [when, bytes]] of parts.entries()) {
        if (when !== 'answered') await sleep(when);
        else while (received.split('\r\n\r\n').length <= n && !socket.destroyed) await sleep(1);
        if (socket.destroyed) return;
        socket.write(bytes);
      }
      while (received === '' && !socket.destroyed) await sleep(1);
      if (next !== '') socket.write(next);
    })();
  });

const postHead = (bytes: number): string =>
  `POST /api/qr/codes HTTP/1.1\r\nHost: qr.example\r\nAuthorization: Bearer wm_bad\r\nContent-Length: ${bytes}\r\n\r\n`;

/** Answers after the head, like an API that refuses a token, a path or a rate. */
const startRefusing = (status: number, closes: boolean): Promise<string> =>
  startUpstream((_, res) => {
    res.writeHead(status, { 'content-type': 'application/json', ...(closes && { connection: 'close' }) });
    res.end('{"error":"refused"}');
  });

for (const closes of [true, false])
  for (const [status, bytes, afterMs] of [
    [401, 2, 0],
    [404, 2, 1],
    [429, 2, 50],
    [401, 500_000, 0],
    [429, 500_000, 50],
  ] as const)
    test(`a refusal (${status}) by an upstream that ${closes ? 'closes' : 'stays'} reaches a client whose ${bytes} bytes of body follow ${afterMs} ms later`, async () => {
      const front = await startFront(await startRefusing(status, closes));
      await fetch(front.url); // opens a connection to the upstream
      for (let i = 0; i < 4; i++) {
        const answer = await talk(
          front.port,
          [
            [0, postHead(bytes)],
            [afterMs, Buffer.alloc(bytes, 'x')],
          ],
          (received) => received.split('"refused"').length === 3,
          'GET /next HTTP/1.1\r\nHost: x\r\n\r\n',
        );
        expect(answer.match(new RegExp(`HTTP/1.1 ${status} `, 'g'))).toHaveLength(2);
      }
      await eventually(() => expect(front.passthrough.underWay).toBe(0));
    });

test('a body that does not arrive holds no upstream connection, and is 408 in the end', async () => {
  const front = await startFront(await startUpstream((_, res) => res.end('answered')), {
    concurrentMax: 1,
    perClientMax: 100,
    small: { bytesMax: 1000, idleMs: 1500, totalMs: 5000 },
  });
  const late = Promise.all(
    Array.from({ length: 50 }, () =>
      talk(front.port, [[0, `${postHead(1000)}x`]], (received) => received.includes('"REQUEST_TIMEOUT"}')),
    ),
  );
  late.catch(() => {}); // awaited below
  await sleep(100);
  expect(await (await fetch(front.url)).text()).toBe('answered');
  for (const answer of await late) {
    expect(answer).toMatch(/^HTTP\/1.1 408 /);
    expect(answer).toContain('{"error":"The body did not come in time","code":"REQUEST_TIMEOUT"}');
  }
  expect(front.passthrough.refused.late).toBe(50);
  expect(front.logged).toHaveLength(1);
  expect(JSON.parse(front.logged[0]!)).toMatchObject({ code: 'REQUEST_TIMEOUT', target: '/api/qr/codes' });
  expect(front.logged[0]!.length).toBeLessThan(300);
});

test('each client has its share, large bodies have theirs, and held bodies are bounded; beyond that is 503', async () => {
  const upstream = await startUpstream((req, res) => void req.resume().on('end', () => res.end('read')));
  const refusedWith = async (options: Partial<PassthroughOptions>, head: string) => {
    const front = await startFront(upstream, options);
    const held = net.connect(front.port, '127.0.0.1');
    afterFile(() => held.destroy());
    await once(held, 'connect');
    await new Promise((resolve) => held.write(head, resolve));
    const answer = await talk(front.port, [[0, head]], (received) => received.includes('"}'));
    expect(answer).toMatch(/^HTTP\/1.1 503 /);
    expect(answer.toLowerCase()).toContain('retry-after: 1');
    return front.passthrough.refused;
  };
  const small = { bytesMax: 10, idleMs: 30_000, totalMs: 30_000 };
  expect(await refusedWith({ perClientMax: 1 }, postHead(10))).toMatchObject({ client: 1 });
  expect(await refusedWith({ collectingMax: 1 }, postHead(10))).toMatchObject({ collecting: 1 });
  const large = `${postHead(1000)}${'x'.repeat(20)}`;
  expect(await refusedWith({ largeMax: 1, small }, large)).toMatchObject({ large: 1 });
  expect(await refusedWith({ collectedBytesMax: 30 }, large)).toMatchObject({ collecting: 1 });
});

const asBrowser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const pageOf = async (answer: Response) => {
  const text = await answer.text();
  expect(text).toMatch(/^<!doctype html>[\s\S]*<h1 dir="auto">/);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
    'cache-control': 'private, no-store',
    vary: 'Accept, Accept-Language',
    'x-robots-tag': 'noindex',
    'content-length': String(Buffer.byteLength(text)),
  });
  return { status: answer.status, retryAfter: answer.headers.get('retry-after') };
};

test('a browser whose request is not passed on gets a page, on every path, with Retry-After', async () => {
  const away = await startFront('http://127.0.0.1:1');
  for (const path of ['/p/x', '/f/x', '/m/x', '/i/x/640.jpg', '/api/docs', '/other'])
    expect(await pageOf(await fetch(away.url + path, { headers: asBrowser }))).toEqual({
      status: 502,
      retryAfter: '2',
    });
  const head = await fetch(`${away.url}/p/x`, { method: 'HEAD', headers: asBrowser });
  expect([head.status, head.headers.get('content-type')]).toEqual([502, 'text/html; charset=utf-8']);
  const { busy, impatient } = await startSilent('/m/x');
  const second = await fetch(`${busy.url}/m/x`, { headers: asBrowser });
  expect(await pageOf(second)).toEqual({ status: 503, retryAfter: '1' });
  const late = await fetch(`${impatient.url}/m/x`, { headers: asBrowser });
  expect(await pageOf(late)).toEqual({ status: 504, retryAfter: '2' });
});

test('a browser whose form is too large or too slow gets a page', async () => {
  const upstream = await startUpstream((req, res) => {
    req.resume().on('end', () => res.end('read'));
    req.on('error', () => {});
  });
  const front = await startFront(upstream, {}, 1000);
  const posted = await fetch(`${front.url}/f/x`, {
    method: 'POST',
    headers: asBrowser,
    body: Buffer.alloc(100_000),
  });
  expect(await pageOf(posted)).toEqual({ status: 413, retryAfter: null });
  const head = postHead(100).replace('\r\n\r\n', `\r\nAccept: ${asBrowser.accept}\r\n\r\n`);
  const small = { bytesMax: 500, idleMs: 50, totalMs: 5000 };
  const { port } = await startFront(upstream, { small });
  const late = await talk(port, [[0, `${head}x`]], (received) => received.includes('</html>'));
  expect(late).toMatch(/^HTTP\/1.1 408 /);
  expect(late.toLowerCase()).toContain('content-type: text/html; charset=utf-8');
});

test("a failure's answer varies by Accept, for programs too", async () => {
  const away = await startFront('http://127.0.0.1:1');
  const answer = await fetch(`${away.url}/p/x`, { headers: { accept: '*/*' } });
  expect([answer.headers.get('content-type'), answer.headers.get('vary')]).toEqual([
    'application/json; charset=utf-8',
    'Accept',
  ]);
});
