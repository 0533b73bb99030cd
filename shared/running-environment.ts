/**
 * The instance that runs on a DATA_DIR: `npm start` writes the planes' environment to a file, and the admin command reads
 * it, so that it uses the same databases and the same secret.
 */
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export type InstanceEnvironment = Record<string, string>;

interface Instance {
  pid: number;
  env: InstanceEnvironment;
}

const fileOf = (dataDir: string): string => path.join(dataDir, 'environment.json');

/** Readable by this user only: it holds passwords and the secret. */
export const writeInstance = (dataDir: string, env: InstanceEnvironment): void => {
  const instance: Instance = { pid: process.pid, env };
  writeFileSync(fileOf(dataDir), JSON.stringify(instance, null, 2), { mode: 0o600 });
  // The mode above applies to a new file only.
  chmodSync(fileOf(dataDir), 0o600);
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs, as another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
};

/** The environment of the running instance; undefined when none runs. */
export const readInstance = (dataDir: string): InstanceEnvironment | undefined => {
  try {
    const instance: Instance = JSON.parse(readFileSync(fileOf(dataDir), 'utf8'));
    return isAlive(instance.pid) ? instance.env : undefined;
  } catch (error) {
    if (
      error instanceof SyntaxError ||
      (error instanceof Error && 'code' in error && error.code === 'ENOENT')
    ) {
      return undefined;
    }
    throw error;
  }
};

export const removeInstance = (dataDir: string): void => rmSync(fileOf(dataDir), { force: true });
