import v8 from 'node:v8';
import vm from 'node:vm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CodeRecord, parseRecord, serializeRecord } from '#schemas/code-record.ts';
import { fullRecord, sampleRecord } from '#schemas/testing/sample-record.ts';
import { heapBytesOf } from './record-size.ts';
import { createRecordTable, type RecordTable } from './record-table.ts';

const record = (id: string, version = 1) =>
  sampleRecord({ id, version, destination: `https://example.com/${id}/${version}` });

const tableOf = (codesMax: number, objectBytesMax = 2 ** 20) =>
  createRecordTable({ codesMax, objectBytesMax }, 0);

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
      const table = tableOf(50);
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
  const table = tableOf(20_000);
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
  const table = tableOf(1000);
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
  const table = tableOf(5000);
  const slot = table.put(record('kept'), 1, 0);
  for (let n = 0; n < 4000; n++) table.put(record(`code${n}`), n, 0);
  for (let n = 0; n < 4000; n += 2) table.remove(table.find(`code${n}`));
  expect(table.put(record('kept', 2), 2, 0)).toBe(slot);
  expect(table.versionAt(slot)).toBe(2);
  expect(table.confirmedAtMs(table.find('code3999'))).toBe(3999);
});

test('the most recently scanned come first', () => {
  const table = tableOf(5000);
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

/** Takes some 50 kB as an object. */
const largeRecord = (id: string, version = 1): CodeRecord => ({
  ...record(id, version),
  rules: Array.from({ length: 50 }, (_, n) => ({
    id: `rule${n}`,
    condition: { country: ['DE', 'FR'] },
    destination: `https://example.com/${'x'.repeat(1000)}`,
  })),
});

test('large codes stay within a bound of bytes, and cost no plain code its place', () => {
  const bytesMax = 2 ** 20;
  const table = tableOf(5000, bytesMax);
  for (let n = 0; n < 1000; n++) table.put(record(`plain${n}`), 0, 0);
  for (let n = 0; n < 2000; n++) {
    table.put(largeRecord(`large${n}`), 0, 1000 * n);
    table.scan(table.find('large0'), 1000 * n);
    expect(table.objectBytes).toBeLessThanOrEqual(bytesMax);
  }
  const large = table.size - 1000;
  expect(large).toBeGreaterThan(10);
  expect(large).toBeLessThan(21);
  for (let n = 0; n < 1000; n++) expect(table.find(`plain${n}`)).toBeGreaterThanOrEqual(0);
  // The one that is scanned again and again stays.
  expect(table.recordAt(table.find('large0')).toRecord()).toEqual(largeRecord('large0'));
  for (let n = 0; n < 2000; n++) if (table.find(`large${n}`) >= 0) table.remove(table.find(`large${n}`));
  expect(table.objectBytes).toBe(0);
});

test('a record that is larger than the bound of bytes is not held, nor is its earlier version, and all others stay', () => {
  const table = tableOf(100, 40_000);
  const others = [{ ...record('rare'), expiresAtMs: 5 }, record('plain')];
  for (const one of others) table.put(one, 0, 0);
  expect(table.put(largeRecord('new'), 0, 0)).toBe(-1);
  const slot = table.put({ ...record('grows'), expiresAtMs: 5 }, 0, 0);
  table.scan(slot, 1000);
  expect(table.put(largeRecord('grows', 2), 0, 0)).toBe(-1);
  expect(table.find('grows')).toBe(-1);
  expect(table.size).toBe(2);
  for (const one of others) expect(table.recordAt(table.find(one.id)).toRecord()).toEqual(one);
});

test('the estimate of a record is near to what it takes of the heap', () => {
  const countries = Array.from({ length: 249 }, (_, n) => String.fromCharCode(65 + (n % 26), 65 + n / 26));
  const text = serializeRecord({
    ...record('a'),
    rules: Array.from({ length: 50 }, (_, n) => ({
      id: `rule_${n}_0123456789`,
      condition: { country: countries },
      destination: `https://example.com/${'x'.repeat(n)}`,
    })),
  });
  const estimate = heapBytesOf(parseRecord(text));
  v8.setFlagsFromString('--expose-gc');
  const collect: () => void = vm.runInNewContext('gc');
  collect();
  const before = process.memoryUsage().heapUsed;
  const held = Array.from({ length: 200 }, () => parseRecord(text));
  collect();
  const taken = (process.memoryUsage().heapUsed - before) / held.length;
  expect(estimate).toBeGreaterThan(0.7 * taken);
  expect(estimate).toBeLessThan(1.5 * taken);
});
