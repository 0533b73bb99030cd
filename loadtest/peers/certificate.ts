/** Certificates of the load test's own. */
import { spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** The kinds that browsers take, as arguments of `openssl req -newkey`. */
export const keyKinds = {
  'P-256': ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256'],
  'RSA 2048': ['rsa:2048'],
} as const;

export type KeyKind = keyof typeof keyKinds;

export interface Certificate {
  /** Where the files are. */
  folder: string;
  certificateFile: string;
  keyFile: string;
  /** Both in one, which HAProxy wants. */
  bothFile: string;
}

/** @throws {Error} if openssl is missing or fails */
export const makeCertificate = async (folder: string, kind: KeyKind): Promise<Certificate> => {
  await mkdir(folder, { recursive: true });
  const [certificateFile, keyFile, bothFile] = ['certificate.pem', 'key.pem', 'certificate-and-key.pem'].map(
    (name) => path.join(folder, name),
  ) as [string, string, string];
  const { status, stderr, error } = spawnSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', ...keyKinds[kind], '-nodes', '-days', '2', '-subj', '/CN=localhost'],
      ...['-addext', 'subjectAltName=DNS:localhost', '-keyout', keyFile, '-out', certificateFile],
    ],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`openssl made no certificate: ${error?.message ?? stderr.slice(-500)}`);
  await writeFile(bothFile, (await readFile(certificateFile, 'utf8')) + (await readFile(keyFile, 'utf8')));
  return { folder, certificateFile, keyFile, bothFile };
};
