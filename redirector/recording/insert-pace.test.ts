import { expect, test } from 'vitest';
import { paceSegments } from './insert-pace.ts';

test('few processes send at the configured segment age; many share the INSERTs a second', () => {
  expect(paceSegments(800, 20, 1)).toBe(800);
  expect(paceSegments(800, 20, 16)).toBe(800);
  for (const processes of [17, 100, 1000]) {
    const insertsPerSecond = (processes * 1000) / paceSegments(800, 20, processes);
    expect(insertsPerSecond).toBeCloseTo(20);
  }
});
