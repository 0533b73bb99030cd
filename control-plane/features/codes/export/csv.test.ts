import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withoutFormulaMark } from '../../../spreadsheets/formula-mark.ts';
import { csvHeader, csvLines } from './csv.ts';

const formulaSigns = ['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠'];

const read = (csv: string): string[][] => parse(csv, { bom: true, relaxColumnCount: true });

const cell = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom(...formulaSigns, "'", '"', ',', '\n', ';', 'a') }),
);

test('no cell begins with what a program takes for a formula', () => {
  expect(read(csvLines([formulaSigns.map((sign) => `${sign}1+1`)]))).toEqual([
    formulaSigns.map((sign) => `'${sign}1+1`),
  ]);
  fc.assert(
    fc.property(fc.array(cell, { minLength: 1 }), (row) => {
      for (const text of read(csvLines([row])).flat()) expect(formulaSigns).not.toContain(text[0]);
    }),
  );
});

test('whatever the cells have in them, the file has them all', () => {
  const rows = fc.array(fc.tuple(cell, cell, cell), { minLength: 1 });
  fc.assert(
    fc.property(rows, (table) => {
      const found = read(csvHeader(['a', 'b', 'c']) + csvLines(table));
      expect(found.slice(1).map((row) => row.map(withoutFormulaMark))).toEqual(table);
    }),
  );
});

test('numbers are numbers, also negative ones; what is absent is empty', () => {
  expect(csvLines([[-5, 0, true, false, null, '']])).toBe('-5,0,true,false,,\r\n');
});

test('a file begins with the mark by which Excel knows UTF-8', () => {
  expect([...Buffer.from(csvHeader(['id']))].slice(0, 4)).toEqual([0xef, 0xbb, 0xbf, 'i'.charCodeAt(0)]);
});
