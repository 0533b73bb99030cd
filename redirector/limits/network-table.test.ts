import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createNetworkTable, offset } from './network-table.ts';

const int32 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });

/** Counts like the address limit. */
const count = (table: ReturnType<typeof createNetworkTable>, network: [number, number], window: number) => {
  const index = table.take(...network, window);
  table.cells[index + offset.count]!++;
};

test('while there is room, a network has the count of its scans in the window', () => {
  const step = fc.record({
    network: fc.tuple(fc.integer({ min: -2, max: 2 }), fc.integer({ min: -2, max: 2 })),
    // Windows follow each other; now and then one is skipped.
    later: fc.constantFrom(0, 0, 0, 1, 2),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const table = createNetworkTable(1024);
      let window = 1;
      let reference = new Map<string, number>();
      for (const { network, later } of steps) {
        if (later > 0) reference = new Map();
        window += later;
        count(table, network, window);
        reference.set(String(network), (reference.get(String(network)) ?? 0) + 1);
        const index = table.find(...network, window);
        expect(table.cells[index + offset.count]).toBe(reference.get(String(network)));
        expect(table.size(window)).toBe(reference.size);
      }
    }),
  );
});

test('a network without scans in the window has no entry', () => {
  const table = createNetworkTable(1024);
  expect(table.find(0, 0, 1)).toBe(-1);
  count(table, [7, 8], 1);
  expect(table.find(7, 8, 2)).toBe(-1);
  expect(table.find(8, 7, 1)).toBe(-1);
});

test("a late scan counts in its network's current window, and does not reopen an older one", () => {
  const table = createNetworkTable(4);
  for (let i = 0; i < 5; i++) count(table, [7, 8], 2);
  count(table, [7, 8], 1);
  expect(table.cells[table.find(7, 8, 2) + offset.count]).toBe(6);
  // In a set full of the current window, a late network only gets the entry with the fewest scans.
  for (let network = 1; network <= 3; network++) count(table, [0, network], 2);
  count(table, [9, 9], 1);
  expect(table.cells[table.find(7, 8, 2) + offset.count]).toBe(6);
});

test('the network with the most scans is never evicted, however many arrive', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(int32, int32), { maxLength: 500 }), (flood) => {
      const table = createNetworkTable(16);
      for (let i = 0; i < 600; i++) count(table, [1, 1], 1);
      for (const network of flood) count(table, network, 1);
      expect(table.cells[table.find(1, 1, 1) + offset.count]).toBeGreaterThanOrEqual(600);
      expect(table.size(1)).toBeLessThanOrEqual(16);
    }),
  );
});
