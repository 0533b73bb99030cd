import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cpuOf } from '../../testing/longest-step.ts';
import { csvHeader, csvLines } from './csv.ts';
import { withFormulaMark, withoutFormulaMark } from './formula-mark.ts';

const formulaSigns = ['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠'];

const read = (csv: string, delimiter: string | string[] = ','): string[][] =>
  parse(csv, { bom: true, delimiter, relaxColumnCount: true, relaxQuotes: true });

const cell = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom(...formulaSigns, "'", '"', ',', '\n', ';', 'a') }),
);

test('no cell begins with anything that a program takes for a formula', () => {
  expect(read(csvLines([formulaSigns.map((sign) => `${sign}1+1`)]))).toEqual([
    formulaSigns.map((sign) => `'${sign}1+1`),
  ]);
  fc.assert(
    fc.property(fc.array(cell, { minLength: 1 }), (row) => {
      for (const text of read(csvLines([row])).flat()) expect(formulaSigns).not.toContain(text[0]);
    }),
  );
});

test('nor if a program uses separators other than commas, or several at once', () => {
  expect(csvLines([['x', 'a;=1+1;b', 'a;b', 'a\tb', 'a\r\n@b']])).toBe(
    `x,"a;'=1+1;b","a;b","a\tb","a\r\n'@b"\r\n`,
  );
  const quoteless = cell.map((text) => text.replaceAll('"', ''));
  fc.assert(
    fc.property(fc.array(fc.tuple(quoteless, quoteless), { minLength: 1 }), (table) => {
      const csv = csvLines(table);
      // Quotes that do not begin a cell are part of it, and enclose no separator.
      const bare = csv.replaceAll('"', '');
      const cells = [...read(bare, ';'), ...read(bare, '\t'), ...read(csv, [',', ';', '\t'])].flat();
      for (const text of cells) expect(text).not.toMatch(/^[=+@＝＋－＠-]/);
    }),
  );
  // However a program treats quotes: a possible start of a cell is never followed by quotes and a sign.
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constant('x'), cell, cell), { minLength: 1 }), (table) => {
      expect(csvLines(table)).not.toMatch(/(?:^|[;\t\r\n])"*[=+@＝＋－＠-]/);
    }),
  );
});

test('the file preserves any content of cells', () => {
  const rows = fc.array(fc.tuple(cell, cell, cell), { minLength: 1 });
  fc.assert(
    fc.property(rows, (table) => {
      const found = read(csvHeader(['a', 'b', 'c']) + csvLines(table));
      expect(found.slice(1).map((row) => row.map(withoutFormulaMark))).toEqual(table);
    }),
  );
});

test('numbers stay numbers, even negative ones; an absent value is empty', () => {
  expect(csvLines([[-5, 0, true, false, null, '']])).toBe('-5,0,true,false,,\r\n');
});

test('a file begins with the mark by which Excel recognises UTF-8', () => {
  expect([...Buffer.from(csvHeader(['id']))].slice(0, 4)).toEqual([0xef, 0xbb, 0xbf, 'i'.charCodeAt(0)]);
});

test('a long run of any character takes no longer than other text', () => {
  for (const unit of ['"', "'", ';', ';"', ";'", 'a']) {
    const text = unit.repeat(400_000 / unit.length);
    expect(cpuOf(() => withoutFormulaMark(withFormulaMark(text)))).toBeLessThan(500);
  }
});
