/** Timers of one process that wake it together. */

/** A timer may be called a little early. */
const earlyMs = 2;

/**
 * Calls a function at the multiples of a period of `performance.now`, until it is stopped. Everything that a process does once or
 * twice a second then happens in the same iterations of its event loop, so that an idle process wakes less often. Processes do not wake together: each has its own beginning of time. It keeps no process alive.
 * @param everyMs at least 10
 * @returns a function that stops it
 */
export const alignedInterval = (work: () => void, everyMs: number): (() => void) => {
  let timer: NodeJS.Timeout;
  const arm = (): void => {
    const nowMs = performance.now();
    const nextMs = (Math.floor((nowMs + earlyMs) / everyMs) + 1) * everyMs;
    timer = setTimeout(run, Math.ceil(nextMs - nowMs)).unref();
  };
  const run = (): void => {
    arm();
    work();
  };
  arm();
  return () => clearTimeout(timer);
};
