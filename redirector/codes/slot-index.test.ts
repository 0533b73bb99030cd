import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCodeIds } from '#shared/ids.ts';
import { createSlotIndex, hashOf } from './slot-index.ts';

test('each id is found as long as it is there, however many share a hash', () => {
  const step = fc.record({ id: fc.nat(30), remove: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), fc.constantFrom(1, 3, 64), (steps, hashes) => {
      // The slot of an id is its number.
      const hash = (slot: number) => (slot % hashes) * 61;
      const index = createSlotIndex(31, (slot, id) => String(slot) === id, hash);
      const there = new Set<number>();
      for (const { id, remove } of steps) {
        if (remove && there.delete(id)) index.remove(hash(id), id);
        else if (!remove && !there.has(id)) {
          index.add(hash(id), id);
          there.add(id);
        }
      }
      for (let id = 0; id <= 30; id++) expect(index.find(String(id), hash(id))).toBe(there.has(id) ? id : -1);
    }),
  );
});

test('the hashes of ids are spread evenly over a table', () => {
  const ids = createCodeIds(Buffer.alloc(32, 1));
  const places = new Set(Array.from({ length: 1000 }, () => hashOf(ids.create()) & 0xffff));
  // 1,000 of 65,536 places at random: 992 on average, with a standard deviation of 3.
  expect(places.size).toBeGreaterThan(970);
});

test('ids whose hashes meet under one seed are apart under another', () => {
  const lastOf = new Map<number, string>();
  const meeting: [string, string][] = [];
  for (let n = 0; meeting.length < 5; n++) {
    const id = n.toString(36).padStart(9, '0');
    const hash = hashOf(id, 1);
    const other = lastOf.get(hash);
    if (other !== undefined) meeting.push([id, other]);
    lastOf.set(hash, id);
  }
  expect(meeting.filter(([id, other]) => hashOf(id, 2) === hashOf(other, 2))).toEqual([]);
});
