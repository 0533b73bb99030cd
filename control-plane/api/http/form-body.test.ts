import http from 'node:http';
import type { AddressInfo } from 'node:net';
import net from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import { ClientError, errorStatus } from '#shared/errors.ts';
import { afterFile } from '../../../deploy/testing/local.ts';
import { readFormBody } from './form-body.ts';

let port: number;

/** Answers the pairs of the form, or its refusal. One path has a short time limit. */
beforeAll(async () => {
  const server = http.createServer(async (request, response) => {
    const arrivalMsMax = request.url === '/hasty' ? 300 : 60_000;
    try {
      const pairs = await readFormBody(request, { bytesMax: 2_000, pairsMax: 100, arrivalMsMax });
      response.end(JSON.stringify([...pairs]));
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      response.writeHead(errorStatus[error.code], error.headers).end(error.message);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterFile(() => {
    server.close();
    server.closeAllConnections();
  });
  port = (server.address() as AddressInfo).port;
});

const urlencoded = 'application/x-www-form-urlencoded';

const post = async (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) => {
  const response = await fetch(`http://127.0.0.1:${port}/`, {
    method: 'POST',
    body,
    headers: { 'content-type': urlencoded, ...headers },
  });
  return [response.status, await response.text()];
};

describe('a form', () => {
  test('is decoded into the values of each name, in the order sent', async () => {
    const sent = new URLSearchParams([
      ['f.name', 'Zoë & Söhne = 100 % +1'],
      ['f.text', 'a\r\nb\t"<>"'],
      ['f.tag', 'x'],
      ['f.empty', ''],
      ['f.tag', 'يوم 😀'],
    ]);
    expect(await post(sent.toString())).toEqual([
      200,
      JSON.stringify([
        ['f.name', ['Zoë & Söhne = 100 % +1']],
        ['f.text', ['a\r\nb\t"<>"']],
        ['f.tag', ['x', 'يوم 😀']],
        ['f.empty', ['']],
      ]),
    ]);
  });

  test.each([
    ['', '[]'],
    ['a', '[["a",[""]]]'],
    ['&&a=b&', '[["a",["b"]]]'],
    ['=x', '[["",["x"]]]'],
    ['a=b=c', '[["a",["b=c"]]]'],
    ['__proto__=1&constructor=2', '[["__proto__",["1"]],["constructor",["2"]]]'],
  ])('of %j has the pairs %s', async (body, pairs) => {
    expect(await post(body)).toEqual([200, pairs]);
  });

  test('may declare UTF-8', async () => {
    expect(await post('a=b', { 'content-type': `${urlencoded.toUpperCase()} ; charset=UTF-8` })).toEqual([
      200,
      '[["a",["b"]]]',
    ]);
  });

  test.each([
    ['application/json', `Content-Type must be ${urlencoded}; given: 'application/json'`],
    [`text/plain; x=${urlencoded}`, `Content-Type must be ${urlencoded}; given:`],
    [`${urlencoded}; charset=latin1`, "The charset of the form must be UTF-8; given: 'latin1'"],
  ])('of the type %s is 415, which says what is accepted', async (type, message) => {
    const [status, text] = await post('a=b', { 'content-type': type });
    expect([status, text]).toEqual([415, expect.stringContaining(message)]);
  });

  test('that is compressed is 415', async () => {
    expect(await post('a=b', { 'content-encoding': 'gzip' })).toEqual([
      415,
      "Content-Encoding must not be set: send the form as it is; given: 'gzip'",
    ]);
  });

  test.each(['a=%ff', 'a=%c0%80', 'a=%ed%a0%80', 'a=100%', 'a=%zz', '%=a'])(
    '%s is 400: it is not UTF-8',
    async (body) => {
      expect(await post(body)).toEqual([400, 'The form has a % that begins no character of UTF-8']);
    },
  );

  test('with bytes that are not UTF-8, or with NUL, is 400', async () => {
    expect(await post(Uint8Array.from([0x61, 0x3d, 0xff]))).toEqual([400, 'The body is not valid UTF-8']);
    expect(await post('a=%00')).toEqual([400, 'The form must not have NUL characters']);
  });

  test('may have its number of pairs and not one more, counted before they are decoded', async () => {
    expect((await post(Array(100).fill('a=b').join('&')))[0]).toBe(200);
    expect(await post(`${'&'.repeat(100)}%ff`)).toEqual([400, 'The form must have at most 100 fields']);
  });

  test('may have its number of bytes and not one more, even if it does not announce a length', async () => {
    expect((await post(`a=${'b'.repeat(1_998)}`))[0]).toBe(200);
    expect(await post(`a=${'b'.repeat(1_999)}`)).toEqual([
      413,
      expect.stringContaining('must not be larger'),
    ]);
    const chunks = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(Buffer.alloc(500, 'a'));
      },
    });
    const response = await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      body: chunks,
      headers: { 'content-type': urlencoded },
      duplex: 'half',
    } as RequestInit);
    expect(response.status).toBe(413);
  });

  test('that does not arrive in time is 408', async () => {
    const socket = net.connect(port, '127.0.0.1');
    socket.write(
      `POST /hasty HTTP/1.1\r\nHost: x\r\nContent-Type: ${urlencoded}\r\nContent-Length: 9\r\n\r\na=`,
    );
    let answer = '';
    for await (const chunk of socket) answer += String(chunk);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toContain('The form must arrive within 0.3 seconds');
  });
});
