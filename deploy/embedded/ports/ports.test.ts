import { expect, test } from 'vitest';
import { freePort } from './ports.ts';

test('free ports are distinct, and outside the range that the system uses for outgoing connections', async () => {
  const ports = await Promise.all(Array.from({ length: 10 }, freePort));
  expect(new Set(ports).size).toBe(10);
  expect(Math.max(...ports)).toBeLessThan(32_768);
  expect(Math.min(...ports)).toBeGreaterThan(1024);
});
