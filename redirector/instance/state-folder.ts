/**
 * The folder in which a redirector process keeps its spool and its snapshot. A process takes the first numbered folder
 * that no live process holds, so a restart finds the earlier process's folder, and workers need no configured numbers.
 *
 *   DATA_DIR/redirector/0/  lock  held while the process lives, see process-lock.ts
 *                           id    created once: names the folder in Redis, whichever process holds it
 *                           runtime  names its folder in RUNTIME_DIR, see runtime-dir.ts
 *                           spool/, snapshot
 */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { acquireProcessLock, type ProcessLock } from '#shared/process-lock.ts';
import { createRuntimeFolder, takeLeftRuntimeFolder } from './runtime-dir.ts';

export interface StateFolder {
  path: string;
  id: string;
  /** Its folder in RUNTIME_DIR; undefined if it cannot have one, such as on a full disk, which takes no name. */
  runtime: string | undefined;
  /** Why it has none. */
  whyNoRuntime?: unknown;
  /** Lets other processes take it. */
  release(): Promise<void>;
}

const foldersMax = 1024;

/** The folder of all state folders. */
export const stateFoldersOf = (dataDir: string): string => path.join(dataDir, 'redirector');

const idFileOf = (folder: string): string => path.join(folder, 'id');

/** @returns the folder's id, or an empty text if it has none yet. @throws if it cannot be read */
export const readFolderId = (folder: string): Promise<string> =>
  fs.readFile(idFileOf(folder), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });

/** Reads or creates the folder's id. The caller must hold the lock. */
const keepId = async (folder: string): Promise<string> => {
  const kept = await readFolderId(folder);
  if (kept !== '') return kept;
  const file = idFileOf(folder);
  const id = randomUUID();
  // Renamed into place, so that a crash leaves no half-written id.
  await fs.writeFile(`${file}.new`, id);
  await fs.rename(`${file}.new`, file);
  return id;
};

const openFolder = async (folder: string, runtimeDir: string, lock: ProcessLock): Promise<StateFolder> => {
  const id = await keepId(folder);
  let whyNoRuntime: unknown;
  const left = await takeLeftRuntimeFolder(runtimeDir, folder);
  const runtime =
    left ??
    (await createRuntimeFolder(runtimeDir, folder).catch((error: unknown) => {
      whyNoRuntime = error;
    }));
  return {
    path: folder,
    id,
    runtime: runtime?.path,
    whyNoRuntime,
    async release() {
      try {
        await runtime?.release();
      } finally {
        await lock.release();
      }
    },
  };
};

/**
 * Takes an existing folder.
 * @param runtimeDir RUNTIME_DIR
 * @returns undefined if a live process holds it
 * @throws if it cannot be locked or written, or what it has in RUNTIME_DIR cannot be locked
 */
export const takeFolder = async (folder: string, runtimeDir: string): Promise<StateFolder | undefined> => {
  const lock = await acquireProcessLock(path.join(folder, 'lock'));
  if (!lock) return undefined;
  try {
    return await openFolder(folder, runtimeDir, lock);
  } catch (error) {
    await lock.release();
    throw error;
  }
};

/** All folders, held or not, in the order in which processes take them. */
export const listFolders = async (dataDir: string): Promise<string[]> => {
  const parent = stateFoldersOf(dataDir);
  await fs.mkdir(parent, { recursive: true });
  const numbers = (await fs.readdir(parent)).filter((name) => /^\d{1,4}$/.test(name)).map(Number);
  return numbers.sort((a, b) => a - b).map((number) => path.join(parent, String(number)));
};

/**
 * Takes the first free folder that can be used, or creates one. An unusable folder of an earlier process is reported
 * and left for the operator.
 * @param use opens the folder's contents
 * @param onUnusable gets each skipped folder, and the error
 * @returns the result of `use`
 * @throws if a new folder cannot be used either
 */
export const takeStateFolder = async <T>(
  dataDir: string,
  runtimeDir: string,
  use: (folder: StateFolder) => Promise<T>,
  onUnusable: (folder: string, error: unknown) => void,
): Promise<{ folder: StateFolder; used: T }> => {
  const tryFolder = async (candidate: string) => {
    const folder = await takeFolder(candidate, runtimeDir);
    if (!folder) return undefined;
    try {
      return { folder, used: await use(folder) };
    } catch (error) {
      await folder.release();
      throw error;
    }
  };

  const left = await listFolders(dataDir);
  for (const candidate of left) {
    try {
      const taken = await tryFolder(candidate);
      if (taken) return taken;
    } catch (error) {
      onUnusable(candidate, error);
    }
  }
  for (let number = 0; number < foldersMax; number++) {
    const candidate = path.join(stateFoldersOf(dataDir), String(number));
    if (left.includes(candidate)) continue;
    // Another process may create the same folder at the same time: only one of them gets its lock.
    await fs.mkdir(candidate, { recursive: true });
    const taken = await tryFolder(candidate);
    if (taken) return taken;
  }
  throw new Error(`all ${foldersMax} folders in ${stateFoldersOf(dataDir)} are held by other processes`);
};
