/** Long work on the event loop, in steps: after every few milliseconds everybody else is served. */
import { setImmediate as others } from 'node:timers/promises';

const stepMs = 4;

/** Others are served before the caller goes on, also where an answer that has just arrived called it: the first turn ends with that. */
export const othersTurn = async (): Promise<void> => {
  await others();
  await others();
};

/** @param steps each of them short; it yields wherever it may wait @returns what it returns @throws what it throws */
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

/** For long work that waits itself: it asks after each short part, and when some milliseconds are over everybody else is served. */
export const createPause = (): (() => Promise<void>) => {
  let endMs = performance.now() + stepMs;
  return async () => {
    if (performance.now() < endMs) return;
    await others();
    endMs = performance.now() + stepMs;
  };
};
