/** An address with as many requests as it may have: further ones are refused, and delay no other address. */
import { once } from 'node:events';
import net from 'node:net';
import { expect, test } from 'vitest';
import { statusesOf } from '#shared/testing/malformed-requests.ts';
import { afterFile, freePort } from '../../deploy/testing/local.ts';
import { passthroughOptions } from '../capacities.ts';
import { startTestRedirector } from '../testing/redirector.ts';

const waymark = await startTestRedirector({ REDIRECTOR_HTTP10_PORT: String(await freePort()) });
await waymark.connected();
const { port, http10Port } = waymark.config.redirector;

/** @param from an address of this machine */
const connect = async (to = port, from = '127.0.0.1'): Promise<net.Socket> => {
  const socket = net.connect({ port: to, host: '127.0.0.1', localAddress: from });
  socket.on('error', () => undefined);
  afterFile(() => socket.destroy());
  await once(socket, 'connect');
  return socket;
};

const unfinished = (path: string, bytes: number): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytes}\r\n\r\na`;

/** The first answer on a connection. */
const answerOn = async (socket: net.Socket): Promise<string> => String((await once(socket, 'data'))[0]);

const read = 'GET /p/x HTTP/1.1\r\nHost: x\r\n\r\n';
const small = 'POST /f/x HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\na';

const statusOf = async (sent: string, ...to: Parameters<typeof connect>): Promise<string[]> => {
  const socket = await connect(...to);
  socket.write(sent);
  const answer = await answerOn(socket);
  socket.destroy();
  return statusesOf(answer);
};

/** Posts that never end, as many as may wait for their body; each is answered 408 in the end. */
const takeAllPlaces = async (...to: Parameters<typeof connect>): Promise<void> => {
  const { perClientMax } = passthroughOptions;
  for (let count = 0; count < perClientMax; count++) (await connect(...to)).write(unfinished('/f/x', 1000));
  await expect.poll(() => statusOf(small, ...to)).toEqual(['503']);
};

/** Requests that were taken over to be passed on. */
const takenOver = async (): Promise<number> =>
  Number(/_passed_through_total (\d+)/.exec(await waymark.redirector.metrics.metrics())?.[1]);

test("a request beyond its address's limit is refused before anything is created for it, with Retry-After", async () => {
  await takeAllPlaces();
  const before = await takenOver();
  expect(before).toBeGreaterThanOrEqual(passthroughOptions.perClientMax);
  const next = await connect();
  next.write(unfinished('/f/x', 1000));
  const refused = await answerOn(next);
  expect(refused).toMatch(/^HTTP\/1\.1 503 .*\{"error":"Too many requests at once","code":"UNAVAILABLE"\}$/s);
  expect(refused).toMatch(/\r\nretry-after: 1\r\n/i);
  // Little of its body is missing, so the next request on its connection is read.
  next.write(`${'a'.repeat(999)}GET /r/abc! HTTP/1.1\r\nHost: x\r\n\r\n`);
  expect(statusesOf(await answerOn(next))).toEqual(['404']);
  const large = await connect();
  const closed = once(large, 'close');
  large.write(unfinished('/f/x', 2 ** 21));
  expect(await answerOn(large)).toMatch(/\r\nconnection: close\r\n/i);
  await closed;
  expect(await takenOver()).toBe(before);
});

test('the port for HTTP/1.0 does the same: another address has its own limit, and scans are not counted', async () => {
  const [busy, other] = ['127.0.0.5', '127.0.0.6'];
  await takeAllPlaces(http10Port, busy);
  const before = await takenOver();
  const next = await connect(http10Port, busy);
  next.write(unfinished('/f/x', 1000));
  const refused = await answerOn(next);
  expect(refused).toMatch(/^HTTP\/1\.1 503 .*\{"error":"Too many requests at once","code":"UNAVAILABLE"\}$/s);
  expect(refused).toMatch(/\r\nretry-after: 1\r\n/i);
  const large = await connect(http10Port, busy);
  const closed = once(large, 'close');
  large.write(unfinished('/f/x', 2 ** 21));
  expect(await answerOn(large)).toMatch(/\r\nconnection: close\r\n/i);
  await closed;
  expect(await takenOver()).toBe(before);
  expect(await statusOf(small, http10Port, other)).toEqual(['200']);
  expect(await statusOf(read, http10Port, busy)).toEqual(['200']);
});
