/** The memory that large bodies take is bounded, whoever sends how many. */
import net from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import { afterFile } from '../../deploy/testing/index.ts';
import { startTestControlPlane, type TestControlPlane } from '../testing/control-plane.ts';

const megabyte = 2 ** 20;
let plane: TestControlPlane;

beforeAll(async () => {
  plane = await startTestControlPlane({ environment: { TRUSTED_PROXIES: '127.0.0.0/8' } });
});

let calls = 0;

/** Announces a body, and sends the first bytes of it. */
const begin = (apiKey: string, bytes: number) => {
  const { port } = new URL(plane.url);
  const socket = net.connect(Number(port), '127.0.0.1');
  afterFile(() => socket.destroy());
  // A connection whose body nobody reads is reset in the end.
  socket.on('error', () => undefined);
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  socket.write(
    `POST /api/qr/codes/bulk HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\n` +
      `X-Forwarded-For: 198.51.100.${++calls}\r\nContent-Length: ${bytes}\r\n\r\n[`,
  );
  return {
    answer: async () => {
      await expect.poll(() => received, { timeout: 10_000 }).toMatch(/\r\n\r\n.*\}$/s);
      const head = /^HTTP\/1\.1 (\d+)/.exec(received)?.[1];
      return { status: Number(head), retryAfter: /retry-after: (\d+)/i.exec(received)?.[1], text: received };
    },
    end: () => socket.destroy(),
  };
};

const taken = async (): Promise<number> => {
  const { body } = await plane.internal('GET', '/metrics');
  return Number(/^waymark_large_bodies_bytes (\d+)/m.exec(String(body))?.[1]);
};

const takes = (bytes: number) => expect.poll(taken, { timeout: 10_000 }).toBe(bytes);

test('three of 25 MB are read at once, two of one workspace; whoever comes then is told when to try again', async () => {
  const [one, other] = [(await plane.workspace()).apiKey, (await plane.workspace()).apiKey];
  const first = [begin(one, 25 * megabyte), begin(one, 25 * megabyte)];
  await takes(50 * megabyte);
  const tooMany = await begin(one, 25 * megabyte).answer();
  expect([tooMany.status, tooMany.retryAfter]).toEqual([429, '5']);
  expect(tooMany.text).toContain('More than 50 MB of large bodies at once are not allowed');
  const third = begin(other, 25 * megabyte);
  await takes(75 * megabyte);
  const refused = await begin(other, 20 * megabyte).answer();
  expect([refused.status, refused.retryAfter]).toEqual([503, '5']);
  // A larger one than may be sent takes no room, and small ones are not counted.
  expect((await begin(other, 26 * megabyte).answer()).status).toBe(413);
  begin(other, megabyte);
  for (const body of [...first, third]) body.end();
  await takes(0);
});
