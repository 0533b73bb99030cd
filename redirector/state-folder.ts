/**
 * The folder in which one redirector process keeps its spool and its snapshot. A process takes the first numbered
 * folder that no living process holds, so that restarts find what was left and no configuration numbers the workers.
 */
import fs from 'node:fs';
import path from 'node:path';
import { acquireProcessLock, type ProcessLock } from '#shared/process-lock.ts';

export interface StateFolder {
  path: string;
  lock: ProcessLock;
}

const foldersMax = 1024;

/** Takes the folder, or returns undefined where a living process holds it. */
const take = async (folder: string): Promise<StateFolder | undefined> => {
  const lock = await acquireProcessLock(folder);
  return lock && { path: folder, lock };
};

/** @throws when the folder cannot be made */
export const takeStateFolder = async (dataDir: string): Promise<StateFolder> => {
  const parent = path.join(dataDir, 'redirector');
  fs.mkdirSync(parent, { recursive: true });
  for (let index = 0; index < foldersMax; index++) {
    const taken = await take(path.join(parent, String(index)));
    if (taken) {
      fs.mkdirSync(taken.path, { recursive: true });
      return taken;
    }
  }
  throw new Error(`all ${foldersMax} folders in ${parent} are held by other processes`);
};

/** Folders that processes have left and nobody took again: their scans must still be sent. */
export const takeOrphanedFolders = async (dataDir: string): Promise<StateFolder[]> => {
  const parent = path.join(dataDir, 'redirector');
  const names = fs.readdirSync(parent).filter((name) => /^\d+$/.test(name));
  const taken = await Promise.all(names.map((name) => take(path.join(parent, name))));
  return taken.filter((folder) => folder !== undefined);
};
