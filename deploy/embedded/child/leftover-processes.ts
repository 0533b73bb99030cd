/**
 * The children of a run that was killed. Each child is recorded in a file while it runs, so that the next run finds it, checks
 * that it is the same process, and ends it.
 */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning, type ProcessIdentity, startOfProcess } from './process-identity.ts';

interface Remembered extends ProcessIdentity {
  stopSignal: NodeJS.Signals;
}

const folderOf = (home: string): string => path.join(home, 'run');

/** How long a leftover process may take to stop before it is killed. */
const stopTimeoutMs = 10_000;

/**
 * Records that a child runs.
 * @returns removes the record
 */
export const rememberProcess = async (
  home: string,
  name: string,
  pid: number,
  stopSignal: NodeJS.Signals,
): Promise<() => Promise<void>> => {
  const file = path.join(folderOf(home), `${name}.json`);
  const start = await startOfProcess(pid);
  // It has ended already.
  if (start === null) return () => Promise.resolve();
  const remembered: Remembered = { pid, start, stopSignal };
  await mkdir(folderOf(home), { recursive: true });
  await writeFile(file, JSON.stringify(remembered));
  return () => rm(file, { force: true });
};

const readRemembered = async (file: string): Promise<Remembered | undefined> => {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    // The kill cut the file off: nothing proves that its process is ours.
    return undefined;
  }
};

const end = async (leftover: Remembered): Promise<void> => {
  const deadline = performance.now() + stopTimeoutMs;
  if (await isRunning(leftover)) process.kill(leftover.pid, leftover.stopSignal);
  while (await isRunning(leftover)) {
    if (performance.now() > deadline) process.kill(leftover.pid, 'SIGKILL');
    await sleep(20);
  }
};

/** Ends every child of an earlier run that still runs; resolves with their names once they are gone. */
export const endLeftoverProcesses = async (home: string): Promise<string[]> => {
  const folder = folderOf(home);
  await mkdir(folder, { recursive: true });
  const ended: string[] = [];
  for (const name of await readdir(folder)) {
    const file = path.join(folder, name);
    const leftover = await readRemembered(file);
    if (leftover && (await isRunning(leftover))) {
      await end(leftover);
      ended.push(path.parse(name).name);
    }
    await rm(file, { force: true });
  }
  return ended;
};
