/** For tests: sheets drawn without a control plane, and pages as poppler renders them. */
import { spawnSync } from 'node:child_process';
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { sheetLayout } from '#schemas/api/serialized-sheets.ts';
import { type SheetDesign, sheetDocument, sheetSymbol } from '../../../../rendering/index.ts';
import { pagePart } from '../../../../rendering/sheets/page-content.ts';
import { setText } from '../../../../rendering/sheets/set-text.ts';
import {
  type CaptionedBatch,
  type CaptionedItem,
  captionNames,
  captionTexts,
  itemTexts,
} from '../captions.ts';
import { designSheets } from '../sheet-layout.ts';

export const gtin = '09506000134352';

const bare: CaptionedBatch = { id: 'batch_test', gtin, productName: null, productSku: null };

/** As long as real ids and serials. */
export const itemOf = (number: number): CaptionedItem => {
  const itemId = `iTem${String(number).padStart(8, '7')}`;
  return { itemId, serial: `${itemId}check${String(number).padStart(3, '0')}` };
};

export const payloadOf = ({ itemId }: CaptionedItem): string =>
  `https://qr.example.com/v/${itemId}/${itemId}5Gnt`;

/** Sheets, and what their labels have no room for. */
export const sheetsOf = (
  layout: object,
  batch: Partial<CaptionedBatch> = {},
  payload = payloadOf(itemOf(1)),
  item = itemOf(1),
): ReturnType<typeof designSheets> => {
  const parsed = sheetLayout.parse(layout);
  return designSheets(parsed, {
    symbol: sheetSymbol(payload),
    captions: captionTexts({ ...bare, ...batch }, captionNames(parsed), item, payload),
    setFixedText: setText,
  });
};

export const designOf = async (...asked: Parameters<typeof sheetsOf>): Promise<SheetDesign> =>
  (await sheetsOf(...asked)).design;

export interface DrawnSheets {
  design: SheetDesign;
  pdf: Buffer;
  /** The deflated content of each page. */
  contents: readonly Buffer[];
  items: readonly CaptionedItem[];
}

export const drawSheets = async (
  layout: object,
  count: number,
  batch: Partial<CaptionedBatch> = {},
): Promise<DrawnSheets> => {
  const design = await designOf(layout, batch);
  const names = captionNames(sheetLayout.parse(layout));
  const items = Array.from({ length: count }, (_, index) => itemOf(index + 1));
  const contents: Buffer[] = [];
  for (let at = 0; at < count; at += design.places.length) {
    const labels = items.slice(at, at + design.places.length).map((item) => ({
      payload: payloadOf(item),
      texts: itemTexts({ ...bare, ...batch }, names, item),
    }));
    contents.push(await pagePart({ design, first: 0, labels, note: 'batch_test  page 1 of 1' }));
  }
  async function* pages() {
    for (const content of contents) yield [content];
  }
  const pdf = await buffer(sheetDocument({ design, title: 'Test', createdAt: new Date(0) }, pages()));
  return { design, pdf, contents, items };
};

/** The output of a poppler program about a PDF. */
export const poppler = (program: string, args: readonly string[], pdf: Buffer): Buffer => {
  const { stdout, stderr, status } = spawnSync(program, [...args], { input: pdf, maxBuffer: 2 ** 28 });
  if (status !== 0 || stderr.length > 0) throw new Error(`${program}: ${stderr}`);
  return stdout;
};

export const textOf = (pdf: Buffer): string => poppler('pdftotext', ['-raw', '-', '-'], pdf).toString();

/** A page in grey, and its pixels per millimetre. */
export interface Shown {
  data: Buffer;
  width: number;
  height: number;
  perMm: number;
}

export const showPage = async (pdf: Buffer, page: number, dpi: number): Promise<Shown> => {
  const png = poppler('pdftoppm', ['-r', `${dpi}`, '-png', '-f', `${page}`, '-l', `${page}`, '-'], pdf);
  const { data, info } = await sharp(png).greyscale().raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, perMm: dpi / 25.4 };
};

/** A part of a page, as a PNG. @param area in millimetres from the upper left corner of the trimmed page */
export const cutOut = (
  shown: Shown,
  { slug }: SheetDesign,
  [x, y, width, height]: readonly [number, number, number, number],
): Promise<Buffer> => {
  const pixels = (mm: number) => Math.round(mm * shown.perMm);
  const [left, top] = [pixels(x + slug), pixels(y + slug)];
  return sharp(shown.data, { raw: { width: shown.width, height: shown.height, channels: 1 } })
    .extract({
      left,
      top,
      width: Math.min(pixels(width), shown.width - left),
      height: Math.min(pixels(height), shown.height - top),
    })
    .png()
    .toBuffer();
};
