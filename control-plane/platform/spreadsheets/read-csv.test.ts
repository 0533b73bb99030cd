import { describe, expect, it } from 'vitest';
import { cpuOf } from '../../testing/longest-step.ts';
import { readCsv } from './read-csv.ts';

const bounds = { rowsMax: 501, columnsMax: 50, charactersMax: 1_000_000, cellCharactersMax: 1_000_000 };
const read = (file: Buffer | string) => readCsv(Buffer.from(file), bounds);
const cellsOf = (file: Buffer | string) => read(file).rows.map(({ cells }) => cells);

const table = [
  ['name', 'destination'],
  ['Café', 'https://a.example/?a=1'],
];
const text = 'name,destination\r\nCafé,https://a.example/?a=1\r\n';
const utf16be = Buffer.from(text, 'utf16le').swap16();

describe('a CSV file is read', () => {
  it.each([
    ['in UTF-8', Buffer.from(text)],
    ['in UTF-8 with a byte order mark', Buffer.from(`\uFEFF${text}`)],
    ['in UTF-16, little end first, with its mark', Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['in UTF-16, little end first, without', Buffer.from(text, 'utf16le')],
    ['in UTF-16, big end first, with its mark', Buffer.concat([Buffer.from([0xfe, 0xff]), utf16be])],
    ['in UTF-16, big end first, without', utf16be],
    ['with LF', text.replaceAll('\r\n', '\n')],
    ['with CR', text.replaceAll('\r\n', '\r')],
    ['with CRLF and LF', text.replace('\r\n', '\n')],
    ['without a line end after its last line', text.trimEnd()],
    ['with semicolons', text.replaceAll(',', ';')],
    ['with tabs', text.replaceAll(',', '\t')],
    ['with bars', text.replaceAll(',', '|')],
    ['with quotes', '"name","destination"\n"Café","https://a.example/?a=1"'],
    ['with the delimiter in its own line', `sep=;\r\n${text.replaceAll(',', ';')}`],
    [
      'with blank rows and columns',
      ',,,\r\n,name,,destination,\r\n,,,\r\n,Café,,https://a.example/?a=1,\r\n,,,\r\n',
    ],
  ])('%s', (_, file) => {
    expect(cellsOf(file)).toEqual(table);
    expect(read(file).notes).toEqual([]);
  });

  it('in Windows-1252, with a note that says so', () => {
    const { rows, notes } = read(Buffer.from(text, 'latin1'));
    expect(rows[1]?.cells[0]).toBe('Café');
    expect(notes).toEqual([expect.stringMatching(/was read as Windows-1252/)]);
  });

  it('with quotes, line ends and delimiters inside its cells', () => {
    expect(cellsOf('a;b\n"x;""y""\nz";5" pipe\n')).toEqual([
      ['a', 'b'],
      ['x;"y"\nz', '5" pipe'],
    ]);
  });

  it('with rows that have more or fewer cells than its header', () => {
    expect(cellsOf('a,b\n1,2\n3\n4,5,6\n7,8\n')).toEqual([
      ['a', 'b', ''],
      ['1', '2', ''],
      ['3', '', ''],
      ['4', '5', '6'],
      ['7', '8', ''],
    ]);
  });

  it('with the delimiter of its header, if that has column names', () => {
    const file = 'name;destination\nA, B;x,y\nC, D;z,w;\n';
    expect(
      readCsv(Buffer.from(file), bounds, ['Name', 'Destination']).rows.map(({ cells }) => cells),
    ).toEqual([
      ['name', 'destination'],
      ['A, B', 'x,y'],
      ['C, D', 'z,w'],
    ]);
  });

  it('as lines if no delimiter makes columns: commas are part of addresses', () => {
    const lines = ['https://a.example/@52.5,13.4,15z', 'https://b.example/;x', 'https://c.example'];
    expect(cellsOf(lines.join('\n'))).toEqual(lines.map((line) => [line]));
  });

  it('with the row numbers of a spreadsheet program: blank rows count', () => {
    expect(read('a,b\n\n"1\n1",2\n\n3,4').rows.map(({ number }) => number)).toEqual([1, 3, 5]);
    expect(read('sep=,\na,b\n1,2').rows.map(({ number }) => number)).toEqual([2, 3]);
  });
});

describe('a CSV file is refused', () => {
  it.each([
    ['with a quote that is never closed', 'a,b\n1,"2\n3,4', /^has a quote that opens and is never closed/],
    [
      'with bytes that are not text',
      Buffer.from([0x41, 0x00, 0x01, 0x02, 0xff]),
      /^is neither an XLSX workbook nor text/,
    ],
    [
      'with more rows than the bound',
      'x\n'.repeat(502),
      /^must have at most 500 rows below its header; it has more: split it/,
    ],
    [
      'with more columns than the bound',
      `${'x,'.repeat(50)}y\n`,
      /^must have at most 50 columns; row 1 has 51/,
    ],
    [
      'with more text in a cell than the bound',
      `x,y\n1,${'x'.repeat(1_000_001)}`,
      /^must have at most 1000000 characters in a cell; row 2 has more/,
    ],
    [
      'with more text than the bound',
      `${'x'.repeat(600_000)},${'x'.repeat(600_000)}`,
      /^must hold at most 1000000 characters/,
    ],
  ])('%s', (_, file, message) => {
    expect(() => read(file)).toThrow(message);
  });
});

describe('a file that would take the parser many seconds is refused before', () => {
  it.each([
    ['nine million line ends', '\n'.repeat(9_000_000), 'must have at most 100000 lines, blank ones included'],
    [
      'as many carriage returns',
      '\r'.repeat(9_000_000),
      'must have at most 100000 lines, blank ones included',
    ],
    ['as many of both', '\r\n'.repeat(4_500_000), 'must have at most 100000 lines, blank ones included'],
    [
      'lines of a semicolon each',
      ';\n'.repeat(4_500_000),
      'must have at most 100000 lines, blank ones included',
    ],
    ['as many rows', 'a\n'.repeat(4_500_000), 'must have at most 500 rows below its header'],
    ['as many semicolons', `name\n${';'.repeat(9_000_000)}`, 'in a line; line 2 has more'],
    ['cells with a quote within', `name\n${'a"b,'.repeat(2_000_000)}`, 'in a line; line 2 has more'],
  ])('%s', (_, file, message) => {
    let refusal: unknown;
    const took = cpuOf(() => {
      try {
        read(file);
      } catch (error) {
        refusal = error;
      }
    });
    expect(String(refusal)).toContain(message);
    expect(took).toBeLessThan(1_500);
  });

  it('but not the largest rules in a cell', () => {
    const rules = JSON.stringify(
      Array.from({ length: 50 }, () => ({ countries: Array(249).fill('DE'), a: 1 })),
    );
    expect(cellsOf(`name,rules\na,"${rules.replaceAll('"', '""')}"\n`)[1]).toEqual(['a', rules]);
  });
});
