/** Files made to harm the process that reads them. */
import { existsSync, readFileSync } from 'node:fs';
import { setInterval } from 'node:timers/promises';
import { deflateRawSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { createSpreadsheetReader, type SpreadsheetReader } from './spreadsheet-reader.ts';
import { sheetXml, stringsXml, workbookOf, zipOf } from './testing/zip.ts';

const bounds = { rowsMax: 501, columnsMax: 50, charactersMax: 2_000_000, cellCharactersMax: 100_000 };
/** Long enough that no file is refused because a busy machine was slow. */
const reader = createSpreadsheetReader({ fileMsMax: 60_000 });
afterAll(() => reader.close());

const read = (file: Buffer) => reader.read([file], bounds, 'tenant');
const refusalOf = (file: Buffer, by = reader): Promise<string> =>
  by.read([file], bounds, 'tenant').then(
    (spreadsheet) => `was read: ${JSON.stringify(spreadsheet).slice(0, 200)}`,
    (error: Error) => error.message,
  );

/** The peak memory of a process, in bytes; 0 if it has ended. */
const peakBytesOf = (pid: number): number => {
  try {
    const kilobytes = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0;
  }
};

/** @returns the refusal, the peak memory of a reading process, and the growth of this process */
const measured = async (file: Buffer, by: SpreadsheetReader) => {
  const before = process.memoryUsage.rss();
  let peakBytes = 0;
  let grownBytes = 0;
  let isDone = false;
  const refusal = refusalOf(file, by).finally(() => {
    isDone = true;
  });
  for await (const _ of setInterval(5)) {
    peakBytes = Math.max(peakBytes, ...by.pids().map(peakBytesOf));
    grownBytes = Math.max(grownBytes, process.memoryUsage.rss() - before);
    if (isDone) break;
  }
  return { refusal: await refusal, peakBytes, grownBytes };
};

const megabyte = 2 ** 20;
/** Compresses to a thousandth of its size. */
const bomb = (text: string, megabytes: number) => {
  const bytes = megabytes * megabyte;
  return { deflated: deflateRawSync(Buffer.alloc(bytes, text), { level: 1 }), bytes };
};

const row = (number: number | string, cells: string): string => `<row r="${number}">${cells}</row>`;
const shared = (count: number): string => '<c t="s"><v>0</v></c>'.repeat(count);

describe.skipIf(!existsSync('/proc/self/status'))('a workbook that expands without end', () => {
  const hasty = createSpreadsheetReader({ fileMsMax: 2_500 });
  afterAll(() => hasty.close());
  const spaces = bomb(' ', 256);
  const rows = bomb('<row><c><v>1</v></c></row>', 256);

  it.each([
    ['in its sheet', workbookOf({ content: spaces })],
    ['in its shared strings', workbookOf({ content: sheetXml('') }, { content: rows })],
  ])('%s is refused unread', async (_, file) => {
    expect(file.length).toBeLessThan(3 * megabyte);
    const { refusal, peakBytes } = await measured(file, reader);
    expect(refusal).toBe('file expands to 257 MB, more than 128 MB; send fewer rows');
    expect(peakBytes).toBeLessThan(150 * megabyte);
  });

  it.each([
    ['to strings', workbookOf({ content: sheetXml('') }, { content: bomb('<si><t>a</t></si>', 120) })],
    ['and states another size, in its sheet', workbookOf({ content: spaces, statedBytes: 99 })],
    ['and states another size, in rows', workbookOf({ content: rows, statedBytes: 99 })],
    [
      'and states another size, in its strings',
      workbookOf({ content: sheetXml('') }, { content: rows, statedBytes: 99 }),
    ],
  ])('%s takes bounded memory, and ends', async (_, file) => {
    const { refusal, peakBytes, grownBytes } = await measured(file, hasty);
    expect(refusal).toMatch(/^file (takes too|is damaged)/);
    expect(peakBytes).toBeGreaterThan(40 * megabyte);
    expect(peakBytes).toBeLessThan(500 * megabyte);
    expect(grownBytes).toBeLessThan(64 * megabyte);
  });

  it('harms only itself: the next file is read', async () => {
    expect((await read(Buffer.from('a,b\n1,2\n'))).rows).toHaveLength(2);
  });
});

describe('a workbook', () => {
  it('of a million rows is refused without reading them', async () => {
    const rows = '<row><c t="inlineStr"><is><t>x</t></is></c></row>'.repeat(1_000_000);
    const file = workbookOf({ content: sheetXml(rows) });
    expect(await refusalOf(file)).toBe(
      'file must have at most 500 rows below its header; it has more: split it',
    );
  });

  it('whose cells repeat one long text is refused by the length of the table', async () => {
    const file = workbookOf(
      { content: sheetXml(row(1, shared(50)).concat(row(2, shared(50)))) },
      { content: stringsXml(`<si><t>${'x'.repeat(30_000)}</t></si>`) },
    );
    expect(await refusalOf(file)).toBe('file must hold at most 2000000 characters in all cells');
  });

  it('has at most as many columns as the limit, wherever its cells are', async () => {
    const file = workbookOf({ content: sheetXml(row(1, '<c r="XFD1"><v>1</v></c>')) });
    expect(await refusalOf(file)).toBe('file must have at most 50 columns; row 1 has 16384');
  });

  it('has no row beyond the last possible row of a sheet', async () => {
    const file = workbookOf({ content: sheetXml(row('9007199254740991', '<c><v>1</v></c>')) });
    expect(await refusalOf(file)).toMatch(/^file is damaged: it has a row with the number/);
  });

  it('expands no XML entities', async () => {
    const entities = ['<!ENTITY a0 "ha">'];
    for (let at = 1; at < 20; at++) entities.push(`<!ENTITY a${at} "${`&a${at - 1};`.repeat(10)}">`);
    const items = `<!DOCTYPE sst [${entities.join('')}]>${stringsXml('<si><t>&a19;</t></si>')}`;
    const file = workbookOf({ content: sheetXml(row(1, shared(1))) }, { content: items });
    const { rows } = await read(file).catch(() => ({ rows: [] }));
    expect(JSON.stringify(rows).length).toBeLessThan(100);
  });

  it('inside another archive is not opened', async () => {
    const inner = workbookOf({ content: sheetXml('') });
    expect(await refusalOf(zipOf([{ name: 'inner.zip', content: inner }]))).toMatch(/without a workbook/);
  });

  it('that takes too long is refused, and its process is killed', async () => {
    const hasty = createSpreadsheetReader({ fileMsMax: 1 });
    const file = workbookOf({ content: sheetXml('<row/>'.repeat(2_000_000)) });
    await expect(hasty.read([file], bounds, 'tenant')).rejects.toThrow('file takes too long to read');
    expect(hasty.pids()).toEqual([]);
    hasty.close();
  });
});

it('a file whose process is killed from outside is not at fault', async () => {
  const other = createSpreadsheetReader();
  const file = Buffer.from('data\nhttps://example.com/1\n');
  try {
    await other.read([file], bounds, 'tenant');
    const [pid] = other.pids();
    process.kill(pid!, 'SIGSTOP');
    const reading = other.read([file], bounds, 'tenant').catch((error: unknown) => error);
    await expect.poll(() => other.load().running).toBe(1);
    process.kill(pid!, 'SIGKILL');
    expect(await reading).toMatchObject({ code: 'UNAVAILABLE' });
    expect((await other.read([file], bounds, 'tenant')).rows.length).toBe(2);
  } finally {
    other.close();
  }
});
