/**
 * The longest time for which work keeps its event loop: the CPU time of the thread between two turns of the loop, since on a busy machine
 * the time by the clock tells of other processes.
 */
import { existsSync, readFileSync } from 'node:fs';
import v8 from 'node:v8';
import vm from 'node:vm';

/** Linux: nanoseconds for which this thread has run. */
const schedstat = '/proc/thread-self/schedstat';

const cpuMs = existsSync(schedstat)
  ? (): number => Number(readFileSync(schedstat, 'latin1').split(' ')[0]) / 1e6
  : (): number => performance.now();

v8.setFlagsFromString('--expose-gc');
/** What earlier steps of a test left is collected before, not meanwhile. */
const collect: () => void = vm.runInNewContext('gc');

/** The CPU time of a step that is done at once. */
export const cpuOf = (step: () => unknown): number => {
  collect();
  const begun = cpuMs();
  step();
  return cpuMs() - begun;
};

/** @returns in milliseconds, with what the work makes */
export const longestTurn = async <Made>(
  work: () => Promise<Made>,
): Promise<{ made: Made; turnMs: number }> => {
  collect();
  let turnMs = 0;
  let at = cpuMs();
  let isOver = false;
  const watch = (): void => {
    const now = cpuMs();
    turnMs = Math.max(turnMs, now - at);
    at = now;
    if (!isOver) setTimeout(watch, 1);
  };
  setTimeout(watch, 1);
  try {
    const made = await work();
    return { made, turnMs };
  } finally {
    isOver = true;
  }
};
