/** Print sheets of serialized codes, as the API takes them. */
import { z } from 'zod';
import { described } from './described.ts';
import { type LabelStockName, labelStockNames } from './label-stocks.ts';
import { wholeNumber } from './numbers.ts';
import { mintCountMax, uriFormats } from './serialized.ts';
import {
  gapTexts,
  gridTexts,
  labelTexts,
  layoutTexts,
  marginTexts,
  pageTexts,
  sheetAnswerTexts,
  sheetBodyTexts,
} from './serialized-sheets-texts.ts';
import { boundedArray, boundedText, ownText } from './text.ts';

/** Of the trimmed page, upright, in millimetres: ISO 216, the raw format SRA3, and ANSI/ASME Y14.1. */
export const pageSizes = {
  A3: { widthMm: 297, heightMm: 420 },
  A4: { widthMm: 210, heightMm: 297 },
  A5: { widthMm: 148, heightMm: 210 },
  A6: { widthMm: 105, heightMm: 148 },
  SRA3: { widthMm: 320, heightMm: 450 },
  letter: { widthMm: 215.9, heightMm: 279.4 },
  legal: { widthMm: 215.9, heightMm: 355.6 },
  tabloid: { widthMm: 279.4, heightMm: 431.8 },
} as const;

type PageName = keyof typeof pageSizes;
const pageNames = Object.keys(pageSizes) as PageName[];

/** Sides: from the smallest label with a code to the widest web of a press. */
const sideMm = { min: 7, max: 2_000 };
/** Columns and rows: as many of the smallest codes as fit side by side on the largest page. */
export const gridMax = 275;
/** Labels per page, which is drawn at once. */
export const labelsPerPageMax = 2_000;
const bleedMmMax = 10;

export const sheetCaptions = ['itemId', 'serial', 'gs1', 'productName', 'productSku', 'host'] as const;
export type SheetCaption = (typeof sheetCaptions)[number];

const millimetres = (min: number, max: number) => {
  const message = `must be a number of millimetres from ${min} to ${max}`;
  return z.number().min(min, message).max(max, message);
};

const side = millimetres(sideMm.min, sideMm.max);
const distance = millimetres(0, sideMm.max);

const nameLengthMax = 20;

/** One of a few names; values other than texts are left to the field's other forms. */
const oneOf = <Name extends string>(names: readonly [Name, ...Name[]] | readonly Name[]) =>
  boundedText(nameLengthMax).pipe(z.enum(names as readonly [Name, ...Name[]]));

const page = z.union(
  [oneOf<PageName>(pageNames), z.strictObject(described({ widthMm: side, heightMm: side }, pageTexts))],
  `must be one of ${pageNames.join(', ')}, or {widthMm, heightMm}`,
);

const marginMm = z.union(
  [
    distance,
    z.strictObject(
      described(
        {
          top: distance.default(0),
          right: distance.default(0),
          bottom: distance.default(0),
          left: distance.default(0),
        },
        marginTexts,
      ),
    ),
  ],
  'must be a number of millimetres, or {top, right, bottom, left}',
);

const gapMm = z.union(
  [
    distance,
    z.strictObject(described({ columns: distance.default(0), rows: distance.default(0) }, gapTexts)),
  ],
  'must be a number of millimetres, or {columns, rows}',
);

const captions = z.union(
  [
    z.boolean().refine((value) => !value, 'must be false, a caption or a list of captions'),
    oneOf<SheetCaption>(sheetCaptions),
    boundedArray(z.enum(sheetCaptions), { min: 1, max: sheetCaptions.length }).refine(
      (list) => new Set(list).size === list.length,
      'must not name a caption twice',
    ),
  ],
  `must be false, one of ${sheetCaptions.join(', ')}, or a list of these`,
);

/** The grid: given by a stock, or by these fields without one. */
const gridShape = {
  page: page.optional(),
  columns: wholeNumber(1, gridMax).optional(),
  rows: wholeNumber(1, gridMax).optional(),
  labelMm: z.strictObject(described({ widthMm: side, heightMm: side }, labelTexts)).optional(),
  marginMm: marginMm.optional(),
  gapMm: gapMm.optional(),
};

const layoutShape = {
  stock: oneOf<LabelStockName>(labelStockNames).optional(),
  ...gridShape,
  bleedMm: millimetres(0, bleedMmMax).default(0),
  captions: captions.default(['itemId', 'host']),
};

const gridNames = Object.keys(gridShape) as (keyof typeof gridShape)[];
const gridNeeded = ['page', 'columns', 'rows'] as const;

export const sheetLayout = z
  .strictObject(described(layoutShape, { ...gridTexts, ...layoutTexts }))
  .superRefine((layout, context) => {
    const refuse = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message });
    if (layout.stock !== undefined) {
      for (const name of gridNames)
        if (layout[name] !== undefined) refuse(name, `must not be given together with stock`);
      return;
    }
    for (const name of gridNeeded) if (layout[name] === undefined) refuse(name, 'is required');
    const labels = (layout.columns ?? 0) * (layout.rows ?? 0);
    if (labels > labelsPerPageMax)
      refuse(
        'columns',
        `times rows must be at most ${labelsPerPageMax}, the labels of a page; they are ${labels}`,
      );
  });

export type SheetLayout = z.output<typeof sheetLayout>;

const position = wholeNumber(1, mintCountMax).optional();

export const sheetsBody = z
  .strictObject(
    described(
      { layout: sheetLayout, uriFormat: z.enum(uriFormats).default('url'), from: position, to: position },
      sheetBodyTexts,
    ),
  )
  .superRefine(({ from, to }, context) => {
    if (from !== undefined && to !== undefined && to < from)
      context.addIssue({
        code: 'custom',
        path: ['to'],
        message: `must not be before from, which is ${from}`,
      });
  });

export type SheetsBody = z.output<typeof sheetsBody>;

export const sheetsAnswer = z.object(
  described({ jobId: ownText(), batchId: ownText(), count: z.int(), pages: z.int() }, sheetAnswerTexts),
);

/** How many days the PDF can be fetched. */
export const sheetDays = 30;
/** 50,000 codes with captions take 40 to 80 MB. */
export const sheetPdfBytesMax = 512 * 2 ** 20;

/** Longer than an id. */
const jobIdLengthMax = 60;

export const sheetDownloadQuery = z.object(
  described(
    { jobId: boundedText(jobIdLengthMax).min(1) },
    { jobId: 'The id of a job of this batch, `ssheet_…`.' },
  ),
);
