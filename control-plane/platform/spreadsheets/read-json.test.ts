import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isJson, readJson } from './read-json.ts';

const bounds = { rowsMax: 100, columnsMax: 50, charactersMax: 100_000, cellCharactersMax: 10_000 };
const entry = fc.record({ id: fc.integer(), title: fc.string({ unit: 'grapheme' }), on: fc.boolean() });
const page = fc.array(entry, { minLength: 1, maxLength: 5 });

/** As cells are stored: without what no text file has. */
const cellsOf = ({ id, title, on }: { id: number; title: string; on: boolean }) => [
  String(id),
  title.trim(),
  String(on),
];

test('pages are read as JSON.parse reads them: one, a list of pages, or one after the other', () => {
  fc.assert(
    fc.property(
      fc.array(page, { minLength: 1, maxLength: 4 }),
      fc.constantFrom('', '\n', ' ', ',\r\n'),
      fc.boolean(),
      (pages, between, hasMark) => {
        const objects = pages.map((links) => ({ links, pagination: { next: '}{][\\"' } }));
        const expected = pages.flat().map(cellsOf);
        const files = [
          objects.map((each) => JSON.stringify(each)).join(between),
          JSON.stringify(objects),
          JSON.stringify(pages.flat()),
          JSON.stringify({ links: Object.fromEntries(pages.flat().map((each, at) => [`link_${at}`, each])) }),
        ];
        for (const text of files) {
          const file = Buffer.from((hasMark ? '\ufeff' : '') + text);
          expect(isJson(file)).toBe(true);
          const { rows, columns } = readJson(file, bounds, ['links']);
          const column = (cells: readonly string[], at: number) => cells[columns.indexOf(at)] ?? '';
          expect(rows.slice(1).map(({ cells }) => [0, 1, 2].map((at) => column(cells, at)))).toEqual(
            expected,
          );
        }
      },
    ),
    { numRuns: 100 },
  );
});

test('objects and lists in an entry are cells of JSON, and null is an empty one', () => {
  const file = Buffer.from('[{"tags":["a","b"],"none":null,"more":{"x":1},"id":"7"}]');
  const { rows } = readJson(file, bounds, ['links']);
  expect(rows).toEqual([
    { number: 0, cells: ['tags', 'none', 'more', 'id'] },
    { number: 1, cells: ['["a","b"]', '', '{"x":1}', '7'] },
  ]);
});

test.each(['{"a":', '{"a":"', '[1,]', '{} x', '7', '"text"'])('%j is refused', (text) => {
  expect(() => readJson(Buffer.from(text), bounds, ['links'])).toThrow(
    /^(is not valid JSON|must have objects)/,
  );
});
