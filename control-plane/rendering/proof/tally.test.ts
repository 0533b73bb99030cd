import { expect, test } from 'vitest';
import { createTallies, readsNeeded, readsNeededAfterRefusal, refusalsNeeded } from './tally.ts';

/** How many codes are read until the kind holds. */
const readsUntilItHolds = ({ read }: ReturnType<typeof createTallies>, prefix = ''): number => {
  for (let reads = 1; reads < 1_000; reads++) if (read('kind', `${prefix}${reads}`)) return reads;
  return Number.POSITIVE_INFINITY;
};

test('a kind holds once enough codes were read in a row', () => {
  expect(readsUntilItHolds(createTallies())).toBe(readsNeeded);
});

test('a code that is read twice counts once', () => {
  const tallies = createTallies();
  const reads = Array.from({ length: 3 * readsNeeded }, (_, n) => tallies.read('kind', `${n % 2}`));
  expect(reads).not.toContain(true);
});

test('after a refusal the count restarts, and needs more', () => {
  const tallies = createTallies();
  for (let n = 1; n < readsNeeded; n++) tallies.read('kind', `before ${n}`);
  tallies.refused('kind');
  expect(readsUntilItHolds(tallies)).toBe(readsNeededAfterRefusal);
  tallies.refused('kind');
  expect(readsUntilItHolds(tallies, 'again ')).toBe(readsNeededAfterRefusal);
});

test('a kind is refused for all codes only if no code of it was read', () => {
  const tallies = createTallies();
  tallies.read('read once', 'x');
  const refusals = (kind: string) => Array.from({ length: refusalsNeeded }, () => tallies.refused(kind));
  expect(refusals('never read')).toEqual([...Array(refusalsNeeded - 1).fill(false), true]);
  expect(refusals('read once')).not.toContain(true);
});
