/**
 * RUNTIME_DIR: the folder for what must outlive a process, but not the machine: the journals of answered scans
 * (recording/journal.ts).
 *
 *   RUNTIME_DIR/<id of DATA_DIR>.<random>/    of one state folder, which names it in its file `runtime`
 *   RUNTIME_DIR/<id of DATA_DIR>.<random>.lock    held while a process uses it, see process-lock.ts
 *
 * By default it is on /dev/shm, which no disk can hold up. Only the holder of a state folder uses what that names, so two
 * containers that share DATA_DIR, RUNTIME_DIR or both never take each other's. A holder that does not find what the state folder
 * names, since the last one had another RUNTIME_DIR, gives the state folder a new name: the last one's memory is never taken
 * after its rows on disk have been sent. It has a lock of its own, for a copy of DATA_DIR that names the same.
 */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from '#shared/logger.ts';
import { acquireProcessLock } from '#shared/process-lock.ts';

export interface RuntimeDir {
  path: string;
  /** Whether a restart of the container keeps it; true without a container. */
  outlivesContainer: boolean;
  /** Why it is in DATA_DIR; undefined if it is not. */
  whyOnDisk?: unknown;
}

/** What one state folder has in RUNTIME_DIR. */
export interface RuntimeFolder {
  path: string;
  /** Removes it if nothing is in it, and lets other processes take it. */
  release(): Promise<void>;
}

const sharedMemory = '/dev/shm';

const permissions = 0o700;

/** Beside the folder: SQLite puts another file beside it. */
const lockOf = (folder: string): string => `${folder}.lock`;

const exists = (file: string): Promise<boolean> =>
  fs.access(file).then(
    () => true,
    () => false,
  );

/** Whether this process is in a container, by the files that Docker, Podman and Kubernetes put there. */
const isInContainer = async (): Promise<boolean> => {
  const signs = ['/.dockerenv', '/run/.containerenv', '/var/run/secrets/kubernetes.io'];
  return (await Promise.all(signs.map(exists))).includes(true);
};

/** Creates it for this user alone. @throws if it belongs to another user: /dev/shm is open to all */
const createOwn = async (folder: string): Promise<void> => {
  await fs.mkdir(folder, { recursive: true, mode: permissions });
  const { uid, mode } = await fs.lstat(folder);
  const me = process.getuid?.();
  if (me !== undefined && uid !== me) throw new Error(`RUNTIME_DIR ${folder} belongs to another user`);
  if ((mode & 0o022) !== 0) throw new Error(`RUNTIME_DIR ${folder} can be written by other users`);
};

/** A folder of this user on tmpfs; in DATA_DIR if the system has no tmpfs that this user can write to. */
const openDefault = async (dataDir: string, memory: string): Promise<RuntimeDir> => {
  const folder = path.join(memory, `waymark-${process.getuid?.() ?? 0}`);
  try {
    await fs.access(memory);
    await createOwn(folder);
    return { path: folder, outlivesContainer: !(await isInContainer()) };
  } catch (error) {
    const onDisk = path.join(dataDir, 'runtime');
    await createOwn(onDisk);
    return { path: onDisk, outlivesContainer: true, whyOnDisk: error };
  }
};

/**
 * Creates RUNTIME_DIR, or finds the default.
 * @param configured undefined for the default: a folder of this user on /dev/shm, or else in DATA_DIR, where a disk that hangs may
 *   hold up scans
 * @param memory where tmpfs is
 * @throws if it cannot be created, or other users may write to it
 */
export const openRuntimeDir = async (
  configured: string | undefined,
  dataDir: string,
  memory = sharedMemory,
): Promise<RuntimeDir> => {
  if (configured === undefined) return openDefault(dataDir, memory);
  await createOwn(configured);
  return { path: configured, outlivesContainer: true };
};

/** Warns if a killed container loses scans, or if a disk may hold scans up. */
export const warnOfDefault = (
  { path: folder, outlivesContainer, whyOnDisk }: RuntimeDir,
  logger: Logger,
): void => {
  if (whyOnDisk !== undefined) {
    logger.warn(
      { folder, err: whyOnDisk },
      'RUNTIME_DIR is in DATA_DIR, since /dev/shm cannot be used: while the disk hangs, scans may wait for it',
    );
  }
  if (outlivesContainer) return;
  logger.warn(
    { folder },
    'RUNTIME_DIR ends with this container: if the container is killed, up to 20 ms of scans are lost. Mount a memory volume, and set RUNTIME_DIR to it',
  );
};

const readText = (file: string): Promise<string> =>
  fs.readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return '';
    throw error;
  });

/** Renamed into place, so that a crash leaves no half-written text. If it is not written, the last text does not stay either. */
const replaceText = async (file: string, text: string): Promise<void> => {
  const unfinished = `${file}.${randomUUID()}`;
  try {
    await fs.writeFile(unfinished, text);
    await fs.rename(unfinished, file);
  } catch (error) {
    // A full disk takes an empty file at each start, and no text.
    for (const each of [unfinished, file]) await fs.rm(each, { force: true });
    throw error;
  }
};

/** Creates a file that several processes may want to create: the first one's text stays. @returns its text */
const keepText = async (file: string, text: string): Promise<string> => {
  const unfinished = `${file}.${randomUUID()}`;
  await fs.writeFile(unfinished, text);
  await fs.link(unfinished, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await fs.rm(unfinished);
  return fs.readFile(file, 'utf8');
};

/** The beginning of the names that belong to a DATA_DIR. */
const prefixOf = async (stateFolders: string): Promise<string> => {
  const file = `${stateFolders}.id`;
  return `${(await readText(file)) || (await keepText(file, randomUUID()))}.`;
};

const readName = (stateFolder: string): Promise<string> => readText(nameFileOf(stateFolder));

const nameFileOf = (stateFolder: string): string => path.join(stateFolder, 'runtime');

/** Where the memory of a state folder is, if it has one; it may be of another machine. */
export const findRuntimeFolder = async (
  runtimeDir: string,
  stateFolder: string,
): Promise<string | undefined> => {
  const name = await readName(stateFolder);
  return name === '' ? undefined : path.join(runtimeDir, name);
};

/** Removes it if nothing is in it, with its lock, which the caller must hold. */
const removeIfEmpty = async (folder: string): Promise<void> => {
  try {
    for (const part of await fs.readdir(folder)) await fs.rmdir(path.join(folder, part));
    await fs.rmdir(folder);
    await fs.rm(lockOf(folder), { force: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOTEMPTY' && code !== 'ENOENT') throw error;
  }
};

/** @returns undefined if a live process holds it */
const hold = async (folder: string): Promise<RuntimeFolder | undefined> => {
  const lock = await acquireProcessLock(lockOf(folder));
  return (
    lock && {
      path: folder,
      async release() {
        try {
          await removeIfEmpty(folder);
        } finally {
          await lock.release();
        }
      },
    }
  );
};

/**
 * Takes what the last holder of a state folder left in RUNTIME_DIR. The caller must hold the lock of the state folder.
 * @returns undefined if it left nothing here
 * @throws if it cannot be locked: without its rows, those on disk must not be sent
 */
export const takeLeftRuntimeFolder = async (
  runtimeDir: string,
  stateFolder: string,
): Promise<RuntimeFolder | undefined> => {
  const found = await findRuntimeFolder(runtimeDir, stateFolder);
  // A process that holds it uses the DATA_DIR that this one was copied from.
  return found !== undefined && (await exists(found)) ? hold(found) : undefined;
};

/**
 * Creates a place in RUNTIME_DIR for a state folder. The caller must hold the lock of the state folder.
 * @throws if the disk does not take its name, or RUNTIME_DIR not the place: the state folder may then have no name
 */
export const createRuntimeFolder = async (
  runtimeDir: string,
  stateFolder: string,
): Promise<RuntimeFolder> => {
  const name = `${await prefixOf(path.dirname(stateFolder))}${randomUUID()}`;
  await replaceText(nameFileOf(stateFolder), name);
  const folder = path.join(runtimeDir, name);
  await fs.mkdir(folder, { recursive: true, mode: permissions });
  const created = await hold(folder);
  if (!created) throw new Error(`another process has locked ${folder}, which is new`);
  return created;
};

const bytesIn = async (folder: string): Promise<number> => {
  const entries = await fs.readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = files.map(async ({ parentPath, name }) => (await fs.stat(path.join(parentPath, name))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
};

/**
 * Removes what no state folder names any more and is empty. What is not empty stays for the operator, and the log names it: a
 * process with another RUNTIME_DIR has taken over the state folder since, and has sent what was on disk; or a copy of this
 * DATA_DIR has left it.
 * @param stateFolders the folder of all state folders of a DATA_DIR
 */
export const removeUnnamed = async (
  runtimeDir: string,
  stateFolders: string,
  logger: Logger,
): Promise<void> => {
  await fs.mkdir(stateFolders, { recursive: true });
  const prefix = await prefixOf(stateFolders);
  // Before the names: a folder is named before it is created.
  const entries = await fs.readdir(runtimeDir, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory() && entry.name.startsWith(prefix));
  const named = await Promise.all(
    (await fs.readdir(stateFolders)).map((name) => readName(path.join(stateFolders, name))),
  );
  for (const { name } of folders) {
    const held = named.includes(name) ? undefined : await hold(path.join(runtimeDir, name));
    if (held === undefined) continue;
    const bytes = await bytesIn(held.path);
    if (bytes > 0)
      logger.error(
        { folder: held.path, bytes },
        'no state folder names this folder of RUNTIME_DIR: scans in it that were not on disk are not sent; delete it once you have looked',
      );
    await held.release();
  }
};
