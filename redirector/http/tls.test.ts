/** TLS on the public port. */
import { once } from 'node:events';
import net from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import type { CodeRecord } from '#schemas/code-record.ts';
import { makeCertificate, rsa2048, type TestCertificate } from '../../deploy/testing/certificate.ts';
import { handshake, isResumed, newSession, takenCiphers } from '../../deploy/testing/handshakes.ts';
import { freePort, temporaryFolder } from '../../deploy/testing/local.ts';
import { hasProgram } from '../../deploy/testing/programs.ts';
import { eventually } from '../testing/eventually.ts';
import { rawRequest } from '../testing/raw-request.ts';
import { startTestRedirector, type TestRedirector } from '../testing/redirector.ts';
import { scanOverTls } from '../testing/tls-client.ts';

const start = async (certificate: TestCertificate, environment: Record<string, string> = {}) => {
  const { certFile, keyFile } = certificate;
  const waymark = await startTestRedirector({
    TLS_CERT: certFile,
    TLS_KEY: keyFile,
    QR_HOST: 'https://localhost',
    ...environment,
  });
  await waymark.connected();
  return { waymark, port: waymark.config.redirector.port, code: await waymark.published() };
};

describe.runIf(hasProgram('openssl'))('a redirector with TLS_CERT and TLS_KEY', () => {
  let folder: string;
  let certificate: TestCertificate;
  let waymark: TestRedirector;
  let code: CodeRecord;
  let port: number;
  let http10Port: number;

  beforeAll(async () => {
    folder = await temporaryFolder();
    certificate = await makeCertificate(folder);
    http10Port = await freePort();
    const started = await start(certificate, { REDIRECTOR_HTTP10_PORT: String(http10Port) });
    ({ waymark, port, code } = started);
  });

  const scan = (options?: Parameters<typeof scanOverTls>[3]) =>
    scanOverTls(port, code.id, certificate.cert, options);

  test('redirects and counts scans over TLS', async () => {
    const own = await waymark.published();
    for (const method of ['GET', 'HEAD'] as const)
      expect(await scanOverTls(port, own.id, certificate.cert, { method })).toMatchObject({
        status: 302,
        location: own.destination,
      });
    const counted = () =>
      waymark.query('SELECT kind, device FROM scans WHERE code_id = {id:String} ORDER BY kind', {
        id: own.id,
      });
    await eventually(async () =>
      expect(await counted()).toEqual([
        { kind: 'scan', device: 'mobile' },
        { kind: 'bot', device: 'mobile' },
      ]),
    );
  });

  test('speaks TLS 1.2 and 1.3, and refuses 1.0 and 1.1', async () => {
    for (const [version, answer] of [
      ['-tls1', 'alert protocol version'],
      ['-tls1_1', 'alert protocol version'],
      ['-tls1_2', 'New, TLSv1.2, Cipher is ECDHE-ECDSA-'],
      ['-tls1_3', 'New, TLSv1.3, Cipher is TLS_'],
    ] as const)
      expect(await handshake(port, version, '-cipher', 'ALL:@SECLEVEL=0')).toContain(answer);
  });

  test('accepts from a TLS 1.2 client only ciphers with forward secrecy and authenticated encryption', async () => {
    const good = ['AES128-GCM-SHA256', 'AES256-GCM-SHA384', 'CHACHA20-POLY1305'];
    const bad = ['AES128-SHA', 'AES256-SHA', 'AES128-SHA256', 'AES128-CCM'];
    const named = (ciphers: string[]) => ciphers.map((cipher) => `ECDHE-ECDSA-${cipher}`);
    expect(await takenCiphers(port, named([...good, ...bad]))).toEqual(named(good));
  });

  test('also shakes hands with forward secrecy with an RSA key', async () => {
    const rsa = await makeCertificate(folder, { key: rsa2048 });
    const { port: rsaPort, code: rsaCode } = await start(rsa);
    expect(await scanOverTls(rsaPort, rsaCode.id, rsa.cert)).toMatchObject({ status: 302 });
    const offered = (cipher: string) => handshake(rsaPort, '-tls1_2', '-cipher', `${cipher}:@SECLEVEL=0`);
    expect(await offered('ECDHE-RSA-AES128-GCM-SHA256')).toContain('Cipher is ECDHE-RSA-AES128-GCM-SHA256');
    expect(await offered('AES128-GCM-SHA256')).toContain('alert handshake failure');
  });

  test('sends the whole chain', async () => {
    const root = await makeCertificate(folder, { names: ['root'] });
    const middle = await makeCertificate(folder, { names: ['middle'], issuer: root });
    const leaf = await makeCertificate(folder, { issuer: middle, chain: [middle] });
    const { port: chainPort } = await start(leaf);
    const said = await handshake(chainPort, '-showcerts', '-CAfile', root.certFile);
    expect(said).toContain('Verify return code: 0 (ok)');
  });

  test('resumes a TLS 1.3 session', async () => {
    expect(await isResumed(port, await newSession(port))).toBe(true);
  });

  test('answers unknown names, and clients that send none, with its one certificate', async () => {
    const { fingerprint } = await scan();
    expect((await scan({ servername: 'nobody.example' })).fingerprint).toBe(fingerprint);
    for (const name of [['-servername', 'nobody.example'], ['-noservername']])
      expect(await handshake(port, ...name)).toMatch(/CN ?= ?localhost/);
  });

  test('does not speak HTTP/2', async () => {
    expect(await handshake(port, '-alpn', 'h2,http/1.1')).toContain('No ALPN negotiated');
  });

  test('closes a connection that sends plain HTTP, without an answer', async () => {
    const socket = net.connect(port, '127.0.0.1').setEncoding('latin1');
    let answer = '';
    socket.on('error', () => socket.destroy()).on('data', (chunk) => (answer += chunk));
    socket.write(`GET /r/${code.id} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await once(socket, 'close');
    expect(answer).not.toContain('HTTP/');
    expect((await scan()).status).toBe(302);
  });

  test('speaks plain HTTP on REDIRECTOR_HTTP10_PORT', async () => {
    const { status, headers } = await rawRequest({ port: http10Port }, [`GET /r/${code.id} HTTP/1.0`]);
    expect([status, headers.location]).toEqual([302, code.destination]);
  });
});

test.runIf(hasProgram('openssl')).each([
  ['secp256k1', /^TLS_CERT and TLS_KEY must be a pair that BoringSSL takes.*; given: ".*certificate\.pem"/],
  ['P-224', /^TLS_CERT and TLS_KEY must be a pair that clients can shake hands with.*; given: ".*\.pem"/],
])(
  'an unusable key, of the curve %s, stops the start with an error that names the files',
  async (curve, refusal) => {
    const key = ['-algorithm', 'EC', '-pkeyopt', `ec_paramgen_curve:${curve}`];
    const certificate = await makeCertificate(await temporaryFolder(), { key });
    await expect(start(certificate)).rejects.toThrow(refusal);
  },
);
