/** PostgreSQL 18 as a child process, bound to 127.0.0.1, with a password. */
import { execFile } from 'node:child_process';
import { chown, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { hasSetpriv, type Part, StartError, startChild, untilReady } from './part.ts';
import { findPostgresBinaries, type PostgresBinaries } from './postgres-binaries.ts';
import { findPostgresUser, type PostgresUser } from './postgres-user.ts';
import { commandLineOf } from './process-identity.ts';

const run = promisify(execFile);

export interface PostgresOptions {
  /** Everything is below it: postgres/ holds the data. */
  home: string;
  port: number;
  password: string;
  /** Created if it does not exist. */
  database: string;
  /** False for data that nobody misses: nothing waits for the disk. */
  durable?: boolean;
}

const exists = async (dir: string): Promise<boolean> => {
  try {
    return (await readdir(dir)).includes('PG_VERSION');
  } catch {
    return false;
  }
};

const initialise = async (
  dir: string,
  { password, durable = true }: PostgresOptions,
  { initdb }: PostgresBinaries,
  user: PostgresUser | undefined,
): Promise<void> => {
  // Made beside and renamed, so that a start that was interrupted does not leave half a database behind.
  const unfinished = `${dir}.unfinished`;
  const passwordFile = `${dir}.password`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  if (user) await Promise.all([unfinished, passwordFile].map((file) => chown(file, user.uid, user.gid)));
  const args = [
    `--pgdata=${unfinished}`,
    `--pwfile=${passwordFile}`,
    '--username=postgres',
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // Sorts by code point, on every machine alike; the machine's own locales differ.
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    ...(durable ? [] : ['--no-sync']),
  ];
  try {
    const env = { PATH: process.env.PATH, LC_ALL: 'C' };
    await (user && hasSetpriv()
      ? run('setpriv', [...user.privileges, initdb, ...args], { env })
      : run(initdb, args, { env }));
    await rename(unfinished, dir);
  } catch (error) {
    const detail = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error);
    throw new StartError(
      `PostgreSQL cannot create its database in ${dir}: ${detail.split('\n').slice(-2).join(' ')}`,
    );
  } finally {
    await rm(passwordFile, { force: true });
  }
};

const settings = ({ port, durable = true }: PostgresOptions): string[] => {
  const values = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    // No socket file: its path is limited to 107 bytes, and a folder may lie deeper.
    unix_socket_directories: '',
    max_connections: '200',
    log_timezone: 'UTC',
    timezone: 'UTC',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
};

const urlOf = ({ port, password }: PostgresOptions, database: string): string =>
  `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;

/** Runs one statement as the superuser. */
export const queryOnce = async (
  url: string,
  sql: string,
  values: unknown[] = [],
): Promise<pg.QueryResult> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  // A connection that breaks also fails the query that waits on it.
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
): Promise<Part> => {
  const childOptions = {
    name: 'postgres',
    command: postgres,
    args: ['-D', dir, ...settings(options)],
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
    home: options.home,
    // A fast shutdown: open connections are ended.
    stopSignal: 'SIGINT' as const,
    stopTimeoutMs: 10_000,
    privileges: user?.privileges ?? [],
  };
  const child = await startChild(childOptions);
  await untilReady(childOptions, child, () => queryOnce(urlOf(options, 'postgres'), 'SELECT 1'), 60_000);
  return { name: 'postgres', url: urlOf(options, options.database), ...child };
};

/** The pid of a server that says it owns the folder; it may have died since. */
const ownerOf = async (dir: string): Promise<number | undefined> => {
  try {
    return Number((await readFile(path.join(dir, 'postmaster.pid'), 'utf8')).split('\n')[0]);
  } catch {
    return undefined;
  }
};

/** The command line proves it: a pid in a file may by now be anybody's. */
const isServerOf = async (dir: string, pid: number): Promise<boolean> =>
  (await commandLineOf(pid)).includes(` -D ${dir} `);

/**
 * Clears the way after a run that was killed: stops the server that it left behind, and removes the pid file of one
 * that is gone. PostgreSQL itself would take any process of this user that now has that pid for the server.
 */
const stopOrphan = async (dir: string): Promise<void> => {
  const pid = await ownerOf(dir);
  if (pid === undefined) return;
  if (await isServerOf(dir, pid)) process.kill(pid, 'SIGINT');
  for (let waitedMs = 0; waitedMs < 10_000 && (await isServerOf(dir, pid)); waitedMs += 50) await sleep(50);
  if (!(await isServerOf(dir, pid))) await rm(path.join(dir, 'postmaster.pid'), { force: true });
};

/**
 * Starts PostgreSQL in a folder, which is created and initialised the first time.
 * @throws {StartError} when it does not start
 */
export const startPostgres = async (options: PostgresOptions): Promise<Part> => {
  const binaries = await findPostgresBinaries();
  const dir = path.join(options.home, 'postgres');
  await mkdir(options.home, { recursive: true });
  const user = await findPostgresUser([binaries.postgres, options.home]);
  if (!(await exists(dir))) await initialise(dir, options, binaries, user);
  await stopOrphan(dir);
  let part: Part;
  try {
    part = await launch(dir, options, binaries, user);
  } catch {
    // Refused once while the last memory segment of a server that was just killed goes away.
    await sleep(500);
    part = await launch(dir, options, binaries, user);
  }
  await createDatabase(options);
  return part;
};

const createDatabase = async (options: PostgresOptions): Promise<void> => {
  const admin = urlOf(options, 'postgres');
  const found = await queryOnce(admin, 'SELECT FROM pg_database WHERE datname = $1', [options.database]);
  if (found.rowCount === 0)
    await queryOnce(admin, `CREATE DATABASE ${pg.escapeIdentifier(options.database)}`);
};
