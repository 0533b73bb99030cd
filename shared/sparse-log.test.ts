import { expect, test } from 'vitest';
import { createSparseLog } from './sparse-log.ts';

test('a flood of one message is one line per interval, which counts the suppressed lines', () => {
  const lines: unknown[] = [];
  let nowMs = 0;
  const say = createSparseLog(
    (fields, message) => lines.push([fields, message]),
    1_000,
    () => nowMs,
  );
  for (let n = 0; n < 50; n++) say('busy', { n }, 'refused');
  say('away', { n: 50 }, 'refused');
  nowMs = 1_000;
  for (let n = 60; n < 70; n++) say('busy', { n }, 'refused');
  expect(lines).toEqual([
    [{ n: 0 }, 'refused'],
    [{ n: 50 }, 'refused'],
    [{ n: 60, leftOut: 49 }, 'refused'],
  ]);
});
