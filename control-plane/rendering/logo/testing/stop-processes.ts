/** Logos that take too long, however fast or busy the machine is: the processes that prepare them are stopped. */
import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';

/** The logo processes that have started, and said so, and have not ended. */
const started = new Set<ChildProcess>();
let isStopping = false;

const stop = (child: ChildProcess): void => {
  child.kill('SIGSTOP');
};

// Node names each child here as it is made, before it has arguments.
subscribe('child_process', (message) => {
  const { process: child } = message as { process: ChildProcess };
  child.once('message', () => {
    if (!child.spawnargs.some((argument) => argument.endsWith('/logo-process.ts'))) return;
    started.add(child);
    if (isStopping) stop(child);
  });
  child.once('exit', () => started.delete(child));
});

/** Stops the logo processes that have started. */
export const stopProcesses = (): void => {
  for (const child of started) stop(child);
};

/** Stops every logo process that has started, and each that starts meanwhile once it has, until the work is done. */
export const whileStopped = async <T>(work: () => Promise<T>): Promise<T> => {
  isStopping = true;
  stopProcesses();
  try {
    return await work();
  } finally {
    isStopping = false;
    for (const child of started) child.kill('SIGCONT');
  }
};
