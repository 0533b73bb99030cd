import fc from 'fast-check';
import { expect, test } from 'vitest';
import { insertsOf, valuesOf } from './row-inserts.ts';

const megabyte = 2 ** 20;
const shared = Buffer.alloc(6 * megabyte);

test('every row is in one statement, in order, and a statement has 4 MB and 5,000 rows, or one row', () => {
  const length = fc.oneof(
    fc.nat(2_000),
    fc.nat(5 * megabyte),
    fc.constantFrom(0, 4 * megabyte, 4 * megabyte + 1),
  );
  const lengths = fc.oneof(
    fc.array(length, { minLength: 1, maxLength: 40 }),
    fc.integer({ min: 4_990, max: 10_010 }).map((count) => Array<number>(count).fill(3)),
  );
  fc.assert(
    fc.property(lengths, (given) => {
      const rows = given.map((bytes, position) => ({ position, body: shared.subarray(0, bytes) }));
      const statements = [...insertsOf(rows)];
      expect(statements.flat()).toEqual(rows);
      for (const some of statements) {
        const bytes = some.reduce((sum, { body }) => sum + body.length, 0);
        expect(some.length === 1 || (bytes <= 4 * megabyte && some.length <= 5_000)).toBe(true);
      }
    }),
    { numRuns: 50 },
  );
});

test('the values of a statement are few, however many rows it has', () => {
  const rows = ['a', '\\"', ''].map((text, at) => ({ position: 7 + at, body: Buffer.from(text) }));
  expect(valuesOf(rows)).toEqual([Buffer.from('a\\"'), [7, 8, 9], [1, 2, 0]]);
});
