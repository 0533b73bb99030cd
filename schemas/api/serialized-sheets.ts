/** Print sheets of serialized codes, as the API takes them. */
import { z } from 'zod';
import { type LabelStockName, labelStockNames } from './label-stocks.ts';
import { wholeNumber } from './numbers.ts';
import { mintCountMax, uriFormat } from './serialized.ts';
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

const size = z.strictObject({
  widthMm: side.describe('The width, in millimetres.'),
  heightMm: side.describe('The height, in millimetres.'),
});

const page = z.union(
  [oneOf<PageName>(pageNames), size],
  `must be one of ${pageNames.join(', ')}, or {widthMm, heightMm}`,
);

const margin = distance.default(0);
const marginMm = z.union(
  [
    distance,
    z.strictObject({
      top: margin.describe('The top margin, in millimetres.'),
      right: margin.describe('The right margin, in millimetres.'),
      bottom: margin.describe('The bottom margin, in millimetres.'),
      left: margin.describe('The left margin, in millimetres.'),
    }),
  ],
  'must be a number of millimetres, or {top, right, bottom, left}',
);

const gap = distance.default(0);
const gapMm = z.union(
  [
    distance,
    z.strictObject({
      columns: gap.describe('The gap between two columns, in millimetres.'),
      rows: gap.describe('The gap between two rows, in millimetres.'),
    }),
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
  page: page
    .optional()
    .describe('The trimmed page: the name of an upright size, or its sides in millimetres.'),
  columns: wholeNumber(1, gridMax).optional().describe('The number of labels side by side.'),
  rows: wholeNumber(1, gridMax)
    .optional()
    .describe('The number of labels one below the other. A page has at most 2,000 labels.'),
  labelMm: size
    .optional()
    .describe(
      'The size of a label. If omitted, the labels share the space that margins and gaps leave. If given, ' +
        'the grid is centred on the page, or starts at the left and top margins if `marginMm` is given.',
    ),
  marginMm: marginMm
    .optional()
    .describe(
      'The free space at the sides of the page, in millimetres: one number, or `{top, right, bottom, ' +
        'left}`. Default: 10 for a page with a name, 0 for others.',
    ),
  gapMm: gapMm
    .optional()
    .describe(
      'The free space between labels, in millimetres: one number, or `{columns, rows}` for the gaps ' +
        'between columns and between rows.',
    ),
};

const layoutShape = {
  stock: oneOf<LabelStockName>(labelStockNames)
    .optional()
    .describe(
      'A label sheet on the market, such as `L7160` (A4, 3 × 7 labels of 63.5 × 38.1 mm) or `5160` ' +
        '(letter, 3 × 10 labels of 2⅝ × 1 in). For a `J` number, give the `L` number: its measures are ' +
        'the same. Replaces `page`, `columns`, `rows`, `labelMm`, `marginMm` and `gapMm`.',
    ),
  ...gridShape,
  bleedMm: millimetres(0, bleedMmMax)
    .default(0)
    .describe(
      'The distance of the BleedBox from the TrimBox, in millimetres. If it is more than 0, the page is ' +
        'larger and has crop marks: marks for the trimmed page, and shorter ones for each edge of a ' +
        'label. Nothing is printed in the bleed, since labels are white.',
    ),
  captions: captions
    .default(['itemId', 'host'])
    .describe(
      'The text of each label: one caption, a list of captions from top to bottom, or `false` for none. ' +
        'It is beside the code on labels that are wide enough for it, since the code is larger there, and ' +
        'below the code on others. `gs1` is the human-readable interpretation `(01)…(21)…`, and `serial` the ' +
        'value of AI 21. Both need a batch with a `gtin`. `host` is the name that the address bar shows when ' +
        'the code is verified, so that a buyer can tell that page from a copy. It is small. It is left out if ' +
        'it has no room in type of 4 points, or would make modules smaller than 0.33 mm; then ' +
        '`omittedCaptions` of the response names it.',
    ),
};

const gridNames = Object.keys(gridShape) as (keyof typeof gridShape)[];
const gridNeeded = ['page', 'columns', 'rows'] as const;

export const sheetLayout = z.strictObject(layoutShape).superRefine((layout, context) => {
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
  .strictObject({
    layout: sheetLayout.describe('The page and its labels.'),
    uriFormat,
    from: position.describe('The position of the first item on the sheets. Default: 1.'),
    to: position.describe(
      'The position of the last item on the sheets. Default: the last item of the batch.',
    ),
  })
  .superRefine(({ from, to }, context) => {
    if (from !== undefined && to !== undefined && to < from)
      context.addIssue({
        code: 'custom',
        path: ['to'],
        message: `must not be before from, which is ${from}`,
      });
  });

export type SheetsBody = z.output<typeof sheetsBody>;

export const sheetsAnswer = z.object({
  jobId: ownText().describe('The id of the job, `ssheet_…`.'),
  batchId: ownText().describe('The id of the batch.'),
  count: z.int().describe('The number of codes on the sheets.'),
  pages: z.int().describe('The number of pages.'),
  omittedCaptions: z
    .array(z.enum(sheetCaptions))
    .describe('The captions that the labels have no room for: `["host"]`, or `[]` if all are printed.'),
});

/** How many days the PDF can be fetched. */
export const sheetDays = 30;
/** 50,000 codes with captions take 40 to 80 MB. */
export const sheetPdfBytesMax = 512 * 2 ** 20;

/** Longer than an id. */
const jobIdLengthMax = 60;

export const sheetDownloadQuery = z.object({
  jobId: boundedText(jobIdLengthMax).min(1).describe('The id of a sheet export of this batch, `ssheet_…`.'),
});
