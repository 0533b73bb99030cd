import { expect, test } from 'vitest';
import { reportedScan } from '#schemas/reported-scan.ts';
import { createEventIds } from './event-ids.ts';

test('event ids have the right form, differ, and use all digits evenly', () => {
  const [ids, others] = [createEventIds(), createEventIds()];
  const made = Array.from({ length: 5000 }, () => [ids.create(), others.create()]).flat();
  for (const id of made) expect(reportedScan.shape.id.safeParse(id).success, id).toBe(true);
  expect(new Set(made).size).toBe(made.length);
  const counts = new Map<string, number>();
  for (const digit of made.join('').replaceAll('evt_', '')) counts.set(digit, (counts.get(digit) ?? 0) + 1);
  expect(counts.size).toBe(58);
  // Expected 2,759 each, with a standard deviation of 52.
  expect(Math.min(...counts.values())).toBeGreaterThan(2300);
  expect(Math.max(...counts.values())).toBeLessThan(3200);
});
