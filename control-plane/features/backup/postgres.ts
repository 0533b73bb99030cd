/** PostgreSQL in a backup: a dump by pg_dump, which pg_restore restores in one transaction. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { hasCode } from '#shared/errors.ts';
import { VerbFailure } from '../../framework/verb.ts';
import type { Queryable } from '../../platform/db/pool.ts';

export const dumpKey = 'postgres.dump';

type Program = 'pg_dump' | 'pg_restore';

/** The end of what a program says is enough. */
const saidMax = 4_000;

/**
 * The major version of a program on the PATH.
 * @param least the version that it must have
 * @throws {VerbFailure} if it is missing or older
 */
export const requireProgram = async (name: Program, least: number, because: string): Promise<number> => {
  const install = `install PostgreSQL's client programs of version ${least} or later (in Debian: postgresql-client-${least})`;
  try {
    const { stdout } = await promisify(execFile)(name, ['--version']);
    const version = Number(/(\d+)/.exec(stdout)?.[1]);
    if (version >= least) return version;
    throw new VerbFailure(
      `${name} on the PATH is of version ${version}, and ${because} of ${least}: ${install}`,
    );
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
    throw new VerbFailure(`${name} is not on the PATH: ${install}`, { cause: error });
  }
};

export const serverVersion = async (db: Queryable): Promise<number> => {
  const { rows } = await db.query<{ server_version_num: string }>('SHOW server_version_num');
  return Math.floor(Number(rows[0]!.server_version_num) / 10_000);
};

/** How many tables the database has, not only Waymark's. */
export const countTables = async (db: Queryable): Promise<number> => {
  const { rows } = await db.query<{ tables: number }>(
    `SELECT count(*)::integer AS tables FROM pg_class
     WHERE relkind IN ('r', 'p') AND relnamespace::regnamespace::text !~ '^(pg_|information_schema)'`,
  );
  return rows[0]!.tables;
};

/** Starts a program that connects to the database; the password is not in its arguments, which every user can read. */
const start = (name: Program, args: string[], databaseUrl: string, stdin: 'pipe' | 'ignore') => {
  const url = new URL(databaseUrl);
  const password = decodeURIComponent(url.password);
  url.password = '';
  return spawn(name, [...args, `--dbname=${url.href}`], {
    env: { ...process.env, ...(password !== '' && { PGPASSWORD: password }) },
    stdio: [stdin, stdin === 'pipe' ? 'ignore' : 'pipe', 'pipe'],
  });
};

/** @returns the code that the program ends with, and a function for the last that it said */
const observe = (child: ChildProcess) => {
  let said = '';
  child.stderr?.on('data', (chunk) => {
    said = `${said}${chunk}`.slice(-saidMax);
  });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  // It is awaited later than it may fail.
  ended.catch(() => undefined);
  return { ended, said: () => said.trim() };
};

/** The bytes of a dump. @throws {VerbFailure} if pg_dump fails, however much of it was read */
export async function* dump(databaseUrl: string): AsyncGenerator<Uint8Array> {
  const args = ['--format=custom', '--no-owner', '--no-privileges'];
  const child = start('pg_dump', args, databaseUrl, 'ignore');
  const { ended, said } = observe(child);
  try {
    yield* child.stdout!;
    if ((await ended) !== 0) throw new VerbFailure(`pg_dump failed: ${said()}`);
  } finally {
    child.kill();
  }
}

/** Restores a dump into an empty database, wholly or not at all. @throws {VerbFailure} if pg_restore fails */
export const restoreDump = async (databaseUrl: string, source: AsyncIterable<Uint8Array>): Promise<void> => {
  const args = ['--no-owner', '--no-privileges', '--exit-on-error', '--single-transaction'];
  const child = start('pg_restore', args, databaseUrl, 'pipe');
  const { ended, said } = observe(child);
  const sent = pipeline(source, child.stdin!).then(
    () => undefined,
    (error: unknown) => error,
  );
  const [failure, code] = await Promise.all([sent, ended]);
  if (failure instanceof VerbFailure) throw failure;
  if (code !== 0) throw new VerbFailure(`pg_restore failed, and PostgreSQL is as it was: ${said()}`);
  if (failure !== undefined) throw failure;
};
