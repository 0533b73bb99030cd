/**
 * The longest time for which work occupies its event loop: the thread's CPU time between two iterations of the loop, since
 * on a busy machine wall-clock time includes other processes.
 */
import { existsSync, readFileSync } from 'node:fs';
import v8 from 'node:v8';
import vm from 'node:vm';

/** Linux: nanoseconds of CPU time of this thread. */
const schedstat = '/proc/thread-self/schedstat';

const cpuMs = existsSync(schedstat)
  ? (): number => Number(readFileSync(schedstat, 'latin1').split(' ')[0]) / 1e6
  : (): number => performance.now();

v8.setFlagsFromString('--expose-gc');
/** Garbage of earlier steps is collected before the measurement, not during it. */
const collect: () => void = vm.runInNewContext('gc');

/** The CPU time of a synchronous step. */
export const cpuOf = (step: () => unknown): number => {
  collect();
  const begun = cpuMs();
  step();
  return cpuMs() - begun;
};

/** @returns in milliseconds, with the result of the work */
export const longestStep = async <Made>(
  work: () => Promise<Made>,
): Promise<{ made: Made; stepMs: number }> => {
  collect();
  let stepMs = 0;
  let at = cpuMs();
  let isOver = false;
  const note = (): void => {
    const now = cpuMs();
    stepMs = Math.max(stepMs, now - at);
    at = now;
  };
  const watch = (): void => {
    note();
    if (!isOver) setTimeout(watch, 1);
  };
  setTimeout(watch, 1);
  try {
    const made = await work();
    // The iteration in which the work ends.
    note();
    return { made, stepMs };
  } finally {
    isOver = true;
  }
};
