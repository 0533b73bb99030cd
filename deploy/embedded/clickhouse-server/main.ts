/**
 * The embedded ClickHouse: one process that owns the data folder. Its options are one line of JSON on standard input, so
 * that the password is in no command line; it stops when that input ends, as it does when its parent is killed.
 */
import { mkdirSync, readdirSync, unlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { messageOf } from '#shared/errors.ts';
import { startOfProcess } from '../child/process-identity.ts';
import { type Engine, openEngine } from './engine.ts';
import { createServer } from './server.ts';

export interface Options {
  dir: string;
  port: number;
  user: string;
  password: string;
}

/** Prints one line for the parent, and exits. */
const fail = (message: string): never => {
  console.error(message);
  process.exit(1);
};

/** The process that has the folder open, from the engine's status file. */
const ownerOf = async (dir: string): Promise<number | undefined> => {
  try {
    const pid = Number(/^PID: (\d+)/m.exec(await readFile(path.join(dir, 'status'), 'utf8'))?.[1]);
    return (await startOfProcess(pid)) === null ? undefined : pid;
  } catch {
    return undefined;
  }
};

const open = async (dir: string): Promise<Engine> => {
  const owner = await ownerOf(dir);
  try {
    return openEngine(dir);
  } catch (error) {
    // The engine prints its reasons only to standard error; its lock file reveals the one that is not a fault.
    return fail(
      owner === undefined
        ? `ClickHouse cannot open ${dir}: ${messageOf(error)}`
        : `ClickHouse: process ${owner} has ${dir} open: stop it, or choose another DATA_DIR`,
    );
  }
};

/** The folder for incoming rows. Leftovers of a killed run were never acknowledged. */
const emptyFolder = (folder: string): string => {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) unlinkSync(path.join(folder, name));
  return folder;
};

const serve = async ({ dir, port, user, password }: Options): Promise<void> => {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const engine = await open(dir);
  const folder = emptyFolder(path.join(dir, 'incoming'));
  const server = createServer({ engine, user, password, folder });
  server.once('error', (error) => fail(`ClickHouse cannot listen on 127.0.0.1:${port}: ${error.message}`));
  server.listen(port, '127.0.0.1', () => console.log(`ClickHouse ${engine.version} is ready on ${port}`));
  const stop = () => {
    server.close(() => engine.close().then(() => process.exit(0)));
    server.closeIdleConnections();
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  input.once('close', stop);
};

const input = createInterface({ input: process.stdin });
input.once('line', (line) => {
  const options: Options = JSON.parse(line);
  serve(options).catch((error) => fail(`ClickHouse cannot start in ${options.dir}: ${error}`));
});
