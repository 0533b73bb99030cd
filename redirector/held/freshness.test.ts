import { expect, test } from 'vitest';
import { createFreshness } from './freshness.ts';

const freshMs = 10_000;
const staleMaxMs = 60_000;
const create = () => createFreshness({ freshMs, staleMaxMs });

test('while the stream is followed, a record stays fresh until the sweep would have confirmed it', () => {
  const freshness = create();
  freshness.follow(1000, 1000);
  expect(freshness.trustIn(1000, 1000 + freshMs)).toBe('fresh');
  expect(freshness.trustIn(1000, 1000 + 0.89 * staleMaxMs)).toBe('fresh');
  expect(freshness.trustIn(1000, 1000 + 0.9 * staleMaxMs)).toBe('aging');
  expect(freshness.trustIn(1000, 1000 + staleMaxMs)).toBe('due');
});

test('a record that was confirmed before the stream was followed ages as without it', () => {
  const freshness = create();
  freshness.follow(1000, 50_000);
  expect(freshness.trustIn(999, 999 + freshMs - 1)).toBe('fresh');
  expect(freshness.trustIn(999, 999 + freshMs)).toBe('aging');
});

test('once the stream is cut, a record ages from the moment up to which it was followed', () => {
  const freshness = create();
  freshness.follow(0, 30_000);
  freshness.unfollow();
  expect(freshness.trustIn(0, 30_000 + freshMs - 1)).toBe('fresh');
  expect(freshness.trustIn(0, 30_000 + freshMs)).toBe('aging');
  // Confirmed after the cut.
  expect(freshness.trustIn(35_000, 35_000 + freshMs - 1)).toBe('fresh');
  expect(freshness.trustIn(35_000, 35_000 + freshMs)).toBe('aging');
  // Whatever was followed: no source has confirmed it within the bound.
  expect(freshness.trustIn(0, staleMaxMs)).toBe('due');
});

test('after an invalidation every record is due, also while the stream is followed', () => {
  const freshness = create();
  freshness.follow(0, 30_000);
  freshness.invalidate(30_000);
  expect(freshness.trustIn(30_000, 30_000)).toBe('due');
  expect(freshness.needsTruth(30_000)).toBe(true);
  expect(freshness.trustIn(30_001, 30_001)).toBe('fresh');
  expect(freshness.needsTruth(30_001)).toBe(false);
});
