/** A certificate of the load test's own, for ECDSA with P-256, as most public ones are today. */
import { spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

export interface Certificate {
  /** Holds the files below, and `certificate-and-key.pem`, which HAProxy wants. */
  folder: string;
  certificateFile: string;
  keyFile: string;
}

/** @throws {Error} when openssl is missing or fails */
export const makeCertificate = async (folder: string): Promise<Certificate> => {
  await mkdir(folder, { recursive: true });
  const [certificateFile, keyFile] = ['certificate.pem', 'key.pem'].map((name) => path.join(folder, name));
  const { status, stderr, error } = spawnSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'],
      ...['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,DNS:qr.example'],
      ...['-keyout', keyFile!, '-out', certificateFile!],
    ],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`openssl made no certificate: ${error?.message ?? stderr.slice(-500)}`);
  const both = (await readFile(certificateFile!, 'utf8')) + (await readFile(keyFile!, 'utf8'));
  await writeFile(path.join(folder, 'certificate-and-key.pem'), both);
  return { folder, certificateFile: certificateFile!, keyFile: keyFile! };
};
