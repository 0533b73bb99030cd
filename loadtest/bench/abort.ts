/** The end of a command that a signal cuts short: what it started ends, and its temporary folders go, before it exits. */
import { existsSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { hasCode } from '#shared/errors.ts';
import { killChildren } from '../../deploy/embedded/child/part.ts';
import { treeOf } from '../measure/processes.ts';

export interface TemporaryFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/** The folders that exist: a process has one set of them. */
const folders = new Set<string>();

/** Processes that have just been killed may still write. */
const removal = { recursive: true, force: true, maxRetries: 10 };

/** @param name the beginning of the folder's name */
export const makeTemporaryFolder = async (name: string): Promise<TemporaryFolder> => {
  const folder = await mkdtemp(path.join(os.tmpdir(), `waymark-${name}-`));
  folders.add(folder);
  return {
    path: folder,
    async remove() {
      await rm(folder, removal);
      folders.delete(folder);
    },
  };
};

const signal = (pid: number, name: 'SIGSTOP' | 'SIGKILL'): void => {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!hasCode(error, 'ESRCH')) throw error;
  }
};

/**
 * Kills everything below a process. A master that is killed leaves its workers to init, and one that lives starts others: so
 * all are stopped before the first is killed.
 */
export const killBelow = (pid: number): void => {
  const stopped = new Set<number>();
  for (;;) {
    const others = treeOf(pid).filter((each) => each !== pid && !stopped.has(each));
    if (others.length === 0) break;
    for (const each of others) {
      signal(each, 'SIGSTOP');
      stopped.add(each);
    }
  }
  for (const each of stopped) signal(each, 'SIGKILL');
};

const pause = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
};

/** Killed processes, and this one's threads, may still be writing, and make the folder again: so it looks again. */
const removeForGood = (folder: string): void => {
  for (let attempt = 0; attempt < 50; attempt++) {
    try {
      rmSync(folder, removal);
    } catch (error) {
      if (!hasCode(error, 'ENOTEMPTY', 'EBUSY')) throw error;
    }
    pause(50);
    if (!existsSync(folder)) return;
  }
};

/** Kills all processes below this one, and removes its temporary folders. */
export const abortEverything = (): void => {
  killBelow(process.pid);
  // Without /proc, the children themselves.
  killChildren();
  for (const folder of folders) removeForGood(folder);
};
