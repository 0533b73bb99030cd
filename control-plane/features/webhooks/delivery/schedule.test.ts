import { describe, expect, test } from 'vitest';
import { nextDelaySeconds, retryAfterSeconds } from './schedule.ts';

const nowMs = Date.UTC(2026, 0, 1);

test('retries follow after 30 s, 5 min, 30 min, 2 h and 6 h; then there are none', () => {
  const delays = [1, 2, 3, 4, 5, 6].map((failed) => nextDelaySeconds(failed, 0, () => 0.5));
  expect(delays).toEqual([30, 300, 1_800, 7_200, 21_600, undefined]);
});

test('a delay varies by up to a tenth', () => {
  expect(nextDelaySeconds(1, 0, () => 0)).toBeCloseTo(27);
  expect(nextDelaySeconds(1, 0, () => 1)).toBeCloseTo(33);
  const all = Array.from({ length: 100 }, () => nextDelaySeconds(5)!);
  expect(Math.min(...all)).toBeGreaterThanOrEqual(21_600 * 0.9);
  expect(Math.max(...all)).toBeLessThanOrEqual(21_600 * 1.1);
  expect(new Set(all).size).toBeGreaterThan(1);
});

test('Retry-After prolongs a delay, but neither shortens nor adds one', () => {
  expect(nextDelaySeconds(1, 600, () => 0.5)).toBe(600);
  expect(nextDelaySeconds(2, 60, () => 0.5)).toBe(300);
  expect(nextDelaySeconds(6, 600)).toBeUndefined();
});

describe('Retry-After', () => {
  test.each([
    ['120', 120],
    [' 120 ', 120],
    ['0', 0],
    ['Thu, 01 Jan 2026 00:02:00 GMT', 120],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
    ['9999999999999999999999', 3_600],
    ['Sat, 01 Jan 2127 00:00:00 GMT', 3_600],
    ['soon', 0],
    ['-5', 0],
    ['1'.repeat(100), 0],
    [undefined, 0],
    [['1', '2'], 0],
  ])('%j is %d seconds', (header, seconds) => {
    expect(retryAfterSeconds(header, nowMs)).toBe(seconds);
  });
});
