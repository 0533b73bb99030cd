import { expect, test } from 'vitest';
import { latenciesOf, median, percentile } from './statistics.ts';

test('the median of an odd number is the middle one, of an even number the mean of two', () => {
  expect(median([9, 1, 5])).toBe(5);
  expect(median([4, 1, 3, 2])).toBe(2.5);
});

test('a percentile is a value that was measured: the smallest that enough values do not exceed', () => {
  const values = Array.from({ length: 1000 }, (_, index) => index + 1);
  expect(percentile(values, 0.5)).toBe(500);
  expect(percentile(values, 0.99)).toBe(990);
  expect(percentile(values, 0.999)).toBe(999);
  expect(percentile(values, 1)).toBe(1000);
  expect(percentile([7], 0.99)).toBe(7);
  expect(percentile([], 0.5)).toBeNaN();
});

test('latencies may come in any order', () => {
  expect(latenciesOf(Float64Array.from([3, 1, 2, 4]))).toEqual({ p50Ms: 2, p99Ms: 4, p999Ms: 4, maxMs: 4 });
});
