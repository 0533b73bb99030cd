/**
 * Finds the state folders that hold segments, on disk or in the journal, when a process starts, before it is known which
 * of them other processes send.
 */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { unopened } from '../instance/membership-script.ts';
import { findRuntimeFolder } from '../instance/runtime-dir.ts';
import { listFolders, readFolderId } from '../instance/state-folder.ts';
import { isSegment } from './recovery.ts';

const holdsSegments = async (folder: string): Promise<boolean> => {
  try {
    return (await fs.readdir(folder)).some(isSegment);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A folder that cannot be read may hold segments.
    return code !== 'ENOENT' && code !== 'ENOTDIR';
  }
};

export interface UnopenedFolder {
  path: string;
  id: string;
}

/**
 * Does not lock or change any folder.
 * @param spool the folder of the segments in each state folder
 * @returns each folder with its name in the membership: the same at every start, and never the name of the folder's holder
 * @throws if DATA_DIR cannot be read
 */
export const findUnopenedFolders = async (
  dataDir: string,
  runtimeDir: string,
  spool: string,
): Promise<UnopenedFolder[]> => {
  const found: UnopenedFolder[] = [];
  for (const folder of await listFolders(dataDir)) {
    const runtime = await findRuntimeFolder(runtimeDir, folder);
    const places = runtime === undefined ? [folder] : [folder, runtime];
    const holds = await Promise.all(places.map((place) => holdsSegments(path.join(place, spool))));
    if (!holds.includes(true)) continue;
    found.push({ path: folder, id: unopened((await readFolderId(folder)) || randomUUID()) });
  }
  return found;
};
