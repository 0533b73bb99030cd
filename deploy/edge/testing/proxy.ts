/**
 * The proxies of this folder under test: the configuration files for operators, with the test's ports and folders.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import { makeCertificate } from '../../testing/certificate.ts';
import { afterFile } from '../../testing/local.ts';

/**
 * A certificate for both names, at the paths in the configurations.
 * @returns it as PEM
 */
export const placeCertificate = async (folder: string): Promise<string> => {
  const { certFile, keyFile, cert } = await makeCertificate(folder, {
    names: ['qr.example.com', 'api.example.com'],
  });
  await copyFile(certFile, path.join(folder, 'certificate.pem'));
  await copyFile(keyFile, path.join(folder, 'key.pem'));
  await writeFile(path.join(folder, 'certificate-and-key.pem'), cert + (await readFile(keyFile, 'utf8')));
  return cert;
};

/**
 * Writes a configuration into a folder.
 * @param changes texts, which must all be in the file, with their replacements
 */
export const configure = async (
  folder: string,
  name: string,
  changes: Record<string, string>,
): Promise<string> => {
  let text = await readFile(path.join(import.meta.dirname, '..', name), 'utf8');
  for (const [given, own] of Object.entries(changes)) {
    expect(text).toContain(given);
    text = text.replaceAll(given, own);
  }
  const file = path.join(folder, name);
  await writeFile(file, text);
  return file;
};

export interface RunningProxy {
  /** Its output so far. */
  said(): string;
  hasEnded(): boolean;
  stop(): Promise<void>;
}

/** Runs until the end of the test file at the latest. */
export const startProxy = (command: string, args: string[], env: NodeJS.ProcessEnv = {}): RunningProxy => {
  const child: ChildProcess = spawn(command, args, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await exited;
  };
  afterFile(stop);
  return { said: () => output, hasEnded: () => child.exitCode !== null, stop };
};

/** @param folder a writable folder */
export const startNginx = (folder: string, file: string): RunningProxy =>
  startProxy('nginx', ['-p', folder, '-c', file, '-g', `daemon off; pid ${file}.pid; error_log stderr;`]);
