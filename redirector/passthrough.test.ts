import { App, us_listen_socket_close } from 'uWebSockets.js';
import { createHash, randomBytes } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { Agent } from 'undici';
import { expect, test, vi } from 'vitest';
import { afterFile, freePort } from '../deploy/testing/index.ts';
import { openExchange } from './exchange.ts';
import { answerThrough, createPassthrough, type PassthroughOptions } from './passthrough.ts';

const logger = pino({ level: 'silent' });

const startUpstream = async (handler: http.RequestListener): Promise<string> => {
  const server = http.createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterFile(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** A redirector's front that passes everything on. */
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
    headersTimeoutMs: 300,
    bodyTimeoutMs: 300,
    ...options,
  });
  const port = await freePort();
  const app = App().any('/*', (res, req) => {
    void answerThrough(
      passthrough,
      openExchange(res, req, bodyBytesMax, () => false),
      '203.0.113.7',
      logger,
    );
  });
  app.listen('127.0.0.1', port, (socket) => {
    if (!socket) throw new Error('not listening');
    afterFile(() => us_listen_socket_close(socket));
  });
  afterFile(() => agent.destroy());
  afterFile(() => app.close());
  return { url: `http://127.0.0.1:${port}`, port, passthrough };
};

test('method, path, query, headers and body arrive as they were sent; the client is named', async () => {
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

test('a large body is passed up whole, at the pace of the upstream', async () => {
  const upstream = await startUpstream(async (req, res) => {
    const hash = createHash('sha256');
    let pauses = 0;
    for await (const chunk of req) {
      hash.update(chunk);
      if (pauses++ % 50 === 0) await sleep(2);
    }
    res.end(hash.digest('hex'));
  });
  const front = await startFront(upstream, { headersTimeoutMs: 5000 }, 64 * 2 ** 20);
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
  let waited = false;
  const upstream = await startUpstream(async (_req, res) => {
    const chunk = Buffer.alloc(2 ** 20);
    while (sent < 200 * chunk.length && !res.destroyed) {
      sent += chunk.length;
      if (!res.write(chunk)) {
        waited = true;
        await new Promise((resolve) => res.once('drain', resolve).once('close', resolve));
      }
    }
    res.end();
  });
  const front = await startFront(upstream, { bodyTimeoutMs: 5000 });
  const socket = net.connect(front.port, '127.0.0.1');
  socket.write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n');
  socket.pause();
  await sleep(300);
  expect(waited).toBe(true);
  expect(sent).toBeLessThan(100 * 2 ** 20);
  socket.destroy();
  await vi.waitFor(() => expect(front.passthrough.underWay).toBe(0));
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

test('an upstream that is away is 502, one that does not answer is 504, one too many is 503', async () => {
  const away = await startFront('http://127.0.0.1:1');
  const answer = await fetch(`${away.url}/p/x`);
  expect(answer.status).toBe(502);
  expect(await answer.json()).toEqual({ error: 'The service behind this address does not answer' });
  const silent = await startFront(await startUpstream(() => {}), { concurrentMax: 1 });
  const first = fetch(`${silent.url}/p/x`);
  await vi.waitFor(() => expect(silent.passthrough.underWay).toBe(1));
  const second = await fetch(`${silent.url}/p/x`);
  expect([second.status, second.headers.get('retry-after')]).toEqual([503, '1']);
  expect((await first).status).toBe(504);
});

test('an upstream that breaks off breaks the response off, visibly', async () => {
  const upstream = await startUpstream((_req, res) => {
    res.writeHead(200, { 'content-length': String(2 ** 20) });
    res.write(Buffer.alloc(2 ** 17));
    setTimeout(() => res.destroy(), 50);
  });
  const front = await startFront(upstream);
  const response = await fetch(front.url);
  await expect(response.arrayBuffer()).rejects.toThrow();
});

test('a body over the limit is 413', async () => {
  const upstream = await startUpstream((req, res) => {
    req.resume().on('end', () => res.end('read'));
    req.on('error', () => {});
  });
  const front = await startFront(upstream, {}, 1000);
  const response = await fetch(front.url, { method: 'POST', body: Buffer.alloc(100_000) });
  expect(response.status).toBe(413);
});

test('a client that goes away ends the request upstream', async () => {
  let closed = false;
  const upstream = await startUpstream((req) => {
    req.on('close', () => {
      closed = true;
    });
  });
  const front = await startFront(upstream, { headersTimeoutMs: 10_000 });
  const gone = new AbortController();
  const request = fetch(front.url, { signal: gone.signal });
  await vi.waitFor(() => expect(front.passthrough.underWay).toBe(1));
  gone.abort();
  await expect(request).rejects.toThrow();
  await vi.waitFor(() => expect(closed).toBe(true));
  expect(front.passthrough.underWay).toBe(0);
});

test('a short answer that breaks off before its end is 502, not silence', async () => {
  const upstream = await startUpstream((_, res) => {
    res.writeHead(200, { 'content-length': '100' });
    res.write('half');
    setTimeout(() => res.destroy(), 20);
  });
  const front = await startFront(upstream);
  const response = await fetch(front.url, { signal: AbortSignal.timeout(5000) });
  expect([response.status, await response.json()]).toEqual([
    502,
    { error: 'The service behind this address does not answer' },
  ]);
  await vi.waitFor(() => expect(front.passthrough.underWay).toBe(0));
});
