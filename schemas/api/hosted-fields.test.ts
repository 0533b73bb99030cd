import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { brandingBody } from './branding.ts';
import { createFormBody } from './forms.ts';
import { gs1EntryBody } from './gs1.ts';
import { createEntryIds, entryId, entryIdShape, identifiedList } from './hosted-fields.ts';
import { createLandingPageBody } from './landing-pages.ts';
import { createMenuBody } from './menus.ts';
import { messages } from './messages.ts';
import { mintBody } from './serialized.ts';
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

const invisible = [
  ' ',
  '\u200b',
  '\u202e\u202c',
  '\u3164',
  '\u115f\u1160\uffa0',
  '\u2800',
  '\u{e0041}',
  '\u0301',
];
const gs1Link = { linkType: 'gs1:pip', href: 'https://example.com/', title: 'x' };
const gs1Entry = { path: '/01/09506000134352', itemDescription: 'x', links: [gs1Link] };

test.each<[field: string, body: z.ZodType, given: (text: string) => unknown]>([
  ['name', brandingBody, (name) => ({ name })],
  ['texts.expired.title', brandingBody, (title) => ({ texts: { expired: { title } } })],
  ['texts.password.text', brandingBody, (text) => ({ texts: { password: { text } } })],
  ['expired.title', messages, (title) => ({ expired: { title } })],
  ['expired.text', messages, (text) => ({ expired: { text } })],
  ['headline', createLandingPageBody, (headline) => ({ name: 'x', headline })],
  ['body', createLandingPageBody, (body) => ({ name: 'x', body })],
  [
    'buttons.0.hint',
    createLandingPageBody,
    (hint) => ({ name: 'x', buttons: [{ label: 'x', destination: 'tel:110', hint }] }),
  ],
  ['submitLabel', createFormBody, (submitLabel) => ({ name: 'x', fields: [], submitLabel })],
  ['thankYouMessage', createFormBody, (thankYouMessage) => ({ name: 'x', fields: [], thankYouMessage })],
  [
    'sections.0.items.0.description',
    createMenuBody,
    (description) => ({ name: 'x', sections: [{ name: 'x', items: [{ name: 'x', description }] }] }),
  ],
  ['productName', mintBody, (productName) => ({ batchName: 'x', count: 1, productName })],
  ['brandName', mintBody, (brandName) => ({ batchName: 'x', count: 1, brandName })],
  ['itemDescription', gs1EntryBody, (itemDescription) => ({ ...gs1Entry, itemDescription })],
  ['links.0.title', gs1EntryBody, (title) => ({ ...gs1Entry, links: [{ ...gs1Link, title }] })],
])('a text that pages show has a visible character: %s', (field, body, given) => {
  expect(body.safeParse(given('x\u200b')).success).toBe(true);
  for (const text of invisible)
    expect(body.safeParse(given(text)).error?.issues).toMatchObject([
      {
        path: field.split('.').map((key) => (/^\d/.test(key) ? Number(key) : key)),
        message: 'must have a visible character',
      },
    ]);
});
