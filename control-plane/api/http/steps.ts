/** Long work on the event loop, in steps: others are served after every few milliseconds. */
import { setImmediate as others } from 'node:timers/promises';

const stepMs = 4;

/** Callers that yield, longest first. */
const yielding: (() => void)[] = [];

const continueOne = (): void => {
  yielding.shift()?.();
  if (yielding.length > 0) setImmediate(continueOne);
};

/**
 * Lets others be served before the caller continues. One caller continues in each iteration of the event loop: the steps of
 * fifty would together take as long as if none had yielded. The first waits for two rounds: in an I/O callback, one only ends
 * the current iteration.
 */
export const yieldToOthers = (): Promise<void> =>
  new Promise((resolve) => {
    if (yielding.push(resolve) === 1) setImmediate(setImmediate, continueOne);
  });

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

/** The same at once: for a thread, which serves nothing else. */
export const wholly = <Result>(steps: Generator<void, Result>): Result => {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
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
