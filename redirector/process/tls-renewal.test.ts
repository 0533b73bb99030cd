/** The certificate of an instance at its start, and its renewal under load: real processes, real signals. */
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { makeCertificate, type TestCertificate } from '../../deploy/testing/certificate.ts';
import { afterFile, temporaryFolder } from '../../deploy/testing/local.ts';
import { hasProgram } from '../../deploy/testing/programs.ts';
import { createInstance, type Instance, patient, type RedirectorProcess } from '../testing/instance.ts';
import { createRecord, phone } from '../testing/redirector.ts';
import { scanOverTls } from '../testing/tls-client.ts';

const until = (assertion: () => unknown) => vi.waitFor(assertion, patient);
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

  /** Writes a certificate and a key to the configured paths. */
  const put = ({ certFile }: TestCertificate, { keyFile }: TestCertificate): void => {
    fs.copyFileSync(certFile, path.join(folder, 'tls.crt'));
    fs.copyFileSync(keyFile, path.join(folder, 'tls.key'));
    fs.chmodSync(path.join(folder, 'tls.key'), 0o600);
  };

  const starts = (workers: string): Promise<RedirectorProcess> =>
    instance.start({ REDIRECTOR_WORKERS: workers });

  const complete = (redirector: RedirectorProcess) =>
    until(async () => expect(await redirector.complete()).toBe(true));

  const stop = async (redirector: RedirectorProcess): Promise<void> => {
    redirector.kill('SIGTERM');
    expect(await redirector.exited).toBe(0);
  };

  const fingerprintOf = async ({ cert }: TestCertificate): Promise<string> =>
    (await scanOverTls(port, record.id, cert)).fingerprint;

  const errors = ({ log }: RedirectorProcess): string[] =>
    log.filter(({ level }) => level === 50).map(({ msg }) => msg);

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
  );

  describe('with two workers', () => {
    let redirector: RedirectorProcess;
    /** The certificate that the workers serve. */
    let accepted: string;

    beforeAll(async () => {
      put(first, first);
      redirector = await starts('2');
      await complete(redirector);
      accepted = await fingerprintOf(first);
    });

    /** Asks for a renewal that must be refused. */
    const refused = async (spoil: () => void, line: RegExp): Promise<void> => {
      const before = errors(redirector).length;
      spoil();
      redirector.kill('SIGHUP');
      await until(() => expect(errors(redirector).slice(before)).toEqual([expect.stringMatching(line)]));
    };

    test.each<[string, () => void, RegExp]>([
      [
        'a key of another certificate',
        () => put(renewed, first),
        /^TLS_KEY must be the key of the first certificate.*old ones go on$/,
      ],
      [
        'an empty file',
        () => fs.writeFileSync(path.join(folder, 'tls.crt'), ''),
        /^TLS_CERT must be a PEM file.*old ones go on$/,
      ],
      ['no file', () => fs.rmSync(path.join(folder, 'tls.key')), /^TLS_(CERT|KEY) must be .*old ones go on$/],
      [
        'an expired certificate',
        () => put(expired, expired),
        /^TLS_CERT has expired; the one in use has not: .*old ones go on$/,
      ],
    ])(
      '%s in place of the renewed one leaves the workers as they are, and the log names the file',
      async (_, spoil, line) => {
        const workers = redirector.workers();
        await refused(spoil, line);
        expect(await fingerprintOf(first)).toBe(accepted);
        expect(redirector.workers()).toEqual(workers);
      },
    );

    test.each<[string, () => void, RegExp]>([
      ['have expired', () => put(expired, expired), /old ones go on$/],
      [
        'are garbage',
        () => fs.writeFileSync(path.join(folder, 'tls.crt'), 'garbage'),
        /^TLS_CERT must be a PEM file.*old ones go on$/,
      ],
    ])(
      'the replacement of a worker that dies after a refused renewal serves the accepted certificate: files that %s',
      async (_, spoil, line) => {
        await refused(spoil, line);
        const deaths = (await redirector.metric('worker_deaths_total'))!;
        const old = redirector.workers();
        for (const pid of old) process.kill(pid, 'SIGKILL');
        await until(async () => expect(await redirector.metric('worker_deaths_total')).toBe(deaths + 2));
        await complete(redirector);
        expect(redirector.workers().filter((pid) => old.includes(pid))).toEqual([]);
        for (let n = 0; n < 20; n++) expect(await fingerprintOf(first)).toBe(accepted);
        expect(await redirector.metric('worker_deaths_total')).toBe(deaths + 2);
        expect(JSON.stringify(redirector.log)).not.toContain('PRIVATE KEY');
      },
    );

    test('on SIGHUP the workers serve the renewed certificate, and no kept connection loses a request', async () => {
      const expires = await redirector.metric('tls_certificate_expiry_timestamp_seconds');
      expect(expires! * 1000).toBeGreaterThan(Date.now());
      const connect = { ca: [first.cert, renewed.cert], servername: 'localhost' };
      const agent = new Agent({ connect, connections: 8 });
      afterFile(() => agent.destroy());
      let answered = 0;
      let done = false;
      onTestFinished(() => {
        done = true;
      });
      const scans = Array.from({ length: 8 }, async () => {
        while (!done) {
          const { statusCode, body } = await request(`https://127.0.0.1:${port}/r/${record.id}`, {
            dispatcher: agent,
            headers: {
              'user-agent': phone,
              'x-forwarded-for': `10.${answered >> 16}.${(answered >> 8) & 255}.${answered & 255}`,
            },
          });
          await body.dump();
          expect(statusCode).toBe(302);
          answered++;
          // On a busy machine, processes start while scans are running.
          await sleep(5);
        }
      });
      put(renewed, renewed);
      redirector.kill('SIGHUP');
      await until(() => expect(redirector.log.map(({ msg }) => msg)).toContain('all workers are replaced'));
      const after = answered;
      await until(() => expect(answered).toBeGreaterThan(after + 50));
      done = true;
      await Promise.all(scans);
      for (let n = 0; n < 8; n++) expect(await fingerprintOf(renewed)).not.toBe(accepted);
      await stop(redirector);
    });
  });

  describe('with one process and a certificate that has expired', () => {
    let redirector: RedirectorProcess;
    beforeAll(async () => {
      put(expired, expired);
      redirector = await starts('1');
    });

    const scan = async (): Promise<number> => {
      const agent = new Agent({ connect: { rejectUnauthorized: false } });
      const { statusCode, body } = await request(`https://127.0.0.1:${port}/r/${record.id}`, {
        dispatcher: agent,
      });
      await body.dump();
      await agent.destroy();
      return statusCode;
    };

    test('serves it with a warning: redirects keep working', async () => {
      expect(warnings(redirector)).toContainEqual(expect.stringMatching(/^TLS_CERT expired on /));
      expect(await scan()).toBe(302);
    });

    test('SIGHUP does not end the process, which says what to do', async () => {
      redirector.kill('SIGHUP');
      await until(() =>
        expect(warnings(redirector)).toContainEqual(
          expect.stringMatching(
            /^SIGHUP replaces workers, and there is one process: start another one beside it/,
          ),
        ),
      );
      expect(await scan()).toBe(302);
      await stop(redirector);
    });
  });
});
