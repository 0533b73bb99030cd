/** What is said of a certificate before it is served. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeCertificate, rsa2048, type TestCertificate } from '../../deploy/testing/certificate.ts';
import { temporaryFolder } from '../../deploy/testing/local.ts';
import { hasProgram } from '../../deploy/testing/programs.ts';
import { readCertificate } from './certificate.ts';

const qrHost = 'https://qr.example.com';
const dayMs = 86_400_000;

describe.runIf(hasProgram('openssl'))('TLS_CERT and TLS_KEY', () => {
  let folder: string;
  let good: TestCertificate;

  beforeAll(async () => {
    folder = await temporaryFolder();
    good = await makeCertificate(folder, { names: ['qr.example.com', '*.codes.example'] });
  });

  const fileOf = (name: string, content: string | Buffer): string => {
    const file = path.join(folder, name);
    fs.writeFileSync(file, content, { mode: 0o600 });
    return file;
  };

  /** The refusal, as one line. */
  const refusalOf = (files: Partial<TestCertificate>): string => {
    try {
      readCertificate({ ...good, ...files }, qrHost);
    } catch (error) {
      expect(error).toMatchObject({ name: 'ConfigError' });
      const { message } = error as Error;
      expect(message).not.toContain('\n');
      return message;
    }
    throw new Error('nothing was refused');
  };

  const warningsOf = (files: TestCertificate, host = qrHost, nowMs = Date.now()) =>
    readCertificate(files, host, nowMs).warnings;

  test('a certificate that fits its key and the name in QR_HOST is taken without a word', () => {
    const { warnings, expiresAtMs } = readCertificate(good, qrHost);
    expect(warnings).toEqual([]);
    expect(expiresAtMs - Date.now()).toBeGreaterThan(dayMs);
    expect(warningsOf(good, 'https://a.codes.example')).toEqual([]);
  });

  test('keys in the older formats are taken, and one file may hold both', async () => {
    const sec1 = path.join(folder, 'sec1.pem');
    execFileSync('openssl', ['ec', '-in', good.keyFile, '-out', sec1], { stdio: 'ignore' });
    const parameters = execFileSync('openssl', ['ecparam', '-name', 'prime256v1'], { encoding: 'utf8' });
    const keyFile = fileOf('with-parameters.pem', parameters + fs.readFileSync(sec1, 'utf8'));
    expect(warningsOf({ ...good, keyFile })).toEqual([]);
    const both = fileOf('both.pem', good.cert + fs.readFileSync(good.keyFile, 'utf8'));
    expect(warningsOf({ ...good, certFile: both, keyFile: both })).toEqual([]);
    const rsa = await makeCertificate(folder, { names: ['qr.example.com'], key: rsa2048 });
    expect(warningsOf(rsa)).toEqual([]);
  });

  test.each(['certFile', 'keyFile'] as const)(
    'a file that is missing, a folder, a device, empty, of another kind or too large is refused by name: %s',
    (which) => {
      const variable = which === 'certFile' ? 'TLS_CERT' : 'TLS_KEY';
      const refused = (file: string): string => refusalOf({ [which]: file });
      const named = (fault: string) => expect.stringMatching(new RegExp(`^${variable} must be a ${fault}`));
      const missing = path.join(folder, 'missing.pem');
      expect(refused(missing)).toEqual(named('file that this process may read \\(ENOENT'));
      expect(refused(missing)).toContain(JSON.stringify(missing));
      expect(refused(folder)).toEqual(named('file, and not a folder'));
      expect(refused('/dev/zero')).toEqual(named('file, and not a folder, a device or a pipe'));
      expect(refused(fileOf('empty.pem', ''))).toEqual(named('PEM file with "-----BEGIN'));
      expect(refused(fileOf('der.pem', Buffer.alloc(300, 0x30)))).toEqual(named('PEM file with "-----BEGIN'));
      expect(refused(fileOf('large.pem', good.cert.repeat(200)))).toEqual(
        named('PEM file of at most 65536 bytes'),
      );
    },
  );

  test('a pipe without a writer is refused, and not waited for', () => {
    const pipe = path.join(folder, 'pipe.pem');
    execFileSync('mkfifo', [pipe]);
    expect(refusalOf({ certFile: pipe })).toMatch(
      /^TLS_CERT must be a file, and not a folder, a device or a pipe/,
    );
  });

  test('a certificate that cannot be read, and one of too many, is refused by its number', () => {
    const broken = good.cert.replace(/\n[A-Za-z0-9+/]/, '\n!');
    expect(refusalOf({ certFile: fileOf('broken.pem', good.cert + broken) })).toMatch(
      /^TLS_CERT must hold certificates in PEM; number 2 cannot be read/,
    );
    expect(refusalOf({ certFile: fileOf('eleven.pem', good.cert.repeat(11)) })).toMatch(
      /^TLS_CERT must have at most 10 certificates, and has 11/,
    );
  });

  test('a key that is not the certificate’s, is broken, or has a passphrase, is refused by name', async () => {
    const { keyFile } = await makeCertificate(folder);
    expect(refusalOf({ keyFile })).toMatch(/^TLS_KEY must be the key of the first certificate in TLS_CERT/);
    const key = fs.readFileSync(good.keyFile, 'utf8');
    const broken = fileOf('broken-key.pem', key.replace(/\n.{20}/, '\n'));
    expect(refusalOf({ keyFile: broken })).toMatch(/^TLS_KEY must be a PEM file/);
    const locked = path.join(folder, 'locked.pem');
    const aes = ['-aes256', '-passout', 'pass:hunter2'];
    execFileSync('openssl', [
      'pkcs8',
      '-topk8',
      '-in',
      good.keyFile,
      '-out',
      locked,
      '-passout',
      'pass:hunter2',
    ]);
    expect(refusalOf({ keyFile: locked })).toMatch(/^TLS_KEY must be a key without a passphrase/);
    execFileSync('openssl', ['ec', '-in', good.keyFile, '-out', locked, ...aes], { stdio: 'ignore' });
    expect(refusalOf({ keyFile: locked })).toMatch(/^TLS_KEY must be a key without a passphrase/);
  });

  test('one that has expired, or is not valid yet, is served with a warning', () => {
    const [early, late] = [Date.now() - dayMs, Date.now() + 3 * dayMs];
    expect(warningsOf(good, qrHost, late)).toEqual([expect.stringMatching(/^TLS_CERT expired on 20\d\d-/)]);
    expect(warningsOf(good, qrHost, early)).toEqual([
      expect.stringMatching(/^TLS_CERT is valid from 20\d\d-/),
    ]);
  });

  test('one for other names than QR_HOST’s is served with a warning that has both', () => {
    for (const host of ['https://qr.example.net', 'https://192.0.2.1', 'https://[2001:db8::1]:8443'])
      expect(warningsOf(good, host)).toEqual([
        expect.stringMatching(/^TLS_CERT is not for .+, the name in QR_HOST.*DNS:qr\.example\.com/),
      ]);
  });

  test('a chain that is missing, or in another order, is served with a warning', async () => {
    const names = ['qr.example.com'];
    const root = await makeCertificate(folder, { names: ['root'] });
    const middle = await makeCertificate(folder, { names: ['middle'], issuer: root });
    const leaf = await makeCertificate(folder, { names, issuer: middle });
    const chained = (...chain: TestCertificate[]): TestCertificate => ({
      ...leaf,
      certFile: fileOf('chain.pem', [leaf, ...chain].map(({ cert }) => cert).join('')),
    });
    expect(warningsOf(leaf)).toEqual([expect.stringMatching(/^TLS_CERT has one certificate/)]);
    expect(warningsOf(chained(middle))).toEqual([]);
    expect(warningsOf(chained(middle, root))).toEqual([]);
    expect(warningsOf(chained(root, middle))).toEqual([
      expect.stringMatching(/^TLS_CERT must be in order: number 2 has not issued number 1/),
    ]);
  });

  test.each([
    [['-algorithm', 'ED25519'], 'ed25519'],
    [['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-521'], 'ec secp521r1'],
    [['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:1024'], 'rsa 1024'],
  ])('a key of a kind that browsers refuse is served with a warning: %s', async (key, kind) => {
    const certificate = await makeCertificate(folder, { names: ['qr.example.com'], key });
    expect(warningsOf(certificate)).toEqual([
      `TLS_CERT has a key that browsers refuse (${kind}): use P-256, or RSA of 2048 bits`,
    ]);
  });

  test('a key that everybody may read is served with a warning', () => {
    const keyFile = fileOf('public.pem', fs.readFileSync(good.keyFile));
    fs.chmodSync(keyFile, 0o644);
    expect(warningsOf({ ...good, keyFile })).toEqual([
      `TLS_KEY can be read by every user of this machine: chmod 600 ${keyFile}`,
    ]);
  });
});
