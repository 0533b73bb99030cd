/**
 * Lets PostgreSQL's user reach files below a folder that only root may enter, such as /root. Changing the modes of
 * such folders is not our business, and a capability that ignores modes (CAP_DAC_OVERRIDE) would open every file of
 * the machine to PostgreSQL's superuser. So:
 *
 * - the data folder is opened by root and handed over as a file descriptor: `/proc/self/fd/3` leads to it without
 *   checking its parents (proc(5)), and the postmaster's children inherit it;
 * - the programs are copied once to a folder that everyone may read, since PostgreSQL looks up its own path.
 */
import { cp, lchown, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { StartError } from '../../child/part.ts';
import type { PostgresBinaries } from './binaries.ts';
import type { PostgresUser } from './user.ts';

/** The number of a child's first file descriptor after input, output and error. */
const firstFd = 3;

/** Whether the user may enter every folder of the path, including the last. */
const mayReach = async (target: string, { uid, gid }: PostgresUser): Promise<boolean> => {
  let passed = path.parse(target).root;
  for (const name of path.relative(passed, target).split(path.sep)) {
    passed = path.join(passed, name);
    const entry = await stat(passed);
    const needed = entry.uid === uid ? 0o100 : entry.gid === gid ? 0o010 : 0o001;
    if ((entry.mode & needed) === 0) return false;
  }
  return true;
};

export interface Reach {
  /** The path for the user. */
  path: string;
  /** Inherited by the program as its first descriptor after standard error; undefined if the path needs none. */
  fd: number | undefined;
  close(): Promise<void>;
}

/** A file or folder, as the user can open it. A program can have only one that needs a descriptor. */
export const reach = async (target: string, user: PostgresUser | undefined): Promise<Reach> => {
  if (user === undefined || (await mayReach(path.dirname(target), user))) {
    return { path: target, fd: undefined, close: () => Promise.resolve() };
  }
  const handle = await open(target, 'r');
  return { path: `/proc/self/fd/${firstFd}`, fd: handle.fd, close: () => handle.close() };
};

/** If it is not writable, the error names the remedy. */
const copiesFolder = '/var/lib/waymark';

const versionOf = async (root: string): Promise<string> => {
  const { version }: { version: string } = JSON.parse(
    await readFile(path.join(root, '..', 'package.json'), 'utf8'),
  );
  return version;
};

/**
 * The programs at a path where the user may run them: the original, or a copy (60 MB, once per version).
 * @throws {StartError} if they cannot be copied
 */
export const reachBinaries = async (
  binaries: PostgresBinaries,
  user: PostgresUser | undefined,
  copies = copiesFolder,
): Promise<PostgresBinaries> => {
  if (user === undefined || (await mayReach(binaries.postgres, user))) return binaries;
  const root = path.dirname(path.dirname(binaries.postgres));
  const copy = path.join(copies, `postgresql-${await versionOf(root)}`);
  const copied = {
    ...binaries,
    initdb: path.join(copy, 'bin/initdb'),
    postgres: path.join(copy, 'bin/postgres'),
  };
  if (await stat(copied.postgres).then(Boolean, () => false)) return copied;
  const unfinished = `${copy}.${process.pid}`;
  try {
    await mkdir(copies, { recursive: true, mode: 0o755 });
    await cp(root, unfinished, { recursive: true, verbatimSymlinks: true });
    await rename(unfinished, copy);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    // Another start has created it meanwhile.
    if (await stat(copied.postgres).then(Boolean, () => false)) return copied;
    throw new StartError(
      `the system user postgres may not enter ${root}, and its programs cannot be copied to ${copy}: ${error}: move the project to where others may read it, or set DATABASE_URL`,
    );
  }
  return copied;
};

/**
 * Gives a folder and its content to the user if it belongs to another one, such as the one who restored it from a
 * backup.
 */
export const giveFolder = async (dir: string, { uid, gid }: PostgresUser): Promise<void> => {
  if ((await stat(dir)).uid === uid) return;
  for (const entry of await readdir(dir, { recursive: true, withFileTypes: true })) {
    await lchown(path.join(entry.parentPath, entry.name), uid, gid);
  }
  // Last, so that an interrupted start repeats this.
  await lchown(dir, uid, gid);
};
