import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { ClientError } from '#shared/errors.ts';
import { answersTo, statusesOf } from '#shared/testing/malformed-requests.ts';
import { readBeginning, readBytes } from './body.ts';
import { listen } from './listener.ts';
import { readMultipartBody } from './multipart.ts';

const local = { host: '127.0.0.1', port: 0 };

test('closing lets requests in progress finish and accepts no new ones', async () => {
  const reached = Promise.withResolvers<http.ServerResponse>();
  const listener = await listen((_, response) => reached.resolve(response), local, {
    drainTimeoutMs: 100_000,
  });
  const url = `http://127.0.0.1:${listener.port}/`;
  const underWay = fetch(url).then((response) => response.text());
  const response = await reached.promise;
  const startedMs = performance.now();
  const closed = Promise.all([listener.close(), listener.close()]);
  await expect(fetch(url)).rejects.toThrow();
  response.end('finished');
  expect(await underWay).toBe('finished');
  await closed;
  // Idle keep-alive connections do not delay it; busy ones would take the whole time.
  expect(performance.now() - startedMs).toBeLessThan(60_000);
});

test('a port that is taken fails the start', async () => {
  const first = await listen((_, response) => response.end(), local);
  await expect(listen((_, response) => response.end(), { ...local, port: first.port })).rejects.toThrow(
    'EADDRINUSE',
  );
  await first.close();
});

describe('requests that are sent before those in front of them are answered', () => {
  const request = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n';
  /** @returns how many were handled, and all that was answered until the connection closed */
  const send = async (bytes: string) => {
    let handled = 0;
    const answerOf = (_: http.IncomingMessage, response: http.ServerResponse) => {
      handled++;
      setImmediate(() => response.end('answer'));
    };
    const listener = await listen(answerOf, local);
    const socket = net.connect(listener.port, '127.0.0.1');
    let received = '';
    socket
      .on('error', () => undefined)
      .on('data', (chunk) => {
        received += chunk;
      });
    socket.write(bytes);
    await once(socket, 'close');
    await listener.close();
    return {
      handled,
      statuses: Array.from(received.matchAll(/HTTP\/1\.1 (\d+)/g), ([, status]) => status),
      received,
    };
  };

  test('are answered in their order, up to 16 of them; the next one is refused, and ends the connection', async () => {
    const { handled, statuses, received } = await send(request.repeat(40));
    expect(handled).toBe(16);
    expect(statuses).toEqual([...Array(16).fill('200'), '429']);
    expect(received).toMatch(/retry-after: 1\r\n/i);
    expect(received).toContain('RATE_LIMITED');
  });

  test('cost next to nothing if they are thousands: their connection is closed without an answer', async () => {
    const { handled, statuses } = await send(request.repeat(2_000));
    expect(handled).toBeLessThanOrEqual(16);
    expect(statuses).toEqual([]);
  });

  test('are not refused if each is answered before 16 more have come, however many they are', async () => {
    const last = request.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n');
    const listener = await listen((_, response) => response.end('answer'), local);
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const statuses = new Set<number | undefined>();
    for (let n = 0; n < 40; n++) {
      const [response] = await once(http.get({ port: listener.port, host: '127.0.0.1', agent }), 'response');
      for await (const _ of response);
      statuses.add(response.statusCode);
    }
    expect([...statuses]).toEqual([200]);
    agent.destroy();
    await listener.close();
    expect((await send(request.repeat(15) + last)).statuses).toEqual(Array(16).fill('200'));
  });
});

describe('a client of a large answer', () => {
  // More than the kernel's buffers on both sides.
  const answer = Buffer.alloc(24 * 2 ** 20, 'x');
  const open = (
    stallTimeoutMs: number,
    bytes: Buffer,
    onRequest: (response: http.ServerResponse) => void = () => undefined,
  ) =>
    listen(
      (_, response) => {
        onRequest(response);
        response.end(bytes);
      },
      local,
      { stallTimeoutMs },
    );
  const keepAlive = (port: number) => {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const get = async () => {
      const [response] = await once(http.get({ port, host: '127.0.0.1', agent }), 'response');
      return response as http.IncomingMessage;
    };
    return { agent, get };
  };

  test('that reads nothing is given up after a while, and gets none of the rest', async () => {
    const { promise: givenUp, resolve } = Promise.withResolvers<void>();
    const listener = await open(500, answer, (response) => response.once('close', resolve));
    const socket = net.connect(listener.port, '127.0.0.1', () =>
      socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n'),
    );
    let received = 0;
    socket
      .on('error', () => undefined)
      .on('data', (chunk) => {
        received += chunk.length;
      });
    socket.once('data', () => socket.pause());
    const closed = once(socket, 'close');
    await givenUp;
    socket.resume();
    await closed;
    expect(received).toBeLessThan(answer.length);
    await listener.close();
  });

  test('that reads slowly gets all of it', async () => {
    const listener = await open(1_000, answer);
    const { agent, get } = keepAlive(listener.port);
    let bytes = 0;
    for await (const chunk of await get()) {
      const before = Math.floor(bytes / 1e6);
      bytes += chunk.length;
      if (Math.floor(bytes / 1e6) > before) await sleep(100);
    }
    expect(bytes).toBe(answer.length);
    agent.destroy();
    await listener.close();
  });

  test('that has read it all may keep the connection idle', async () => {
    const listener = await open(500, Buffer.from('x'));
    const { agent, get } = keepAlive(listener.port);
    const response = await get();
    const { localPort } = response.socket;
    for await (const _ of response);
    await sleep(1_200);
    const next = await get();
    expect(next.socket.localPort).toBe(localPort);
    next.destroy();
    agent.destroy();
    await listener.close();
  });
});

describe('a body in chunks of one byte is refused before it ends, and its connection is closed', () => {
  const post = (chunks: number): string =>
    `POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\na\r\n'.repeat(chunks)}`;
  const refusal =
    /^HTTP\/1\.1 400 .*\r\n\r\n\{"error":"A body must not come in chunks this small[^"]+","code":"INVALID_REQUEST"\}$/s;

  test('also if it is read only later: its reader sees that it breaks off', async () => {
    const read = Promise.withResolvers<unknown>();
    const listener = await listen(async (request, response) => {
      await once(response, 'close');
      const form = { fileBytesMax: 1_000, fieldBytesMax: 1_000, fieldsMax: 1 };
      request.headers['content-type'] = 'multipart/form-data; boundary=b';
      const reading = await Promise.allSettled([
        readBytes(request, { bytesMax: 25_000_000 }),
        readBeginning(request, 1_000),
        readMultipartBody(request, form),
      ]);
      read.resolve(reading.map((each) => each.status));
    }, local);
    expect(await answersTo(post(3_000), listener.port)).toMatch(refusal);
    expect(await read.promise).toEqual(['rejected', 'rejected', 'rejected']);
    await listener.close();
  });

  test('while it is read', async () => {
    const read = Promise.withResolvers<unknown>();
    const listener = await listen((request) => {
      readBytes(request, { bytesMax: 25_000_000 }).catch(read.resolve);
    }, local);
    expect(await answersTo(post(300_000), listener.port)).toMatch(refusal);
    expect(await read.promise).toEqual(new ClientError('INVALID_REQUEST', 'The body could not be read'));
    await listener.close();
  });

  test('after the answer nothing more of it is read', async () => {
    const listener = await listen((_, response) => response.end('answered'), local);
    expect(await answersTo(post(3_000), listener.port)).toMatch(/answered$/);
    await listener.close();
  });

  test('larger ones are read, and the connection is kept', async () => {
    const listener = await listen(async (request, response) => {
      const bytes = await readBytes(request, { bytesMax: 25_000_000 });
      response.end(String(bytes.length));
    }, local);
    const large = `${post(0)}${`40\r\n${'a'.repeat(64)}\r\n`.repeat(1_500)}0\r\n\r\n`;
    const last = large.replace('Host: x', 'Host: x\r\nConnection: close');
    expect(statusesOf(await answersTo(large + last, listener.port))).toEqual(['200', '200']);
    await listener.close();
  });
});
