import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createEntryIds, entryId, entryIdShape, identifiedList } from './hosted-fields.ts';
import { createMenuBody } from './menus.ts';
import { boundedText } from './text.ts';

const list = identifiedList(z.strictObject({ id: entryId.optional(), label: boundedText(120) }), {
  field: 'entries',
  max: 200,
  word: 'entry',
  nameOf: ({ label }) => label,
});

/** Few, so that they collide: names, and the ids made from them. */
const labels = fc.oneof(
  fc.constantFrom(
    'A',
    'a',
    'a 2',
    'A-2-2',
    'é',
    'ξ',
    '',
    'entry',
    'Entry 2',
    '--',
    'constructor',
    '__proto__',
  ),
  fc.string({ unit: 'grapheme', maxLength: 120 }),
);
const ids = fc.constantFrom('a', 'a-2', 'a-3', 'e', 'entry', 'entry-2', 'constructor', 'toString', '7');
const entries = fc.uniqueArray(fc.record({ id: fc.option(ids, { nil: undefined }), label: labels }), {
  maxLength: 200,
  comparator: (a, b) => a.id !== undefined && a.id === b.id,
});

test('every entry has an id that is unique in its list; given ids stay', () => {
  const property = fc.property(entries, (given) => {
    const stored = list.parse(given)!;
    expect(new Set(stored.map(({ id }) => id)).size).toBe(given.length);
    for (const [index, { id, label }] of stored.entries()) {
      expect(id).toMatch(entryIdShape);
      expect([given[index]!.id ?? id, given[index]!.label]).toEqual([id, label]);
    }
    // Sending the stored list again changes nothing.
    expect(list.parse(stored)).toEqual(stored);
  });
  fc.assert(property, { numRuns: 300 });
});

test('the same entries get the same ids in any order, if their names differ', () => {
  const names = ['Red wine', 'Weißwein & Rosé', 'قهوة', 'a'.repeat(100)];
  const idsOf = (order: string[]) =>
    new Map(list.parse(order.map((label) => ({ label })))!.map(({ id, label }) => [label, id]));
  expect([...idsOf(names).values()]).toEqual(['red-wine', 'wei-wein-rose', 'entry', 'a'.repeat(40)]);
  expect(idsOf(names.toReversed())).toEqual(idsOf(names));
});

test('an id given twice is refused, naming both places', () => {
  const issues = list.safeParse([{ id: 'a', label: 'x' }, { label: 'y' }, { id: 'a', label: 'z' }]).error
    ?.issues;
  expect(issues).toMatchObject([
    { path: [2, 'id'], message: 'must not be given twice: entries[0] has it, too' },
  ]);
});

test('item ids are unique in their menu, across its sections', () => {
  const section = (...items: object[]) => ({ name: 'x', items });
  const menu = (...sections: object[]) => createMenuBody.safeParse({ name: 'x', sections });
  const twice = menu(section({ id: 'a', name: 'x' }), section({ name: 'y' }, { id: 'a', name: 'z' }));
  expect(twice.error?.issues).toMatchObject([
    {
      path: ['sections', 1, 'items', 1, 'id'],
      message: 'must not be given twice: sections[0].items[0] has it, too',
    },
  ]);
  const alike = menu(
    section({ name: 'Soup' }, { name: 'Soup' }),
    section({ name: 'soup' }, { id: 'soup', name: 'x' }),
  );
  const made = alike.data!.sections!.flatMap(({ items }) => items.map(({ id }) => id));
  expect(made).toEqual(['soup-2', 'soup-3', 'soup-4', 'soup']);
});

test('a thousand entries of one name do not take a million tries', () => {
  const made = createEntryIds([]);
  const before = process.threadCpuUsage();
  const last = Array.from({ length: 20_000 }, () => made.idFor({}, 'Soup', 'item')).at(-1);
  const { user, system } = process.threadCpuUsage(before);
  expect(last).toBe('soup-20000');
  expect((user + system) / 1_000).toBeLessThan(2_000);
});
