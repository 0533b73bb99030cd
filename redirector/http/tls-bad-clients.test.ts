/** Clients of a TLS port that never scan: hundreds of each of five kinds at once, to a real process with one worker. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import tls from 'node:tls';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeCertificate, type TestCertificate } from '../../deploy/testing/certificate.ts';
import { afterFile, temporaryFolder } from '../../deploy/testing/local.ts';
import { hasProgram } from '../../deploy/testing/programs.ts';
import { eventually } from '../testing/eventually.ts';
import { createInstance, type RedirectorProcess } from '../testing/instance.ts';
import { createRecord } from '../testing/redirector.ts';
import { scanOverTls } from '../testing/tls-client.ts';
import { openFilesMaxIn } from './connection-limit.ts';

/** Of each of the five kinds; fewer if the process may not open that many files. */
const filesMax = openFilesMaxIn(
  fs.existsSync('/proc/self/limits') ? fs.readFileSync('/proc/self/limits', 'utf8') : '',
);
const count = Math.min(500, Math.floor(filesMax / 16));
/** uWebSockets.js closes connections idle for 10 s, and checks every 4 s; the machine may be busy. */
const closedWithinMs = 90_000;
/** Measured: 6 to 8 kB, plus the growth of a fresh process's heap. */
const bytesPerHandshakeMax = 40_000;

/** A whole client hello, for localhost. */
const clientHello = async (): Promise<Buffer> => {
  const listener = net.createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const accepted = once(listener, 'connection');
  const client = tls.connect({ port: (listener.address() as net.AddressInfo).port, host: '127.0.0.1' });
  client.on('error', () => client.destroy());
  const [socket] = (await accepted) as [net.Socket];
  const [hello] = (await once(socket, 'data')) as [Buffer];
  for (const one of [client, socket, listener]) 'destroy' in one ? one.destroy() : one.close();
  return hello;
};

/** The process's private memory. */
const residentBytes = ({ pid }: RedirectorProcess): number =>
  Number(/^RssAnon:\s+(\d+) kB/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1024;

const openFiles = ({ pid }: RedirectorProcess): number => fs.readdirSync(`/proc/${pid}/fd`).length;

/** Resolves once the server has closed the connection. */
const ended = async (socket: net.Socket): Promise<void> => {
  socket.on('error', () => socket.destroy()).resume(); // A reset is an end too.
  if (!socket.closed) await once(socket, 'close', { signal: AbortSignal.timeout(closedWithinMs) });
};

describe.runIf(process.platform === 'linux' && hasProgram('openssl'))('while thousands never scan', () => {
  let certificate: TestCertificate;
  let redirector: RedirectorProcess;
  let port: number;
  let endings: Record<string, Promise<unknown>>;
  let filesBefore: number;
  let bytesPerHandshake: number;
  const record = createRecord();

  const scan = () => scanOverTls(port, record.id, certificate.cert);

  const connect = async (first: Buffer): Promise<net.Socket> => {
    const socket = net.connect(port, '127.0.0.1');
    afterFile(() => socket.destroy());
    await once(socket, 'connect');
    socket.write(first);
    return socket;
  };

  /** Opens many connections that each send something once. @returns once all are open, their endings */
  const many = async (first: () => Buffer): Promise<{ all: Promise<unknown> }> => {
    const sockets: Promise<void>[] = [];
    // Not all at once: the accept queue has 512 places.
    for (let n = 0; n < count; n += 100) {
      const opened = await Promise.all(Array.from({ length: 100 }, () => connect(first())));
      sockets.push(...opened.map(ended));
    }
    return { all: Promise.all(sockets) };
  };

  /** Sends one byte at a time, as long as the connection is open. */
  const drip = (socket: net.Socket, bytes: Buffer): Promise<void> => {
    let at = 0;
    const timer = setInterval(() => socket.write(bytes.subarray(at, ++at)), 500);
    return ended(socket).finally(() => clearInterval(timer));
  };

  beforeAll(async () => {
    certificate = await makeCertificate(await temporaryFolder());
    const { certFile, keyFile } = certificate;
    const instance = await createInstance({
      REDIRECTOR_WORKERS: '1',
      TLS_CERT: certFile,
      TLS_KEY: keyFile,
      QR_HOST: 'https://localhost',
    });
    port = Number(new URL(instance.url).port);
    await instance.publish(record);
    redirector = await instance.start();
    expect((await scan()).status).toBe(302);
    filesBefore = openFiles(redirector);
    const hello = await clientHello();

    const before = residentBytes(redirector);
    const silent = await many(() => Buffer.alloc(0));
    const half = await many(() => hello.subarray(0, 60));
    const unfinished = await many(() => hello);
    bytesPerHandshake = (residentBytes(redirector) - before) / (3 * count);

    const garbage = await many(() => randomBytes(600));
    const malformed = await many(() =>
      Buffer.concat([hello.subarray(0, 60), randomBytes(hello.length - 60)]),
    );
    const secure = tls.connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
    await once(secure, 'secureConnect');
    const slowHead = Buffer.from(`GET /r/${record.id} HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(300)}`);
    endings = {
      silent: silent.all,
      'in the middle of the client hello': half.all,
      'silent after the client hello': unfinished.all,
      garbage: garbage.all,
      'a malformed client hello': malformed.all,
      'a client hello, a byte at a time': drip(await connect(Buffer.alloc(0)), hello),
      'a request over TLS, a byte at a time': drip(secure, slowHead),
    };
  });

  test('scans are redirected', async () => {
    for (let n = 0; n < 20; n++)
      expect(await scan()).toMatchObject({ status: 302, location: record.destination });
  });

  test('an unfinished handshake takes little memory', () => {
    expect(bytesPerHandshake).toBeLessThan(bytesPerHandshakeMax);
  });

  test.each([
    'silent',
    'in the middle of the client hello',
    'silent after the client hello',
    'garbage',
    'a malformed client hello',
    'a client hello, a byte at a time',
    'a request over TLS, a byte at a time',
  ])('their connections are closed: %s', async (kind) => void (await endings[kind]));

  test('nothing of them is left, and scans are redirected', async () => {
    await Promise.all(Object.values(endings));
    await eventually(() => expect(openFiles(redirector)).toBeLessThanOrEqual(filesBefore + 20));
    expect((await scan()).status).toBe(302);
    expect(redirector.log.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });
});
