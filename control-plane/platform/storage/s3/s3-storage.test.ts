/** Faults of a bucket: its service is down, hangs, or refuses. */

import type { AddressInfo } from 'node:net';
import net from 'node:net';
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import type { S3StorageSettings } from '#shared/config/storage-url.ts';
import { loadSettings } from '#shared/config.ts';
import { afterFile } from '../../../../deploy/testing/local.ts';
import { chunksOf, keysOf, noise, put, textOf } from '../testing/contents.ts';
import { startS3Server } from '../testing/s3-server.ts';
import { createS3Storage } from './s3-storage.ts';
import type { RequestTimes } from './transport.ts';

const open = (url: string, times?: RequestTimes) => {
  const storage = createS3Storage(loadSettings({ STORAGE_URL: url }).storage as S3StorageSettings, times);
  afterFile(() => storage.close());
  return storage;
};

const opened = startS3Server();

test('an outage of the service is reported; nothing stored is lost, and later calls succeed', async () => {
  const server = await opened;
  const storage = open(server.url.replace('?', '/folder?'));
  await put(storage, 'a/kept', 'as it was');
  await server.kill();
  const tried = [
    put(storage, 'a/new', 'x'),
    storage.get('a/kept'),
    storage.remove('a/kept'),
    storage.check(),
  ];
  const failures = await Promise.allSettled(tried);
  expect(failures.map((failure) => failure.status === 'rejected' && String(failure.reason))).toEqual(
    tried.map(
      () =>
        'StorageFailure: The storage (STORAGE_URL) does not work: its service cannot be reached (ECONNREFUSED)',
    ),
  );
  await server.start();
  expect(await keysOf(storage, 'a/')).toEqual(['a/kept']);
  expect(await textOf(storage, 'a/kept')).toBe('as it was');
});

/** A proxy in front of a service: resets the first connections, and passes later ones on. */
const resettingFirst = async (port: number, resets: number) => {
  const seen = { connections: 0, port: 0 };
  const server = net.createServer((socket) => {
    if (++seen.connections <= resets) return socket.resetAndDestroy();
    const service = net.connect(port, '127.0.0.1');
    for (const each of [socket, service])
      each.on('error', () => [socket, service].map((end) => end.destroy()));
    return socket.pipe(service).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterFile(() => server.close());
  seen.port = (server.address() as AddressInfo).port;
  return seen;
};

test('a service that is down for a moment is retried', async () => {
  const { url } = await opened;
  const port = /(?<=:)\d+(?=\/)/.exec(url)![0];
  const proxy = await resettingFirst(Number(port), 2);
  const storage = open(url.replace(port, String(proxy.port)));
  await put(storage, 'a/b', 'text');
  expect(proxy.connections).toBeGreaterThan(2);
  expect(await textOf(storage, 'a/b')).toBe('text');
});

test('an upload whose service is killed half-way fails, and the key keeps its content', async () => {
  const server = await opened;
  const storage = open(server.url);
  await put(storage, 'a/b', 'as it was');
  async function* interrupted() {
    yield* chunksOf(noise(20 * 2 ** 20), 2 ** 20);
    await server.kill();
    yield* chunksOf(noise(20 * 2 ** 20), 2 ** 20);
  }
  await expect(storage.put('a/b', interrupted())).rejects.toMatchObject({ reason: 'away' });
  await server.start();
  expect(await textOf(storage, 'a/b')).toBe('as it was');
});

test('a service that never answers is given up, and the request is aborted', async () => {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
    socket.resume();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterFile(() => server.close());
  const { port } = server.address() as AddressInfo;
  const times = { connectMs: 200, answerMs: 200, pauseMs: 200 };
  const storage = open(`s3://a:b@127.0.0.1:${port}/pictures?tls=false`, times);
  await expect(put(storage, 'a/b', 'text')).rejects.toMatchObject({
    reason: 'away',
    message: expect.stringContaining('Timeout'),
  });
  await expect.poll(() => sockets.size).toBe(0);
});

test('a refusal is reported without the keys and the signed text', async () => {
  const { url } = await opened;
  const wrongKey = open(url.replace(':S3RVER@', ':hunter2@'));
  const failure: unknown = await put(wrongKey, 'a/b', 'text').catch((error: unknown) => error);
  expect(failure).toMatchObject({
    reason: 'refused',
    message: 'The storage (STORAGE_URL) does not allow it: its service answered 403 SignatureDoesNotMatch',
  });
  expect(inspect(failure, { depth: 9 })).not.toMatch(/hunter2|S3RVER|AWS4-HMAC/);
  const noBucket = open(url.replace('/pictures', '/others'));
  await expect(put(noBucket, 'a/b', 'text')).rejects.toMatchObject({ reason: 'refused' });
  await expect(noBucket.check()).rejects.toThrow('there is no bucket others that this access key may list');
});

test('a source is ended if the service refuses before all of it was read', async () => {
  const refused = open((await opened).url.replace(':S3RVER@', ':another@'));
  let isEnded = false;
  async function* large() {
    try {
      yield* chunksOf(noise(20 * 2 ** 20), 2 ** 20);
    } finally {
      isEnded = true;
    }
  }
  await expect(refused.put('a/large', large())).rejects.toMatchObject({ reason: 'refused' });
  expect(isEnded).toBe(true);
});
