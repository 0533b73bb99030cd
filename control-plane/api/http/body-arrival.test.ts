/** Large bodies must keep to a rate; small ones may be slow. */
import http from 'node:http';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { ClientError, errorStatus } from '#shared/errors.ts';
import { afterFile } from '../../../deploy/testing/local.ts';
import { readJsonText } from './body.ts';
import { createLargeBodies } from './large-bodies.ts';
import { formBytesMax, readMultipartBody } from './multipart.ts';

const megabyte = 2 ** 20;
const windowMs = 400;
const json = { bytesMax: 25 * megabyte, partsMax: 10, fieldsMax: 10 };
const form = { fileBytesMax: 10 * megabyte, fieldBytesMax: 1_000, fieldsMax: 2 };
const largeBodies = createLargeBodies(windowMs);
/** With a window long enough for a busy machine that delivers a body late. */
const patient = createLargeBodies(30_000);
let port: number;

/** The most body bytes that arrived in one iteration of the event loop. */
let mostAtOnce = 0;

const countBytes = (request: http.IncomingMessage): void => {
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    if (bytes === 0) setImmediate(() => (bytes = 0));
    bytes += chunk.length;
    mostAtOnce = Math.max(mostAtOnce, bytes);
  });
};

const answer = async (request: http.IncomingMessage): Promise<string> => {
  const isForm = /multipart/.test(request.headers['content-type'] ?? '');
  const bytesMax = isForm ? formBytesMax(form) : json.bytesMax;
  const room = (request.url === '/patient' ? patient : largeBodies).admit(request, { bytesMax }, [
    'a workspace',
  ]);
  const reading: Promise<unknown> = isForm ? readMultipartBody(request, form) : readJsonText(request, json);
  countBytes(request);
  await reading.finally(room.follow()).finally(room.free);
  return 'read';
};

beforeAll(async () => {
  const server = http.createServer((request, response) => {
    answer(request).then(
      (text) => response.end(text),
      (error: unknown) => {
        if (!(error instanceof ClientError)) throw error;
        response.writeHead(errorStatus[error.code], error.headers).end(error.message);
      },
    );
  });
  afterFile(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as net.AddressInfo).port;
});

/** @returns the bytes received by the end of the connection, or until they contain `read` */
const send = async (headers: string, parts: AsyncIterable<Buffer>, path = '/'): Promise<string> => {
  const socket = net.connect(port, '127.0.0.1');
  afterFile(() => socket.destroy());
  socket.on('error', () => undefined);
  let received = '';
  let isOver = false;
  socket.on('data', (chunk) => {
    received += chunk;
    isOver ||= received.endsWith('read');
  });
  socket.on('close', () => {
    isOver = true;
  });
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n`);
  for await (const part of parts) {
    if (isOver) break;
    socket.write(part);
  }
  await expect.poll(() => isOver).toBe(true);
  socket.destroy();
  return received;
};

async function* slowly(parts: readonly string[], pauseMs = windowMs / 4) {
  for (const part of parts) {
    yield Buffer.from(part);
    await sleep(pauseMs);
  }
}

const drip = (count: number): string[] => Array<string>(count).fill(' ');
const multipart = 'Content-Type: multipart/form-data; boundary=x';
const formStart = '--x\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n';

describe('a large body that', () => {
  test.each([
    ['does not arrive', `Content-Length: ${25 * megabyte}`, ['[']],
    ['arrives in single bytes', `Content-Length: ${25 * megabyte}`, drip(1_000)],
    ['is a form that does not arrive', `${multipart}\r\nContent-Length: ${9 * megabyte}`, [formStart]],
    [
      'announces no size and stops once it is large',
      'Transfer-Encoding: chunked',
      [`${(5 * megabyte).toString(16)}\r\n${' '.repeat(5 * megabyte)}\r\n`],
    ],
  ])('%s is refused, and its connection ends', async (_, headers, parts) => {
    const received = await send(headers, slowly(parts));
    expect(received).toMatch(
      /^HTTP\/1\.1 408 .*connection: close.*The body arrives too slowly: .* 64 KB a second/is,
    );
    expect(largeBodies.taken()).toBe(0);
  });

  test('that arrives at once is read a part per iteration of the event loop', async () => {
    const parts = Array<string>(24).fill(' '.repeat(megabyte));
    mostAtOnce = 0;
    const received = await send(`Content-Length: ${24 * megabyte}`, slowly(parts, 0), '/patient');
    expect(received).toMatch(/^HTTP\/1\.1 200 /);
    expect(patient.taken()).toBe(0);
    expect(mostAtOnce).toBeGreaterThan(0);
    expect(mostAtOnce).toBeLessThanOrEqual(megabyte / 2);
  });
});

test.each([
  ['with a size', 'Content-Length: 10', drip(10)],
  ['without', 'Transfer-Encoding: chunked', [...Array<string>(9).fill('1\r\n \r\n'), '0\r\n\r\n']],
])('a small body %s may be as slow as it is', async (_, headers, parts) => {
  expect(await send(headers, slowly(parts))).toMatch(/^HTTP\/1\.1 200 /);
});
