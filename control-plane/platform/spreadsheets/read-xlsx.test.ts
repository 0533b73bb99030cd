/** openpyxl wrote the workbooks of `testing/`. */
import { readFileSync } from 'node:fs';
import { writeXlsx as writeWorkbook } from 'hucre/xlsx';
import { describe, expect, it } from 'vitest';
import { readXlsx } from './read-xlsx.ts';
import { isCellError } from './spreadsheet.ts';
import { sheetXml, workbookOf } from './testing/zip.ts';

const bounds = { rowsMax: 501, columnsMax: 50, charactersMax: 1_000_000, cellCharactersMax: 1_000_000 };
const fileOf = (name: string) => readFileSync(new URL(`./testing/${name}`, import.meta.url));

const { rows, notes, format } = await readXlsx(fileOf('every-cell.xlsx'), bounds);
/** The cell after the cell with this text. */
const textOf = (kind: string) => rows.find(({ cells }) => cells[0] === kind)?.cells[1];

describe('a cell of a workbook', () => {
  it.each([
    ['rich', 'a bold word'],
    ['date', '2030-01-02'],
    ['moment', '2030-01-02T03:04:05'],
    ['time', '09:30:00'],
    ['phone', '491701234567'],
    ['large', '1000000000000000000000'],
    ['sum', '0.3'],
    ['percent', '0.5'],
    ['true', 'true'],
    ['error', '#REF!'],
    ['line', 'one\ntwo'],
    ['after a blank row', 'padded'],
    ['escaped', 'A'],
  ])('%s is %j', (kind, text) => {
    expect(textOf(kind)).toBe(text);
  });

  it('with a date counts from 1900 as Excel does, whose calendar has a 29 February 1900', () => {
    expect([59, 60, 61].map((day) => textOf(`day ${day}`))).toEqual([
      '1900-02-28',
      '1900-02-28',
      '1900-03-01',
    ]);
  });

  it('with a date counts from 1904 if the workbook says so', async () => {
    const { rows } = await readXlsx(fileOf('dates-1904.xlsx'), bounds);
    expect(rows.map(({ cells }) => cells)).toEqual([['2026-11-22T12:00:00'], ['1904-01-02']]);
  });

  it('with a formula has its cached value; nothing is calculated', async () => {
    const file = workbookOf({
      content: sheetXml(
        '<row r="1"><c r="A1"><f>1+1</f><v>3</v></c><c r="B1" t="str"><f>WEBSERVICE("http://x")</f><v>text</v></c>' +
          '<c r="C1"><f>1+1</f></c><c r="D1" t="e"><f>1/0</f><v>#DIV/0!</v></c></row>',
      ),
    });
    expect((await readXlsx(file, bounds)).rows[0]?.cells).toEqual(['3', 'text', '#DIV/0!']);
  });

  it('with a number shows the zeros and signs of its format', async () => {
    const formats = ['0000000000', '"+"0', '\\+0', '0000 000000', 'General', '0.00', '#,##0', '000-00-0000'];
    const value = 301234567;
    const cells = new Map(formats.map((numFmt, at) => [`2,${at + 1}`, { value, style: { numFmt } }]));
    const file = Buffer.from(
      await writeWorkbook({
        sheets: [{ name: 'S', rows: [['phone'], [], ['x', ...formats.map(() => value)]], cells }],
      }),
    );
    expect((await readXlsx(file, bounds)).rows[1]?.cells.slice(1)).toEqual([
      '0301234567',
      '+301234567',
      '+301234567',
      '0301 234567',
      '301234567',
      '301234567',
      '301234567',
      '301-23-4567',
    ]);
  });

  it('with a formula error is recognised as an error', () => {
    expect(isCellError(textOf('error')!)).toBe(true);
    expect(isCellError('#1 of 3')).toBe(false);
  });

  it('that is merged has its value only in its first cell', () => {
    const at = rows.findIndex(({ cells }) => cells[0] === 'two rows');
    expect(rows[at - 1]?.cells).toEqual(['merged', '', '']);
    expect(rows[at]?.cells).toEqual(['two rows', 'first', '']);
    expect(rows[at + 1]?.cells).toEqual(['', 'second', '']);
  });
});

describe('a workbook', () => {
  it('yields the rows of its first visible sheet with their numbers, and says so', () => {
    expect(format).toBe('xlsx');
    expect(notes).toEqual(["Only the first visible sheet, 'Codes', was read; left out: 'Notes', 'Second'."]);
    expect(rows[0]).toEqual({ number: 2, cells: ['kind', 'value', 'more'] });
    expect(rows.at(-1)?.number).toBe(22);
  });

  it('without rows yields none', async () => {
    expect((await readXlsx(workbookOf({ content: sheetXml('') }), bounds)).rows).toEqual([]);
  });

  it('that is cut off is damaged', async () => {
    const file = fileOf('every-cell.xlsx');
    await expect(readXlsx(file.subarray(0, 3000), bounds)).rejects.toThrow(/^is damaged: its end is missing/);
    const broken = Buffer.from(file).fill(0x41, 60, 3000);
    await expect(readXlsx(broken, bounds)).rejects.toThrow(
      /^is damaged: it cannot be read as an XLSX workbook/,
    );
  });
});
