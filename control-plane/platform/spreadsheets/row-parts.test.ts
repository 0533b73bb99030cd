import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cpuOf } from '../../testing/longest-step.ts';
import { type RowPart, rowPartsTogether, rowsOfParts } from './row-parts.ts';

test('rows arrive as they were, whatever their width and the length of their cells', () => {
  const cell = fc.oneof(
    fc.string({ maxLength: 5 }),
    fc.nat(90_000).map((length) => 'x'.repeat(length)),
  );
  const table = fc
    .integer({ min: 1, max: 60 })
    .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 30 }));
  fc.assert(
    fc.property(table, (all) => {
      const rows = all.map((cells, at) => ({ number: 2 * at, cells }));
      const messages = [...rowPartsTogether(rows)];
      const width = rows[0]?.cells.length ?? 0;
      expect(
        rowsOfParts(
          structuredClone(messages),
          width,
          rows.map(({ number }) => number),
        ),
      ).toEqual(rows);
    }),
    { numRuns: 100 },
  );
});

test('a message is short work: it has at most 5,000 cells, and 64 K characters but for its last cell', () => {
  const long = { number: 1, cells: Array<string>(12_000).fill('') };
  const wide = { number: 2, cells: Array<string>(12_000).fill('x'.repeat(100)) };
  for (const parts of rowPartsTogether([long, wide])) {
    const cells = parts.flat();
    expect(cells.length).toBeLessThanOrEqual(5_000);
    expect(cells.slice(0, -1).join('').length).toBeLessThan(64 * 1024);
  }
});

test('two million cells are put together in less than half the time that it takes to copy them', () => {
  const rows = Array.from({ length: 20_001 }, (_, number) => ({
    number,
    cells: Array<string>(100).fill('a'),
  }));
  const messages = [...rowPartsTogether(rows)];
  const numbers = rows.map(({ number }) => number);
  const least = (step: () => unknown) => Math.min(...Array.from({ length: 5 }, () => cpuOf(step)));
  const copyMs = least(() => messages.flat(2));
  // Joining changes the parts of a row that came in several: each try has its own.
  const tries = Array.from({ length: 5 }, () =>
    messages.map((parts) => parts.map((part): RowPart => [...part])),
  );
  const joinMs = least(() => rowsOfParts(tries.pop()!, 100, numbers));
  expect(joinMs).toBeLessThan(copyMs / 2);
});
