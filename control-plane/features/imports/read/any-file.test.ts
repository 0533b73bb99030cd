/** Any CSV is read as a slow reference reads it, and hostile files are refused cheaply. */
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ClientError } from '#shared/errors.ts';
import {
  createSpreadsheetReader,
  type SpreadsheetReader,
} from '../../../platform/spreadsheets/spreadsheet-reader.ts';
import { linksOf } from '../testing/files.ts';
import { importBounds, pageNames } from './form.ts';
import { columnNames } from './vendors/index.ts';

/** RFC 4180, one character after the other. */
const slowly = (text: string): string[][] => {
  const rows: string[][] = [['']];
  let isQuoted = false;
  const cells = () => rows.at(-1)!;
  for (let at = 0; at < text.length; at++) {
    const [sign, next] = [text[at]!, text[at + 1]];
    const put = (more: string) => cells().push(cells().pop()! + more);
    if (isQuoted && sign === '"' && next === '"') put(text[++at]!);
    else if (sign === '"') isQuoted = !isQuoted;
    else if (!isQuoted && sign === ',') cells().push('');
    else if (!isQuoted && sign === '\r' && next === '\n') continue;
    else if (!isQuoted && (sign === '\n' || sign === '\r')) rows.push(['']);
    else put(sign);
  }
  return rows;
};

const header = ['shortCode', 'longUrl', 'title', 'tags'];
const cell = fc.oneof(
  fc.string({
    unit: fc.constantFrom('"', ',', '\n', '\r\n', ';', '\t', '|', ' ', 'a', 'ü', '漢', '👩‍🚀', "'"),
  }),
  fc.string({ unit: 'grapheme' }),
);
/** Without what a file of text does not have, and without signs that make a formula. */
const plainCell = cell.map((text) =>
  text.replace(/[^\P{Cc}\t\r\n]/gu, '').replace(/['=+\-@＝＋－＠\u0085]/gu, ''),
);
const quotedAlways = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const quotedIfNeeded = (text: string): string => (/[",\r\n]/.test(text) ? quotedAlways(text) : text);

test('any CSV with quotes, line breaks, Unicode, a mark and either line end is read as a slow reference reads it', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(plainCell, plainCell, plainCell), { minLength: 1, maxLength: 8 }),
      fc.constantFrom('\n', '\r\n'),
      fc.boolean(),
      fc.constantFrom(quotedAlways, quotedIfNeeded),
      (given, lineEnd, hasMark, write) => {
        const rows = given.map(([url, title, tags], at) => [
          `code${at}`,
          `https://example.com/${url}`,
          title,
          tags,
        ]);
        const text = [header, ...rows].map((cells) => cells.map(write).join(',')).join(lineEnd);
        const expected = slowly(text).slice(1);
        const { links } = linksOf(Buffer.from((hasMark ? '\ufeff' : '') + text));
        expect(links.map(({ shortLinks, destination }) => [shortLinks[0]!.slug, destination])).toEqual(
          expected.map(([slug, url]) => [slug, url!.trim()]),
        );
        for (const [at, { name }] of links.entries()) {
          const title = expected[at]![2]!.replace(/[\s\p{Cc}]+/gu, ' ').trim();
          expect(name ?? '').toBe(title.length > 120 ? title.slice(0, 120) : title);
        }
      },
    ),
    { numRuns: 300 },
  );
});

describe('a hostile file', () => {
  let reader: SpreadsheetReader;
  beforeAll(() => {
    reader = createSpreadsheetReader();
  });
  afterAll(() => reader.close());

  const refusal = async (file: Buffer): Promise<string> => {
    try {
      await reader.read([file], importBounds, 'ws_1', columnNames(undefined), pageNames);
    } catch (error) {
      if (error instanceof ClientError) return error.message;
      throw error;
    }
    return 'it is read';
  };

  const head = 'shortCode,longUrl\n';
  test.each<[string, () => Buffer, RegExp]>([
    ['a line of 16 MB', () => Buffer.from(`${head}a,${'x'.repeat(16 * 2 ** 20)}`), /characters in a cell/],
    [
      'a million columns',
      () => Buffer.from(`${head}${','.repeat(1_000_000)}`),
      /commas, semicolons, tabs and bars/,
    ],
    ['NUL', () => Buffer.from(`${head}a\0,https://example.com/`), /neither an XLSX workbook nor text/],
    ['five million lines', () => Buffer.from(head + '\n'.repeat(5_000_000)), /lines, blank ones included/],
    ['too many links', () => Buffer.from(head + 'a,b\n'.repeat(20_001)), /at most 20000 rows/],
    [
      'a quote that is never closed',
      () => Buffer.from(`${head}"${'a,b\n'.repeat(1_000_000)}`),
      /never closed|characters/,
    ],
    ['a compressed file', () => gzipSync(Buffer.alloc(100 * 2 ** 20)), /compressed with gzip/],
    ['a million brackets', () => Buffer.from('['.repeat(1_000_000)), /levels of objects and lists/],
    ['a million empty pages', () => Buffer.from('{}'.repeat(1_000_000)), /at most 10000 pages/],
    [
      'two million values',
      () => Buffer.from(`{"links":[${'0,'.repeat(2_000_000)}0]}`),
      /at most 1000000 values/,
    ],
    ['links that are no objects', () => Buffer.from('{"links":[1]}'), /must have objects as entries/],
    [
      'objects with ever new keys',
      () => Buffer.from(`[${Array.from({ length: 5_000 }, (_, n) => `{"k${n}":1}`).join()}]`),
      /different keys/,
    ],
  ])('%s is refused', async (_, file, message) => {
    expect(await refusal(file())).toMatch(message);
  });

  test('of texts that PostgreSQL does not take is read, and its bad parts cost themselves', () => {
    const entry = {
      address: 'a',
      target: 'https://example.com/',
      description: 'x\u0000\ud800y',
      id: '\u0000',
    };
    const { links } = linksOf(Buffer.from(JSON.stringify({ data: [entry] })));
    expect(links[0]).toMatchObject({
      name: 'x \ufffdy',
      externalId: null,
      warnings: [expect.stringContaining('id')],
    });
  });
});

/** A hundred times what a row takes, and a fraction of what it took without bounds. */
const rowMsMax = 100;
const marks = `a${'\u0301\u0323'.repeat(9_900)}`;

test.each<[string, object]>([
  ['a host of letters that are not ASCII', { link: `https://${'漢'.repeat(19_000)}.com/a` }],
  ['short links', { custom_bitlinks: Array.from({ length: 3_000 }, (_, n) => n.toString(36)) }],
  ['bars as tags', { tags: Array(4_900).fill('|') }],
  ['a tag of marks that are put in order', { tags: [marks] }],
  ['a short code of marks that are put in order', { address: marks, target: 'https://example.com/' }],
  [
    'slashes in a short code',
    { keyword: '', source: `a${'/'.repeat(19_000)}a`, url: 'https://example.com/', target: '', hits: '1' },
  ],
])('a row with 20,000 characters of %s costs little time, and has few warnings', (_, entry) => {
  const row = 'target' in entry ? entry : { id: 'bit.ly/a', long_url: 'https://example.com/', ...entry };
  const file = Buffer.from(JSON.stringify([row]));
  linksOf(file);
  const beginMs = performance.now();
  const { links } = linksOf(file);
  expect(performance.now() - beginMs).toBeLessThan(rowMsMax);
  expect(links).toHaveLength(1);
  expect(links[0]!.warnings.length).toBeLessThanOrEqual(20);
  expect(links[0]!.shortLinks.length).toBeLessThanOrEqual(20);
});

test('of more short links and tags than a code has, the first ones are taken, and warnings say so', () => {
  const custom = Array.from({ length: 30 }, (_, n) => `go.example.com/c${n}`);
  const row = {
    id: 'bit.ly/a',
    long_url: 'https://example.com/',
    custom_bitlinks: custom,
    tags: [...Array(30).fill('|'), ...Array.from({ length: 300 }, (_, n) => `t${n}`)],
  };
  const [link] = linksOf(Buffer.from(JSON.stringify([row]))).links;
  expect(link!.shortLinks.map(({ slug }) => slug)).toEqual([
    'a',
    ...custom.slice(0, 19).map((text) => text.slice(15)),
  ]);
  expect(link!.tags).toEqual(Array.from({ length: 50 }, (_, n) => `t${n}`));
  expect(link!.warnings).toHaveLength(20);
  expect(link!.warnings[0]).toMatch(/aliases/);
  expect(link!.warnings.at(-1)).toBe('Further parts of the link were left out');
});
