/** Closes the things that a test file opened when the file is done, in the reverse order, also after failures. */
import { type Closer, createCloser } from '#shared/lifecycle.ts';

let closer: Closer = createCloser();

/** To be called from anywhere in a test file, tests and hooks included. */
export const afterFile = (close: () => unknown): void => closer.add(close);

/** For the end of a file: the process goes on with the next one. */
export const closeFile = async (): Promise<void> => {
  const ended = closer;
  closer = createCloser();
  await ended.close();
};
