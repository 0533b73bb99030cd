/** For tests of what runs in which iteration of the event loop. */
import { afterFile } from '../../deploy/testing/local.ts';

/** Counts iterations until the test file ends. @returns the number of the current one */
export const countIterations = (): (() => number) => {
  let iteration = 0;
  let next: NodeJS.Immediate;
  const count = (): void => {
    iteration++;
    next = setImmediate(count);
  };
  count();
  afterFile(() => clearImmediate(next));
  return () => iteration;
};
