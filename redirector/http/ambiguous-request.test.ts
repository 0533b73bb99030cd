import { once } from 'node:events';
import net from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import { startTestRedirector, type TestRedirector } from '../testing/redirector.ts';

let waymark: TestRedirector;

beforeAll(async () => {
  waymark = await startTestRedirector();
  await waymark.connected();
});

/** All answers to a request and to one that follows it at once. */
const answersTo = async (request: string): Promise<string> => {
  const socket = net.connect(waymark.config.redirector.port, '127.0.0.1');
  let answers = '';
  socket.on('error', () => socket.destroy()); // closed with bytes unread
  socket.on('data', (chunk) => {
    answers += chunk.toString('latin1');
  });
  socket.write(`${request}GET /r/unknownid HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`, 'latin1');
  socket.setTimeout(30_000, () => socket.destroy(new Error('neither answered nor closed')));
  await once(socket, 'close');
  return answers;
};

describe('a request with two possible ends closes its connection, and nothing after it is taken for a request', () => {
  test.each([
    ['two lengths', 'POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nContent-Length: 40\r\n\r\nabcd'],
    ['a header without a name', 'POST /x HTTP/1.1\r\nHost: x\r\n: v\r\nContent-Length: 0\r\n\r\n'],
    ['an unknown coding', 'POST /x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n'],
    [
      'two lengths of a password',
      'POST /r/abcdefghi HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nContent-Length: 40\r\n\r\nabcd',
    ],
  ])('%s', async (_, request) => {
    expect(await answersTo(request)).toBe('');
    // The next connection is served.
    expect(await answersTo('')).toMatch(/^HTTP\/1\.1 404 /);
  });
});

test('a request with one length is answered, and so is the request after it', async () => {
  const answers = await answersTo('POST /r/abc! HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nabcd');
  expect(answers.match(/HTTP\/1\.1 404/g)?.length).toBe(2);
});

test.each(['/\xe9', '/v/7CbHq2mXvR4k/1Jd8sQwLx5nB3T\xe9', '/v/7CbHq2mXvR4k/1Jd8sQwLx5nB3TyV?a=\xff'])(
  'a target that is not ASCII is 400: %j',
  async (target) => {
    expect(await answersTo(`GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`)).toMatch(/^HTTP\/1\.1 400 /);
  },
);
