import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sharesOf } from './shares.ts';

const someCounts = fc
  .uniqueArray(fc.tuple(fc.string(), fc.nat(1_000)), { selector: ([name]) => name })
  .map((counts) => new Map(counts));

test('no workspace has fewer scans in a round than another, unless all of its own are in it; together they fill it, and no more', () => {
  fc.assert(
    fc.property(someCounts, fc.nat(5_000), (counts, scansMax) => {
      const shares = sharesOf(counts, scansMax);
      const most = Math.max(0, ...shares.values());
      const sum = (numbers: Iterable<number>) => [...numbers].reduce((total, n) => total + n, 0);
      for (const [name, scans] of counts) {
        const share = shares.get(name) ?? 0;
        expect(share).toBeLessThanOrEqual(scans);
        // What cannot be divided is one more for some.
        if (share < scans) expect(share).toBeGreaterThanOrEqual(most - 1);
      }
      expect(sum(shares.values())).toBe(Math.min(scansMax, sum(counts.values())));
    }),
  );
});
