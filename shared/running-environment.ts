/**
 * The environment of a running `npm start`, which writes the planes' environment to a file in its DATA_DIR. The admin
 * command reads it, so that it uses the same databases and secret.
 */
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { hasCode } from './errors.ts';

export type Environment = Record<string, string>;

interface Running {
  /** The process of `npm start`. */
  pid: number;
  env: Environment;
}

const fileOf = (dataDir: string): string => path.join(dataDir, 'environment.json');

/** Readable by this user only: it holds passwords and the secret. */
export const writeRunningEnvironment = (dataDir: string, env: Environment): void => {
  const running: Running = { pid: process.pid, env };
  writeFileSync(fileOf(dataDir), JSON.stringify(running, null, 2), { mode: 0o600 });
  // The mode above applies only to a new file.
  chmodSync(fileOf(dataDir), 0o600);
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is running as another user.
    return hasCode(error, 'EPERM');
  }
};

/** The environment of the running `npm start`; undefined if there is none. */
export const readRunningEnvironment = (dataDir: string): Environment | undefined => {
  try {
    const running: Running = JSON.parse(readFileSync(fileOf(dataDir), 'utf8'));
    return isAlive(running.pid) ? running.env : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
};

export const removeRunningEnvironment = (dataDir: string): void => rmSync(fileOf(dataDir), { force: true });
