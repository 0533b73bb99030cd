/** The steps before the first part starts. */
import path from 'node:path';
import type { Settings } from '#shared/config.ts';
import { acquireProcessLock } from '#shared/process-lock.ts';
import { endLeftoverProcesses } from '../child/leftover-processes.ts';
import { StartError } from '../child/part.ts';
import { prepareDataDir } from '../data-dir/data-dir.ts';
import { checkListeners } from '../ports/listeners.ts';

/** @throws {StartError} if another `npm start` runs on the folder */
const lockFolder = async (dataDir: string): Promise<() => Promise<void>> => {
  const lock = await acquireProcessLock(path.join(dataDir, 'start.lock'));
  if (lock) return () => lock.release();
  throw new StartError(`Waymark already runs on ${dataDir}: stop it, or set DATA_DIR to another folder`);
};

/**
 * Locks the data folder for this process, and checks that the planes' ports are free.
 * @param onStop gets the release of the folder
 * @throws {StartError} naming the obstacle and the remedy
 */
export const prepare = async (
  settings: Settings,
  say: (line: string) => void,
  onStop: (stop: () => unknown) => void,
): Promise<void> => {
  const { dataDir } = settings;
  await prepareDataDir(dataDir);
  // The lock comes before the ports: only its holder may end leftover processes of an earlier run that hold them.
  onStop(await lockFolder(dataDir));
  for (const name of await endLeftoverProcesses(dataDir)) {
    say(`${name} of an earlier run was still there: stopped it`);
  }
  await checkListeners(settings);
};
