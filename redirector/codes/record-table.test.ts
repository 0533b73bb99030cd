import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CodeRecord } from '#schemas/code-record.ts';
import { fullRecord, sampleRecord } from '#schemas/testing/sample-record.ts';
import { createRecordTable, type RecordTable } from './record-table.ts';

const record = (id: string, version = 1) =>
  sampleRecord({ id, version, destination: `https://example.com/${id}/${version}` });

const idsIn = (table: RecordTable, slots: Uint32Array): (string | undefined)[] =>
  [...slots].map((slot) => table.idAt(slot));

/** Some fit into a cell, the others do not. */
const anyRecord: fc.Arbitrary<CodeRecord> = fc
  .record({
    id: fc.oneof(fc.nat(40).map(String), fc.constantFrom('é', '✓', 'x'.repeat(300))),
    workspaceId: fc.constantFrom('ws_1', 'ws_2', '✓'),
    version: fc.constantFrom(1, 7, 2 ** 31, 2 ** 53 - 1),
    active: fc.boolean(),
    destination: fc.oneof(
      fc.webUrl(),
      fc.constantFrom('', 'https://example.com/ü', '✓', 'x'.repeat(90), 'x'.repeat(300)),
    ),
    more: fc.constantFrom({}, { expiresAtMs: 5 }, { ...fullRecord, id: undefined }),
  })
  .map(({ more, ...plain }) => ({ ...more, ...plain }) as CodeRecord);

test('a table holds what a map would, whatever comes and goes', () => {
  const step = fc.record({ record: anyRecord, remove: fc.boolean(), scan: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const table = createRecordTable(50, 0);
      const expected = new Map<string, CodeRecord>();
      for (const { record: one, remove, scan } of steps) {
        const slot = table.find(one.id);
        expect(slot >= 0).toBe(expected.has(one.id));
        if (remove && slot >= 0) table.remove(slot);
        if (remove) expected.delete(one.id);
        else {
          table.put(one, 7, 0);
          expected.set(one.id, one);
        }
        // Also where it was read before.
        if (scan && expected.has(one.id))
          expect(table.scan(table.find(one.id), 1000).toRecord()).toEqual(expected.get(one.id));
      }
      expect(table.size).toBe(expected.size);
      for (const [id, one] of expected) {
        const slot = table.find(id);
        expect(table.idAt(slot)).toBe(id);
        expect(table.versionAt(slot)).toBe(one.version);
        expect(table.recordAt(slot).toRecord()).toEqual(one);
        expect(table.confirmedAtMs(slot)).toBe(7);
      }
      expect(idsIn(table, table.recentFirst(0, 50)).sort()).toEqual([...expected.keys()].sort());
    }),
  );
});

test('a record that is scanned again and again is one object, until its next version comes', () => {
  const table = createRecordTable(20_000, 0);
  for (let n = 0; n < 20_000; n++) table.put(record(`code${n}`), 0, 0);
  const slot = table.find('code5');
  // The slot that shares its place among the objects.
  const other = slot + 2 ** 14;
  const scanned = table.scan(slot, 1000);
  expect(table.scan(slot, 1000)).toBe(scanned);
  expect(table.scan(other, 1000).id).toBe(table.idAt(other));
  expect(table.scan(slot, 1000)).toEqual(scanned);
  table.put(record('code5', 2), 0, 0);
  expect(table.scan(slot, 1000)).toMatchObject(record('code5', 2));
  table.remove(slot);
  const reused = table.put(record('new'), 0, 0);
  expect(reused).toBe(slot);
  expect(table.scan(slot, 1000)).toMatchObject(record('new'));
});

test('a full table makes room: of some codes the one that was scanned longest ago', () => {
  const table = createRecordTable(1000, 0);
  for (let n = 0; n < 1000; n++) table.put(record(`code${n}`), 0, 0);
  // Every tenth is scanned again and again, and invented codes come and go.
  for (let round = 1; round <= 10; round++) {
    for (let n = 0; n < 1000; n += 10) table.scan(table.find(`code${n}`), 1000 * round);
    for (let n = 0; n < 300; n++) table.put(record(`other${round}-${n}`), 0, 1000 * round - 500);
  }
  expect(table.size).toBe(1000);
  expect(table.slots).toBe(1000);
  for (let n = 0; n < 1000; n += 10) expect(table.find(`code${n}`)).toBeGreaterThanOrEqual(0);
});

test('a record keeps its slot while others come and go, and its next version takes it over', () => {
  const table = createRecordTable(5000, 0);
  const slot = table.put(record('kept'), 1, 0);
  for (let n = 0; n < 4000; n++) table.put(record(`code${n}`), n, 0);
  for (let n = 0; n < 4000; n += 2) table.remove(table.find(`code${n}`));
  expect(table.put(record('kept', 2), 2, 0)).toBe(slot);
  expect(table.versionAt(slot)).toBe(2);
  expect(table.confirmedAtMs(table.find('code3999'))).toBe(3999);
});

test('the most recently scanned come first', () => {
  const table = createRecordTable(5000, 0);
  for (let n = 0; n < 3000; n++) table.put(record(`code${n}`), 0, 1000 * (n % 100));
  const ages = [...table.recentFirst(99_000, 5000)].map(
    (slot) => 99 - (Number(table.idAt(slot)!.slice(4)) % 100),
  );
  expect(ages).toHaveLength(3000);
  // Older ones in groups, each twice as long as the one before.
  const group = (age: number) => (age === 0 ? 0 : 1 + Math.floor(Math.log2(age)));
  for (const [n, age] of ages.entries())
    if (n > 0) expect(group(age)).toBeGreaterThanOrEqual(group(ages[n - 1]!));
  expect(idsIn(table, table.recentFirst(99_000, 30)).sort()).toEqual(
    Array.from({ length: 30 }, (_, n) => `code${100 * n + 99}`).sort(),
  );
});
