/** Logos that take too long, however fast the machine is: the processes that prepare them are stopped (Linux). */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasCode } from '#shared/errors.ts';

/** Whether this machine tells the children of a process. */
export const canStopProcesses = existsSync('/proc/self/task');

/** The logo processes that this process has now. */
const findProcesses = async (): Promise<number[]> => {
  const children = await readFile(`/proc/self/task/${process.pid}/children`, 'utf8');
  const found: number[] = [];
  for (const pid of children.split(' ').filter(Boolean).map(Number)) {
    try {
      if ((await readFile(`/proc/${pid}/cmdline`, 'utf8')).includes('/logo/')) found.push(pid);
    } catch (error) {
      // It has just ended.
      if (!hasCode(error, 'ENOENT', 'ESRCH')) throw error;
    }
  }
  return found;
};

const signal = (pid: number, name: 'SIGSTOP' | 'SIGCONT'): void => {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!hasCode(error, 'ESRCH')) throw error;
  }
};

/** Stops the logo processes that this process has now. */
export const stopProcesses = async (): Promise<void> => {
  for (const pid of await findProcesses()) signal(pid, 'SIGSTOP');
};

/** After so long a process has started, and draws. A tangled logo takes longer. */
const startedAfterMs = 700;

/** Stops every logo process once it has started, those that are started meanwhile as well, until the work is done. */
export const whileStopped = async <T>(work: () => Promise<T>): Promise<T> => {
  let isDone = false;
  const seenAtMs = new Map<number, number>();
  const stopping = (async () => {
    while (!isDone) {
      const nowMs = performance.now();
      for (const pid of await findProcesses()) {
        if (!seenAtMs.has(pid)) seenAtMs.set(pid, nowMs);
        if (nowMs - seenAtMs.get(pid)! >= startedAfterMs) signal(pid, 'SIGSTOP');
      }
      await sleep(20);
    }
  })();
  try {
    return await work();
  } finally {
    isDone = true;
    await stopping;
    for (const pid of await findProcesses()) signal(pid, 'SIGCONT');
  }
};
