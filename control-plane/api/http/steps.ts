/** Long work on the event loop, in steps: others are served after every few milliseconds. */
import { setImmediate as others } from 'node:timers/promises';

const stepMs = 4;

/**
 * Lets others be served before the caller continues. Two rounds: in an I/O callback the first only ends the current
 * iteration.
 */
export const yieldToOthers = async (): Promise<void> => {
  await others();
  await others();
};

/** @param steps short steps; it yields wherever it may wait @returns its result @throws its error */
export const inSteps = async <Result>(steps: Generator<void, Result>): Promise<Result> => {
  let endMs = performance.now() + stepMs;
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (performance.now() < endMs) continue;
    await others();
    endMs = performance.now() + stepMs;
  }
};

/**
 * For long work that awaits by itself: called after each short part, it lets others be served every few milliseconds.
 */
export const createPause = (): (() => Promise<void>) => {
  let endMs = performance.now() + stepMs;
  return async () => {
    if (performance.now() < endMs) return;
    await others();
    endMs = performance.now() + stepMs;
  };
};
