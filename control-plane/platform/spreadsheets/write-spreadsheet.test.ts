import fc from 'fast-check';
import { readXlsx as readWorkbook } from 'hucre/xlsx';
import { describe, expect, it, test } from 'vitest';
import { readCsv } from './read-csv.ts';
import { readXlsx } from './read-xlsx.ts';
import { writeCsv, writeXlsx } from './write-spreadsheet.ts';

const bounds = { rowsMax: 100, columnsMax: 30, charactersMax: 1_000_000, cellCharactersMax: 1_000_000 };

/** Text as a cell keeps it: without control characters, and without blanks around it. */
const text = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.constantFrom(
      '=1+1',
      "'=1+1",
      "''+4930",
      'a,b',
      'a;b',
      '"',
      'x\ny',
      '0049',
      '+49',
      '1e5',
      '_x0041_',
      '&amp;',
      '<b>',
      'TRUE',
    ),
  )
  .map((each) => each.replaceAll(/\p{Cc}|[\uFFFE\uFFFF\uFEFF]/gu, '').trim());

/** At least two columns, none of them blank, and no blank row. */
const table = fc.integer({ min: 2, max: 6 }).chain((columns) =>
  fc.array(
    fc.array(text, { minLength: columns - 1, maxLength: columns - 1 }).map((cells) => ['id', ...cells]),
    { minLength: 1, maxLength: 12 },
  ),
);

const withHeader = (rows: string[][]): string[][] => [rows[0]!.map((_, at) => `column ${at}`), ...rows];

test('rows to fill in are text, so that a number keeps its plus and zeros, or days, so that any spelling becomes a date', async () => {
  const columns = [{}, { format: 'day' }] as const;
  const file = await writeXlsx([{ name: 'S', rows: [['phone', 'end']], columns, blankRows: 2 }]);
  const { sheets } = await readWorkbook(file, { readStyles: true });
  const formatOf = (cell: string) => sheets[0]?.cells?.get(cell)?.style?.numFmt;
  expect([formatOf('2,0'), formatOf('2,1')]).toEqual(['@', 'yyyy-mm-dd']);
  expect((await readXlsx(file, bounds)).rows).toHaveLength(1);
});

describe('a table', () => {
  it('is read back unchanged from CSV', () => {
    fc.assert(
      fc.property(table, (rows) => {
        const written = withHeader(rows);
        expect(readCsv(writeCsv(written), bounds).rows.map(({ cells }) => cells)).toEqual(written);
      }),
      { numRuns: 200 },
    );
  });

  it('is read back unchanged from XLSX', async () => {
    await fc.assert(
      fc.asyncProperty(table, async (rows) => {
        const written = withHeader(rows);
        const file = await writeXlsx([{ name: 'S', rows: written }]);
        expect((await readXlsx(file, bounds)).rows.map(({ cells }) => cells)).toEqual(written);
      }),
      { numRuns: 100 },
    );
  });
});
