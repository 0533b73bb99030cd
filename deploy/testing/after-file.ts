/** Closes everything that a test file opened when the file is done, in reverse order, also after failures. */
import { type Closer, createCloser } from '#shared/lifecycle.ts';

let closer: Closer = createCloser();

/** Can be called from anywhere in a test file, including tests and hooks. */
export const afterFile = (close: () => unknown): void => closer.add(close);

/** For the end of a file: the process continues with the next one. */
export const closeFile = async (): Promise<void> => {
  const ended = closer;
  closer = createCloser();
  await ended.close();
};
