/**
 * The files of a certificate for uWebSockets.js, which reads files alone. Where those of TLS_CERT and TLS_KEY have changed since they were
 * accepted, it gets copies of the accepted texts, for as long as it reads them: in memory where the system has a memory disk.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Certificate, TlsFiles } from './certificate.ts';
import { readPemFile } from './pem-file.ts';

const memoryDisk = '/dev/shm';

const isUnchanged = ({ files, pem }: Certificate): boolean => {
  try {
    return (
      readPemFile('TLS_CERT', files.certFile).text === pem.cert &&
      readPemFile('TLS_KEY', files.keyFile).text === pem.key
    );
  } catch {
    return false; // A file is gone, or cannot be used any more.
  }
};

const withCopies = <T>({ pem }: Certificate, use: (files: TlsFiles) => T): T => {
  const parent = fs.existsSync(memoryDisk) ? memoryDisk : os.tmpdir();
  const folder = fs.mkdtempSync(path.join(parent, 'waymark-tls-'));
  try {
    const files = { certFile: path.join(folder, 'cert'), keyFile: path.join(folder, 'key') };
    const own = { mode: 0o600, encoding: 'latin1' } as const;
    fs.writeFileSync(files.certFile, pem.cert, own);
    fs.writeFileSync(files.keyFile, pem.key, own);
    return use(files);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
};

/** @param use reads the files before it returns; the copies are removed then */
export const withServedFiles = <T>(certificate: Certificate, use: (files: TlsFiles) => T): T =>
  isUnchanged(certificate) ? use(certificate.files) : withCopies(certificate, use);
