/** Attempts at real servers on loopback: which addresses are connected to, and how much of an answer is read. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { makeCertificate } from '../../../../deploy/testing/certificate.ts';
import { afterFile, temporaryFolder } from '../../../../deploy/testing/local.ts';
import type { Resolve } from '../../../platform/outgoing/resolve.ts';
import { isPublicAddress } from '../../../platform/outgoing/safe-fetch.ts';
import { answering, hanging, startReceiver } from '../testing/receiver.ts';
import { brokenOff, createSender, type SenderOptions } from './send.ts';

const openSender = (options: SenderOptions = {}) => {
  const sender = createSender(options);
  afterFile(() => sender.close());
  return sender;
};

const strict = openSender();
const open = openSender({ allowPrivate: true });
const notPublic = 'the URL does not lead to a public address';

/** Resolves to the next of the addresses each time, and then always to the last one. */
const resolving = (...addresses: string[]) => {
  const asked: string[] = [];
  const resolve: Resolve = (hostname, _, callback) => {
    const address = addresses[Math.min(asked.length, addresses.length - 1)]!;
    asked.push(hostname);
    callback(
      null,
      address.split(' ').map((one) => ({ address: one, family: one.includes(':') ? 6 : 4 })),
    );
  };
  return { asked, resolve };
};

describe('never connects to a private, loopback or link-local address', () => {
  test.each([
    '127.0.0.1',
    '127.1',
    '0x7f.0.0.1',
    '0x7f000001',
    '2130706433',
    '017700000001',
    '0177.0.0.1',
    '0.0.0.0',
    '10.0.0.1',
    '169.254.169.254',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::127.0.0.1]',
    '[fe80::1]',
    '[fd00:ec2::254]',
  ])('%s as it is written', async (host) => {
    const receiver = await startReceiver();
    const attempted = await strict.send(`http://${host}:${receiver.port}/`, {}, '{}');
    expect(attempted).toMatchObject({ status: null, error: notPublic, response: null });
    expect(receiver.received).toEqual([]);
  });

  test.each([
    '127.0.0.1',
    '::1',
    '::ffff:127.0.0.1',
    '10.1.2.3',
    '100.100.0.1',
    'fd00::1',
    '93.184.215.14 127.0.0.1',
  ])('a name that resolves to %s', async (addresses) => {
    const receiver = await startReceiver();
    const sender = openSender({ resolve: resolving(addresses).resolve });
    const attempted = await sender.send(`http://hooks.example:${receiver.port}/`, {}, '{}');
    expect(attempted).toMatchObject({ status: null, error: notPublic });
    expect(receiver.received).toEqual([]);
  });
});

describe('a name that resolves to another address the second time', () => {
  /** Treats 127.0.0.1 as a public address, and 127.0.0.2 as loopback. */
  const isAllowed = (address: string) => address === '127.0.0.1' || isPublicAddress(address);

  test('is refused on reconnecting', async () => {
    const receiver = await startReceiver(answering(204, { connection: 'close' }));
    const { asked, resolve } = resolving('127.0.0.1', '127.0.0.2');
    const sender = openSender({ resolve, isAllowed });
    const url = `http://hooks.example:${receiver.port}/`;
    expect(await sender.send(url, {}, '{}')).toMatchObject({ status: 204, error: null });
    expect(await sender.send(url, {}, '{}')).toMatchObject({ status: null, error: notPublic });
    expect(asked).toHaveLength(2);
    expect(receiver.received).toHaveLength(1);
  });

  test('reaches only the checked address while the connection is kept', async () => {
    const receiver = await startReceiver();
    const { resolve } = resolving('127.0.0.1', '127.0.0.2');
    const sender = openSender({ resolve, isAllowed });
    const url = `http://hooks.example:${receiver.port}/`;
    // If the connection were not free yet, another one would be opened, and refused.
    for (let sent = 1; sent <= 3; sent++)
      await expect.poll(() => sender.send(url, {}, '{}')).toMatchObject({ status: 204 });
    expect(new Set(receiver.received.map(({ remotePort }) => remotePort)).size).toBe(1);
    receiver.hangUp();
    await expect.poll(() => sender.send(url, {}, '{}')).toMatchObject({ status: null, error: notPublic });
    expect(receiver.received).toHaveLength(3);
  });
});

test('a redirect is not followed', async () => {
  const target = await startReceiver();
  const receiver = await startReceiver(answering(307, { location: target.url }));
  expect(await open.send(receiver.url, {}, '{}')).toMatchObject({
    status: 307,
    error: 'redirects are not followed',
  });
  expect(target.received).toEqual([]);
});

test('reads at most 64 KB of an answer', async () => {
  let [written, ended] = [0, false];
  const receiver = await startReceiver((_, response) => {
    response.writeHead(200);
    response.on('close', () => {
      ended = true;
    });
    const chunk = Buffer.alloc(16_384, 'a');
    const write = (): void => {
      if (ended) return;
      written += chunk.length;
      response.write(chunk, write);
    };
    write();
  });
  const attempted = await open.send(receiver.url, {}, '{}');
  expect(attempted).toMatchObject({ status: 200, error: null });
  expect(attempted.response).toBe('a'.repeat(1_000));
  await expect.poll(() => ended).toBe(true);
  // The rest is held by the sockets and the two processes.
  expect(written).toBeLessThan(8 * 2 ** 20);
});

test('keeps only text of an answer that PostgreSQL can store', async () => {
  const receiver = await startReceiver((_, response) =>
    response.writeHead(500).end(Buffer.concat([Buffer.from([0, 0xff, 0xc3]), Buffer.from('😀'.repeat(600))])),
  );
  const { response } = await open.send(receiver.url, {}, '{}');
  expect(response).toHaveLength(1_000);
  expect(response).not.toContain('\0');
  expect(response!.isWellFormed()).toBe(true);
});

test('the time limit covers the whole attempt: an answer that comes byte by byte does not prolong it', async () => {
  const receiver = await startReceiver((_, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('a'), 20);
    response.on('close', () => clearInterval(timer));
  });
  const sender = openSender({ allowPrivate: true, timeoutMs: 200 });
  expect(await sender.send(receiver.url, {}, '{}')).toMatchObject({
    status: null,
    error: 'no complete answer within 0.2 seconds',
  });
});

test('a name server that does not answer counts towards the time limit', async () => {
  const sender = openSender({ resolve: () => {}, timeoutMs: 200 });
  expect(await sender.send('http://hooks.example/', {}, '{}')).toMatchObject({
    error: expect.stringMatching(
      /^(no complete answer within 0.2 seconds|the server could not be connected to in time)/,
    ),
  });
});

test('an aborted attempt ends at once', async () => {
  const receiver = await startReceiver(hanging);
  const ending = new AbortController();
  const attempted = open.send(receiver.url, {}, '{}', ending.signal);
  await expect.poll(() => receiver.received).toHaveLength(1);
  ending.abort();
  expect(await attempted).toMatchObject({ status: null, error: brokenOff });
});

test('an untrusted certificate fails the attempt, and the log says so', async () => {
  const { keyFile, cert } = await makeCertificate(await temporaryFolder());
  const server = https.createServer({ key: await readFile(keyFile), cert }, (_, response) => response.end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterFile(() => server.close());
  const { port } = server.address() as AddressInfo;
  expect(await open.send(`https://127.0.0.1:${port}/`, {}, '{}')).toMatchObject({
    status: null,
    error: expect.stringMatching(/^TLS failed \(/),
  });
});

test.each([
  ['ftp://example.com/', 'the URL is not an http or https URL'],
  ['no URL', 'the URL is not an http or https URL'],
])('%s is no URL of a webhook', async (url, error) => {
  expect(await open.send(url, {}, '{}')).toMatchObject({ status: null, error });
});

test('an unknown name fails the attempt, and the log says so', async () => {
  const resolve: Resolve = (_, __, callback) =>
    callback(Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' }), []);
  expect(await openSender({ resolve }).send('http://hooks.example/', {}, '{}')).toMatchObject({
    error: 'the name of the server could not be resolved (ENOTFOUND)',
  });
});
