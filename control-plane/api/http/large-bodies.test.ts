/** The memory for large bodies is bounded, however many are sent and by how many clients. */
import net from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import { afterFile } from '../../../deploy/testing/local.ts';
import { startTestControlPlane, type TestControlPlane } from '../../testing/control-plane.ts';

const megabyte = 2 ** 20;
let plane: TestControlPlane;

beforeAll(async () => {
  plane = await startTestControlPlane({ environment: { TRUSTED_PROXIES: '127.0.0.0/8' } });
});

let calls = 0;
const newAddress = (): string => `198.51.100.${++calls}`;
const blanks = Buffer.alloc(megabyte, ' ');

interface Begun {
  /** Bytes sent at once. Then a little follows now and then, so that the body is not too slow. */
  sent?: number;
  address?: string;
  /** Nothing follows. */
  isSlow?: boolean;
  /** The size is not announced: what is sent is one chunk. */
  isChunked?: boolean;
}

/** Announces a body, and sends a part of it. */
const begin = (
  apiKey: string,
  bytes: number,
  { sent = megabyte, address = newAddress(), isSlow = false, isChunked = false }: Begun = {},
) => {
  const { port } = new URL(plane.url);
  const socket = net.connect(Number(port), '127.0.0.1');
  // A connection whose body is not read is reset in the end.
  socket.on('error', () => undefined);
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  socket.write(
    `POST /api/qr/codes/bulk HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\n` +
      `X-Forwarded-For: ${address}\r\n` +
      (isChunked
        ? `Transfer-Encoding: chunked\r\n\r\n${bytes.toString(16)}\r\n`
        : `Content-Length: ${bytes}\r\n\r\n`),
  );
  let left = bytes;
  const send = (count: number) => {
    for (let rest = Math.min(count, left); rest > 0; rest -= megabyte) socket.write(blanks.subarray(0, rest));
    left -= Math.min(count, left);
  };
  send(sent);
  // Twice as much as is asked for: a busy machine may be late.
  const timer = setInterval(() => isSlow || send(32_768), 250);
  const end = () => {
    clearInterval(timer);
    socket.destroy();
  };
  afterFile(end);
  return {
    send,
    end,
    answer: async () => {
      await expect.poll(() => received).toMatch(/\r\n\r\n.*\}$/s);
      end();
      const head = /^HTTP\/1\.1 (\d+)/.exec(received)?.[1];
      return { status: Number(head), retryAfter: /retry-after: (\d+)/i.exec(received)?.[1], text: received };
    },
  };
};

const taken = async (): Promise<number> => {
  const { body } = await plane.internal('GET', '/metrics');
  return Number(/^waymark_large_bodies_bytes (\d+)/m.exec(String(body))?.[1]);
};

const takes = (megabytes: number) =>
  expect.poll(async () => Math.floor((await taken()) / megabyte)).toBe(megabytes);
const takesAtLeast = (megabytes: number) => expect.poll(taken).toBeGreaterThanOrEqual(megabytes * megabyte);

const sent = 21 * megabyte;

test('three of 25 MB are read at once, two of one workspace or address; later ones get a Retry-After', async () => {
  const [one, other] = [(await plane.workspace()).apiKey, (await plane.workspace()).apiKey];
  const address = newAddress();
  const first = [begin(one, 25 * megabyte, { sent, address }), begin(one, 25 * megabyte, { sent, address })];
  await takesAtLeast(42);
  for (const tooMany of [begin(one, 25 * megabyte), begin(other, 25 * megabyte, { address })]) {
    const { status, retryAfter, text } = await tooMany.answer();
    expect([status, retryAfter]).toEqual([429, '5']);
    expect(text).toContain('More than 50 MB of large bodies at once are not allowed');
  }
  const third = begin(other, 25 * megabyte, { sent });
  await takesAtLeast(63);
  const refused = await begin(other, 20 * megabyte).answer();
  expect([refused.status, refused.retryAfter]).toEqual([503, '5']);
  // A larger one than may be sent takes no room, and smaller ones have room of their own.
  expect((await begin(other, 26 * megabyte).answer()).status).toBe(413);
  const small = begin(other, 2 * megabyte);
  for (const body of [...first, third, small]) body.end();
  await takes(0);
});

test('bodies that are announced but never arrive keep no others out', async () => {
  const [one, other] = [(await plane.workspace()).apiKey, (await plane.workspace()).apiKey];
  const idle = [1, 2, 3, 4].map(() => begin(one, 25 * megabyte, { sent: 1 }));
  await takesAtLeast(4);
  const read = await begin(other, 24 * megabyte, { sent: 24 * megabyte }).answer();
  expect(read.text).toContain('The body is empty');
  for (const body of idle) body.end();
  await takes(0);
});

test('a body that finds no room half-way is refused then, and those before it are read', async () => {
  const { apiKey } = await plane.workspace();
  const all = [1, 2, 3].map(() => begin(apiKey, 24 * megabyte, { sent: 1 }));
  await takesAtLeast(3);
  for (const body of all) body.send(24 * megabyte);
  const texts = await Promise.all(all.map(async (body) => (await body.answer()).text));
  const read = texts.filter((text) => text.includes('The body is empty'));
  const refused = texts.filter((text) => text.startsWith('HTTP/1.1 429 '));
  expect(read.length, texts.join('\n')).toBeGreaterThanOrEqual(1);
  expect(read.length + refused.length).toBe(3);
  await takes(0);
});

test('bodies of up to 4 MB are bounded, too, by workspace and together; those of up to 64 KB are never refused', async () => {
  const keys = [
    (await plane.workspace()).apiKey,
    (await plane.workspace()).apiKey,
    (await plane.workspace()).apiKey,
  ];
  const almost = 4 * megabyte - 1;
  const fill = (key: string) =>
    Array.from({ length: 12 }, () => begin(key, 4 * megabyte, { sent: almost, isSlow: true }));
  const held = fill(keys[0]!);
  await takesAtLeast(47);
  const refused = await begin(keys[0]!, 4 * megabyte).answer();
  expect([refused.status, refused.retryAfter]).toEqual([429, '5']);
  expect((await begin(keys[0]!, 65_536, { sent: 65_536 }).answer()).text).toContain('The body is empty');
  held.push(...fill(keys[1]!));
  await takesAtLeast(95);
  held.push(begin(keys[2]!, 3 * megabyte, { sent: 3 * megabyte - 1, isSlow: true }));
  await takesAtLeast(98);
  expect((await begin(keys[2]!, 4 * megabyte).answer()).status).toBe(503);
  expect((await begin(keys[2]!, 65_536, { sent: 65_536 }).answer()).text).toContain('The body is empty');
  for (const body of held) body.end();
  await takes(0);
});

test('a body of unknown size takes the room for large ones only after 4 MB', async () => {
  const keys = [(await plane.workspace()).apiKey, (await plane.workspace()).apiKey];
  const chunked = { isChunked: true, isSlow: true };
  const begun = keys.flatMap((key) =>
    Array.from({ length: 45 }, () => begin(key, 25 * megabyte, { ...chunked, sent: 65_537 })),
  );
  await takesAtLeast(90 * (65_537 / megabyte));
  const read = await begin(keys[0]!, 24 * megabyte, { sent: 24 * megabyte }).answer();
  expect(read.text).toContain('The body is empty');
  // They hold the step that they have begun, 128 KB each.
  const heldByBegun = 90 * 131_072;
  await expect.poll(taken).toBe(heldByBegun);
  const grown = [1, 2].map(() => begin(keys[1]!, 24 * megabyte, { isChunked: true, sent: 23 * megabyte }));
  await takesAtLeast(46 + heldByBegun / megabyte);
  const refused = await begin(keys[1]!, 25 * megabyte, { isChunked: true, sent: 5 * megabyte }).answer();
  expect([refused.status, refused.retryAfter]).toEqual([429, '5']);
  for (const body of [...begun, ...grown]) body.end();
  await takes(0);
});
