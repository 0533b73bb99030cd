/** Waiting for what comes by itself, in tests. */
import { vi } from 'vitest';

/** For what never comes: on a busy machine anything may take long. */
const neverMs = 30_000;

/** Waits until an assertion holds. @returns what it returns then */
export const eventually = <T>(assertion: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(assertion, { timeout: neverMs });
