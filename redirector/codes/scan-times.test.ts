import { expect, test } from 'vitest';
import { createScanTimes } from './scan-times.ts';

test('scans of what the last snapshot has are no news; others are, each once', () => {
  const times = createScanTimes(5000, 0);
  for (let slot = 0; slot < 3000; slot++) times.set(slot, slot < 2000 ? 0 : 95_000);
  const selected = new Set(times.select(100_000, 1000));
  expect([...selected].every((slot) => slot >= 2000)).toBe(true);
  for (const slot of selected) times.touch(slot, 101_000);
  expect(times.news).toBe(0);
  for (const slot of [5, 6]) for (const nowMs of [101_000, 101_500, 102_000]) times.touch(slot, nowMs);
  expect(times.news).toBe(2);
});

test('where a snapshot has everything, no scan is news', () => {
  const times = createScanTimes(5000, 0);
  for (let slot = 0; slot < 1000; slot++) times.set(slot, 10 * slot);
  expect(times.select(100_000, 1000)).toHaveLength(1000);
  for (let slot = 0; slot < 1000; slot++) times.touch(slot, 101_000);
  expect(times.news).toBe(0);
});

test('what was scanned last is in the snapshot, even where only a part of one age fits', () => {
  const times = createScanTimes(5000, 0);
  for (let slot = 0; slot < 4000; slot++) times.set(slot, 1000 * (slot % 40));
  const selected = times.select(39_000, 250);
  // A hundred were scanned in each of the last two seconds; the next group has two hundred.
  const ages = [...selected].map((slot) => 39 - (slot % 40));
  expect(ages.filter((age) => age === 0)).toHaveLength(100);
  expect(ages.filter((age) => age === 1)).toHaveLength(100);
  expect(ages.filter((age) => age === 2 || age === 3)).toHaveLength(50);
  // Of that group each is news, whether it was selected or not.
  for (let slot = 0; slot < 4000; slot++) if (slot % 40 >= 38) times.touch(slot, 40_000);
  expect(times.news).toBe(0);
  for (let slot = 0; slot < 4000; slot++) if (slot % 40 === 37) times.touch(slot, 40_000);
  expect(times.news).toBe(100);
});
