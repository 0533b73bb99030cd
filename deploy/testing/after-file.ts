/** Closes the things that a test file opened when the file is done, in the reverse order, also after failures. */
import { afterAll } from 'vitest';
import { createCloser } from '#shared/lifecycle.ts';

const closer = createCloser();

/** To be called from anywhere in a test file, tests and hooks included. */
export const afterFile = (close: () => unknown): void => closer.add(close);

// This module is loaded before every test file (setupFiles), so that its hook is the last to run.
afterAll(() => closer.close());
