import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { alignedInterval } from './aligned-interval.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** When each call came. */
const times = (): { at: number[]; work(): void } => {
  const at: number[] = [];
  return { at, work: () => void at.push(performance.now()) };
};

test('timers that are started at different moments call together, each at multiples of its period', () => {
  const [half, whole] = [times(), times()];
  alignedInterval(half.work, 500);
  vi.advanceTimersByTime(137);
  alignedInterval(whole.work, 1000);
  vi.advanceTimersByTime(3000 - 137);
  expect(half.at).toEqual([500, 1000, 1500, 2000, 2500, 3000]);
  expect(whole.at).toEqual([1000, 2000, 3000]);
});

test('a stopped timer calls no more, even if it is stopped by what it calls', () => {
  const at: number[] = [];
  const stop = alignedInterval(() => {
    at.push(performance.now());
    if (at.length === 2) stop();
  }, 100);
  vi.advanceTimersByTime(1000);
  expect(at).toEqual([100, 200]);
});
