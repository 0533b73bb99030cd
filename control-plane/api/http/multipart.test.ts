import { once } from 'node:events';
import type http from 'node:http';
import net from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ClientError } from '#shared/errors.ts';
import { type Listener, listen } from './listener.ts';
import { readMultipartBody, uploadedFile } from './multipart.ts';
import { validateBody } from './validation.ts';

const limit = { fileBytesMax: 100_000, fieldBytesMax: 1_000, fieldsMax: 3 };
const form = z.strictObject({
  file: uploadedFile,
  style: z.string().optional(),
  __proto__: z.string().optional(),
});

let listener: Listener;
/** Forms being read. */
let reading = 0;

const handle = async (request: http.IncomingMessage): Promise<object> => {
  reading++;
  try {
    const { file, ...fields } = validateBody(form, await readMultipartBody(request, limit));
    return { key: JSON.stringify(file), name: file.name, bytes: Buffer.concat(file.parts).length, ...fields };
  } finally {
    reading--;
  }
};

beforeAll(async () => {
  listener = await listen(
    async (request, response) => {
      const answer = await handle(request).catch((error: unknown) => {
        if (error instanceof ClientError) return { code: error.code, error: error.message };
        return { code: 'fault', error: String(error) };
      });
      response.end(JSON.stringify(answer));
    },
    { host: '127.0.0.1', port: 0 },
  );
});

afterAll(() => listener.close());

type Part = readonly [name: string, value: string | Blob, fileName?: string];

const send = async (body: FormData | string, headers: Record<string, string> = {}) => {
  const response = await fetch(`http://127.0.0.1:${listener.port}`, {
    method: 'POST',
    headers,
    body,
  });
  return z.record(z.string(), z.unknown()).parse(await response.json());
};

const formOf = (...parts: readonly Part[]): FormData => {
  const data = new FormData();
  for (const [name, value, fileName] of parts) {
    if (typeof value === 'string') data.append(name, value);
    else data.append(name, value, fileName);
  }
  return data;
};

const fileOf = (bytes: number): Blob => new Blob([Buffer.alloc(bytes, 'x')]);

describe('a form', () => {
  test('yields its file and its fields', async () => {
    const answer = await send(formOf(['style', '{"margin":2}'], ['file', fileOf(100_000), 'Labels ä.csv']));
    expect(answer).toMatchObject({ name: 'Labels ä.csv', bytes: 100_000, style: '{"margin":2}' });
  });

  test('with an empty file has a file', async () => {
    expect(await send(formOf(['file', fileOf(0), 'a.csv']))).toMatchObject({ bytes: 0 });
  });

  test('is the same for an idempotency key if the bytes of its file are', async () => {
    const key = async (name: string, file: Blob) => (await send(formOf(['file', file, name]))).key;
    expect(await key('a', fileOf(90_000))).toBe(await key('b', fileOf(90_000)));
    expect(await key('a', fileOf(90_000))).not.toBe(await key('a', fileOf(90_001)));
  });

  const csv: Part = ['file', fileOf(10), 'a.csv'];
  test.each([
    ['without the file', formOf(['style', '{}']), 'INVALID_REQUEST', 'file is required'],
    [
      'with text instead of the file',
      formOf(['file', 'a,b']),
      'UNPROCESSABLE',
      'file must be a file; give its part a filename',
    ],
    [
      'with a file that is too large',
      formOf(['file', fileOf(100_001), 'a.csv']),
      'LIMIT_FILE_SIZE',
      'file must not be larger than',
    ],
    [
      'with two files',
      formOf(csv, ['more', fileOf(5), 'b.csv']),
      'INVALID_REQUEST',
      'The form must have one file',
    ],
    [
      'with the file under another name',
      formOf(['sheet', fileOf(5), 'b.csv']),
      'INVALID_REQUEST',
      'file is required',
    ],
    ['with an unknown field', formOf(csv, ['styel', '{}']), 'INVALID_REQUEST', 'styel is not a known field'],
    [
      'with a field twice',
      formOf(csv, ['style', '{}'], ['style', '{}']),
      'INVALID_REQUEST',
      'style must be given once',
    ],
    [
      'with a field that is too long',
      formOf(csv, ['style', 'x'.repeat(1_001)]),
      'BODY_TOO_LARGE',
      'style must not be larger than',
    ],
    [
      'with a name that is too long',
      formOf(csv, ['s'.repeat(65), 'x']),
      'INVALID_REQUEST',
      'is not a known field',
    ],
    [
      'with too many fields',
      formOf(...'abcd'.split('').map((name): Part => [name, 'x']), csv),
      'INVALID_REQUEST',
      'at most 3 fields',
    ],
  ])('%s is refused', async (_, body, code, message) => {
    expect(await send(body)).toEqual({ code, error: expect.stringContaining(message) });
  });

  test.each([
    ['JSON', 'application/json', 'Content-Type must be multipart/form-data with a boundary; given'],
    [
      'a form of another encoding',
      'application/x-www-form-urlencoded',
      'Content-Type must be multipart/form-data',
    ],
    [
      'a form without a boundary',
      'multipart/form-data; charset=utf-8',
      'Content-Type must be multipart/form-data',
    ],
    ['a body that is not a form', 'multipart/form-data; boundary=x', 'The form could not be read'],
  ])('%s is refused', async (_, type, message) => {
    const answer = await send('{"file": "a,b"}', { 'content-type': type });
    expect(answer).toEqual({ code: 'INVALID_REQUEST', error: expect.stringContaining(message) });
  });
});

const head = (length: number): string =>
  `POST / HTTP/1.1\r\nhost: x\r\ncontent-type: multipart/form-data; boundary=b\r\ncontent-length: ${length}\r\n\r\n`;
const opening = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\na,b\r\n';

describe('a form that is cut off', () => {
  test('is refused if it ends before its last part', async () => {
    const answer = await send(opening, { 'content-type': 'multipart/form-data; boundary=b' });
    expect(answer).toMatchObject({ code: 'INVALID_REQUEST', error: expect.stringContaining('cut off') });
  });

  test('is no longer read when its connection is closed', async () => {
    const socket = net.connect(listener.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(head(90_000) + opening);
    await expect.poll(() => reading).toBe(1);
    socket.resetAndDestroy();
    await expect.poll(() => reading).toBe(0);
  });
});
