import { expect, test } from 'vitest';
import { createTrace, dayCurve } from './trace.ts';

const options = { codes: 100_000, seconds: 20, ratePerSecondMean: 1000, seed: 7 };
const trace = createTrace(options);
const scans = trace.dueMs.length;
const shareOf = (values: Uint8Array) => values.reduce((sum, value) => sum + value, 0) / scans;

test('the same seed gives the same trace, another one another', () => {
  expect(createTrace(options)).toEqual(trace);
  expect(createTrace({ ...options, seed: 8 }).codes).not.toEqual(trace.codes);
});

test('scans come in order, and as many as the rates of the day add up to', () => {
  expect([...trace.dueMs].every((dueMs, index) => index === 0 || dueMs >= trace.dueMs[index - 1]!)).toBe(
    true,
  );
  // The mean of the curve is 1; television adds 5% of the time at about 1.1 times the mean.
  expect(scans).toBeGreaterThan(20_000);
  expect(scans).toBeLessThan(22_500);
});

test('the day is busiest in its middle', () => {
  expect([0, 0.25, 0.5, 1].map((share) => Number(dayCurve(share).toFixed(2)))).toEqual([0.4, 1, 1.6, 0.4]);
  const within = (from: number, to: number) =>
    trace.dueMs.filter((dueMs) => dueMs >= from * 20_000 && dueMs < to * 20_000).length;
  expect(within(0.45, 0.55)).toBeGreaterThan(2 * within(0, 0.1));
});

test('a code gets scans by its rank, and the tail is long', () => {
  const counts = new Map<number, number>();
  for (const code of trace.codes) counts.set(code, (counts.get(code) ?? 0) + 1);
  // The second gets half of the first, which is on television besides.
  expect(counts.get(1)! / counts.get(3)!).toBeGreaterThan(1.4);
  expect(counts.size).toBeGreaterThan(6_000);
  expect(Math.max(...counts.keys())).toBeLessThan(100_000);
});

test('some visitors return, some connections are kept, some scans are by bots', () => {
  expect(new Set(trace.visitors).size / scans).toBeCloseTo(0.7, 1);
  expect(shareOf(trace.isKept)).toBeCloseTo(0.1, 1);
  expect(shareOf(trace.isBot)).toBeCloseTo(0.03, 1);
});
