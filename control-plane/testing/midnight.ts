/** For tests whose days follow the clock. */
import { setTimeout as sleep } from 'node:timers/promises';

const dayMs = 86_400_000;
/** More than the duration of such a test file. */
const marginMs = 120_000;

/** Resolves at once or, shortly before a UTC day ends, when the next one has begun. */
export const clearOfMidnight = async (): Promise<void> => {
  const leftMs = dayMs - (Date.now() % dayMs);
  if (leftMs < marginMs) await sleep(leftMs + 1);
};
