/**
 * RUNTIME_DIR: the folder for what must outlive a process, but not the machine: the journals of answered scans
 * (recording/journal.ts).
 *
 *   RUNTIME_DIR/<random>/    of one state folder, which names it in its file `runtime`
 *
 * By default it is on /dev/shm, which no disk can hold up. Only the holder of a state folder uses what that names, so two
 * containers that share DATA_DIR, RUNTIME_DIR or both never take each other's. A holder that does not find what the state folder
 * names, since the last one had another RUNTIME_DIR, gives the state folder a new name: the last one's memory is never taken
 * after its rows on disk have been sent.
 */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from '#shared/logger.ts';

export interface RuntimeDir {
  path: string;
  /** Whether a restart of the container keeps it; true without a container. */
  outlivesContainer: boolean;
}

const sharedMemory = '/dev/shm';

const permissions = 0o700;

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

/**
 * Creates RUNTIME_DIR, or finds the default.
 * @param configured undefined for the default: a folder of this user on /dev/shm, or DATA_DIR if the system has none
 * @throws if it cannot be created, or other users may write to it
 */
export const openRuntimeDir = async (
  configured: string | undefined,
  dataDir: string,
): Promise<RuntimeDir> => {
  const hasSharedMemory = process.platform === 'linux' && (await exists(sharedMemory));
  const fallback = hasSharedMemory
    ? path.join(sharedMemory, `waymark-${process.getuid?.() ?? 0}`)
    : path.join(dataDir, 'runtime');
  const folder = configured ?? fallback;
  await createOwn(folder);
  const outlivesContainer = configured !== undefined || !hasSharedMemory || !(await isInContainer());
  return { path: folder, outlivesContainer };
};

/** Warns if a killed container loses scans. */
export const warnIfLost = ({ path: folder, outlivesContainer }: RuntimeDir, logger: Logger): void => {
  if (outlivesContainer) return;
  logger.warn(
    { folder },
    'RUNTIME_DIR ends with this container: if the container is killed, up to 20 ms of scans are lost. Mount a memory volume, and set RUNTIME_DIR to it',
  );
};

const readText = (file: string): Promise<string> =>
  fs.readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });

/** Renamed into place, so that a crash leaves no half-written text. */
const writeText = async (file: string, text: string): Promise<void> => {
  const unfinished = `${file}.${randomUUID()}`;
  await fs.writeFile(unfinished, text);
  await fs.rename(unfinished, file);
};

const nameFileOf = (stateFolder: string): string => path.join(stateFolder, 'runtime');

/**
 * Finds or creates the memory of a state folder. The caller must hold its lock.
 * @returns its path
 */
export const runtimeFolderOf = async (runtimeDir: string, stateFolder: string): Promise<string> => {
  const named = await readText(nameFileOf(stateFolder));
  if (named !== '' && (await exists(path.join(runtimeDir, named)))) return path.join(runtimeDir, named);
  const name = randomUUID();
  await writeText(nameFileOf(stateFolder), name);
  const folder = path.join(runtimeDir, name);
  await fs.mkdir(folder, { recursive: true, mode: permissions });
  return folder;
};

/** Removes the memory of a state folder if nothing is in it. The caller must hold the lock. */
export const removeIfEmpty = async (folder: string): Promise<void> => {
  try {
    for (const part of await fs.readdir(folder)) await fs.rmdir(path.join(folder, part));
    await fs.rmdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOTEMPTY' && code !== 'ENOENT') throw error;
  }
};
