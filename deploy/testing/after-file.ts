/** What a test file opened, closed when the file is done: in the reverse order, and whatever became of the tests. */
import { afterAll } from 'vitest';
import { createCloser } from '#shared/lifecycle.ts';

const closer = createCloser();

/** To be called from anywhere in a test file, tests and hooks included. */
export const afterFile = (close: () => unknown): void => closer.add(close);

// This module is loaded before every test file (setupFiles), so that its hook is the last to run.
afterAll(() => closer.close());
