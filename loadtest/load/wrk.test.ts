import { expect, test } from 'vitest';
import { failuresOf } from './wrk.ts';

test('a close after an answer is no failure if the server does not announce it; a close without an answer is one', () => {
  const counts = { failed: 0, readErrors: 990, requests: 1000 };
  expect(failuresOf(counts, true)).toBe(0);
  expect(failuresOf({ ...counts, readErrors: 1003 }, true)).toBe(3);
  expect(failuresOf({ ...counts, failed: 2 }, true)).toBe(2);
  expect(failuresOf(counts, false)).toBe(990);
});
