import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMemo } from './memo.ts';

test('the answer is always that of the function, and what is asked for often is computed once', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 500 }), (keys) => {
      let computed = 0;
      const memo = createMemo(10, (key: string) => {
        computed++;
        return { key };
      });
      for (const key of keys) {
        memo('hot');
        expect(memo(String(key))).toEqual({ key: String(key) });
      }
      expect(computed).toBeLessThanOrEqual(keys.length + 1);
    }),
  );
});

test('a flood of new keys keeps the hot one and a bounded number of others', () => {
  const alive = new Set<string>();
  const memo = createMemo(100, (key: string) => {
    alive.add(key);
    return { key };
  });
  const hot = memo('hot');
  for (let i = 0; i < 10_000; i++) {
    memo(`flood${i}`);
    if (i % 10 === 0) expect(memo('hot')).toBe(hot);
  }
  expect(memo('flood0')).not.toBe(undefined);
  expect(alive.size).toBe(10_001);
});
