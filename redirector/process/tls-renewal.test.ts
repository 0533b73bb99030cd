/** The certificate of an instance at its start, and its renewal under load: real processes, real signals. */
import fs from 'node:fs';
import path from 'node:path';
import { Agent, request } from 'undici';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { makeCertificate, type TestCertificate } from '../../deploy/testing/certificate.ts';
import { afterFile, temporaryFolder } from '../../deploy/testing/index.ts';
import { hasProgram } from '../../deploy/testing/programs.ts';
import { createInstance, type Instance, type RedirectorProcess } from '../testing/instance.ts';
import { createRecord, phone } from '../testing/redirector.ts';
import { scanOverTls } from '../testing/tls-client.ts';

const until = (assertion: () => unknown, timeoutMs = 60_000) => vi.waitFor(assertion, { timeout: timeoutMs });
const dayMs = 86_400_000;
const ago = (days: number): Date => new Date(Date.now() - days * dayMs);

describe.runIf(hasProgram('openssl'))('an instance with TLS_CERT and TLS_KEY', () => {
  let folder: string;
  let first: TestCertificate;
  let renewed: TestCertificate;
  let expired: TestCertificate;
  let instance: Instance;
  let port: number;
  const record = createRecord();

  beforeAll(async () => {
    folder = await temporaryFolder();
    first = await makeCertificate(folder);
    renewed = await makeCertificate(folder, { names: ['renewed.example', 'localhost'] });
    expired = await makeCertificate(folder, { validFrom: ago(90), validTo: ago(1) });
    instance = await createInstance({
      TLS_CERT: path.join(folder, 'tls.crt'),
      TLS_KEY: path.join(folder, 'tls.key'),
      QR_HOST: 'https://localhost',
    });
    port = Number(new URL(instance.url).port);
    await instance.publish(record);
  });

  /** Puts a certificate and a key into the places that the settings name. */
  const put = ({ certFile }: TestCertificate, { keyFile }: TestCertificate): void => {
    fs.copyFileSync(certFile, path.join(folder, 'tls.crt'));
    fs.copyFileSync(keyFile, path.join(folder, 'tls.key'));
    fs.chmodSync(path.join(folder, 'tls.key'), 0o600);
  };

  const starts = async (workers: string): Promise<RedirectorProcess> => {
    const redirector = await instance.start({ REDIRECTOR_WORKERS: workers });
    await until(async () => expect(await redirector.ready()).toBe(200));
    return redirector;
  };

  const stop = async (redirector: RedirectorProcess): Promise<void> => {
    redirector.kill('SIGTERM');
    expect(await redirector.exited).toBe(0);
  };

  const fingerprintOf = async ({ cert }: TestCertificate): Promise<string> =>
    (await scanOverTls(port, record.id, cert)).fingerprint;

  const messages = ({ log }: RedirectorProcess): string[] => log.map(({ msg }) => msg);

  const warnings = ({ log }: RedirectorProcess): string[] =>
    log.filter(({ level }) => level === 40).map(({ msg }) => msg);

  test.each(['1', '2'])(
    'a key that does not fit stops a start with %s workers, with one line',
    async (workers) => {
      put(first, renewed);
      const redirector = instance.spawn({ REDIRECTOR_WORKERS: workers });
      expect(await redirector.exited).toBe(1);
      expect(redirector.output.filter(Boolean)).toEqual([
        expect.stringMatching(/^TLS_KEY must be the key of the first certificate in TLS_CERT; given: "/),
      ]);
    },
    60_000,
  );

  test('SIGHUP has four workers serve the renewed certificate, and no kept connection loses a request', async () => {
    put(first, first);
    const redirector = await starts('4');
    await until(async () => expect(await redirector.complete()).toBe(true));
    const expires = await redirector.metric('tls_certificate_expiry_timestamp_seconds');
    expect(expires! * 1000).toBeGreaterThan(Date.now());
    const before = await fingerprintOf(first);
    const agent = new Agent({ connect: { ca: [first.cert, renewed.cert] }, connections: 8 });
    afterFile(() => agent.destroy());
    let answered = 0;
    let done = false;
    const scans = Array.from({ length: 8 }, async () => {
      while (!done) {
        const { statusCode, body } = await request(`https://localhost:${port}/r/${record.id}`, {
          dispatcher: agent,
          headers: {
            'user-agent': phone,
            'x-forwarded-for': `10.${answered >> 16}.${(answered >> 8) & 255}.${answered & 255}`,
          },
        });
        await body.dump();
        expect(statusCode).toBe(302);
        answered++;
      }
    });
    put(renewed, renewed);
    redirector.kill('SIGHUP');
    await until(() => expect(messages(redirector)).toContain('all workers are replaced'));
    const after = answered;
    await until(() => expect(answered).toBeGreaterThan(after + 50));
    done = true;
    await Promise.all(scans);
    for (let n = 0; n < 8; n++) {
      const now = await fingerprintOf(renewed);
      expect(now).not.toBe(before);
    }
    await stop(redirector);
  }, 120_000);

  test('a renewal that failed leaves the workers as they are, and the log names the file', async () => {
    put(first, first);
    const redirector = await starts('2');
    const before = await fingerprintOf(first);
    const workers = redirector.workers();
    const refused: [() => void, RegExp][] = [
      [() => put(renewed, first), /^TLS_KEY must be the key of the first certificate.*old ones go on$/],
      [
        () => fs.writeFileSync(path.join(folder, 'tls.crt'), ''),
        /^TLS_CERT must be a PEM file.*old ones go on$/,
      ],
      [() => fs.rmSync(path.join(folder, 'tls.key')), /^TLS_(CERT|KEY) must be .*old ones go on$/],
      [() => put(expired, expired), /^TLS_CERT has expired; the one in use has not: .*old ones go on$/],
    ];
    for (const [spoil, line] of refused) {
      const errors = () => redirector.log.filter(({ level }) => level === 50).map(({ msg }) => msg);
      const told = errors().length;
      spoil();
      redirector.kill('SIGHUP');
      await until(() => expect(errors().slice(told)).toEqual([expect.stringMatching(line)]));
      expect(await fingerprintOf(first)).toBe(before);
    }
    expect(redirector.workers()).toEqual(workers);
    await stop(redirector);
  }, 120_000);

  test.each([
    ['have expired', () => put(expired, expired)],
    ['are garbage', () => fs.writeFileSync(path.join(folder, 'tls.crt'), 'garbage')],
  ])(
    'a worker that dies after a renewal was refused serves what was accepted: files that %s',
    async (_, spoil) => {
      put(first, first);
      const redirector = await starts('2');
      const before = await fingerprintOf(first);
      spoil();
      redirector.kill('SIGHUP');
      await until(() => expect(redirector.log.map(({ level }) => level)).toContain(50));
      const old = redirector.workers();
      for (const pid of old) process.kill(pid, 'SIGKILL');
      await until(async () => expect(await redirector.metric('worker_deaths_total')).toBe(2));
      await until(async () => expect(await redirector.complete()).toBe(true));
      expect(redirector.workers().filter((pid) => old.includes(pid))).toEqual([]);
      for (let n = 0; n < 20; n++) expect(await fingerprintOf(first)).toBe(before);
      expect(await redirector.metric('worker_deaths_total')).toBe(2);
      expect(JSON.stringify(redirector.log)).not.toContain('PRIVATE KEY');
      await stop(redirector);
    },
    120_000,
  );

  test('an expired certificate is served, with a warning: redirects go on', async () => {
    put(expired, expired);
    const redirector = await starts('1');
    expect(warnings(redirector)).toContainEqual(expect.stringMatching(/^TLS_CERT expired on /));
    const agent = new Agent({ connect: { rejectUnauthorized: false } });
    const { statusCode, body } = await request(`https://127.0.0.1:${port}/r/${record.id}`, {
      dispatcher: agent,
    });
    await body.dump();
    await agent.destroy();
    expect(statusCode).toBe(302);
    await stop(redirector);
  }, 60_000);

  test('SIGHUP does not end a single process, which says what to do', async () => {
    put(first, first);
    const redirector = await starts('1');
    redirector.kill('SIGHUP');
    await until(() =>
      expect(warnings(redirector)).toContainEqual(
        expect.stringMatching(
          /^SIGHUP replaces workers, and there is one process: start another one beside it/,
        ),
      ),
    );
    expect(await fingerprintOf(first)).not.toBe('');
    await stop(redirector);
  }, 60_000);
});
