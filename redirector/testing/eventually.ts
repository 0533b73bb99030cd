/** Waiting for effects that need no trigger, in tests. */
import { vi } from 'vitest';

/** If this passes, the effect never comes: on a busy machine anything may take long. */
const neverMs = 30_000;

/** Waits until an assertion holds. @returns its result */
export const eventually = <T>(assertion: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(assertion, { timeout: neverMs });
