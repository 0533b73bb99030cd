/** Logos that take too long on any machine, however fast or busy: the processes that prepare them are stopped. */
import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';

/** The logo processes that have reported their start and not ended. */
const started = new Set<ChildProcess>();
let isStopping = false;

const stop = (child: ChildProcess): void => {
  child.kill('SIGSTOP');
};

// Node announces each child here when it is created, before it has arguments.
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

/** Stops every started logo process, and each further one once it has started, until the work is done. */
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
