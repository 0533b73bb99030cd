import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMemo } from './memo.ts';

test("the answer is always the function's, and frequent keys are computed once", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 500 }), (keys) => {
      let hot = 0;
      const memo = createMemo(10, (key: string) => {
        if (key === 'hot') hot++;
        return { key };
      });
      for (const key of keys) {
        memo.get('hot');
        expect(memo.get(String(key))).toEqual({ key: String(key) });
      }
      expect(hot).toBe(keys.length === 0 ? 0 : 1);
    }),
  );
});

test('a flood of new keys keeps the hot one and a bounded number of others', () => {
  const memo = createMemo(100, (key: number) => ({ key }));
  const hot = memo.get(-1);
  for (let i = 0; i < 10_000; i++) {
    memo.get(i);
    if (i % 10 === 0) expect(memo.get(-1)).toBe(hot);
  }
  expect(memo.size).toBeLessThanOrEqual(100);
});
