/** Descriptions of the fields of sheets, for the documentation. */

export const gridTexts = {
  page: 'The trimmed page: its name, for an upright page, or its sides in millimetres.',
  columns: 'Labels side by side.',
  rows: 'Labels one below the other. A page has at most 2,000 labels.',
  labelMm:
    'The sides of a label. By default the labels share what margins and gaps leave. With it, the grid is in the middle of the page, or begins at ' +
    'the left and the upper margin where `marginMm` is given.',
  marginMm:
    'What stays free on each side of the page: one number, or `{top, right, bottom, left}`. By default 10 on a page that has a name, 0 on others.',
  gapMm:
    'What stays free between labels: one number, or `{columns, rows}`, between columns and between rows.',
};

export const layoutTexts = {
  stock:
    'A sheet of labels as it is sold, such as `L7160` (A4, 3 × 7 labels of 63.5 × 38.1 mm) or `5160` (letter, 3 × 10 labels of 2⅝ × 1 in); `J` numbers ' +
    'have the measures of `L` numbers. It stands for `page`, `columns`, `rows`, `labelMm`, `marginMm` and `gapMm`.',
  bleedMm:
    'With more than 0, a larger page with crop marks: those of the trimmed page, and shorter ones for each edge of a label. It is the distance ' +
    'of the BleedBox from the TrimBox. Nothing is printed in it, since labels are white.',
  captions:
    'What is printed under each code: one of these, a list of them from top to bottom, or `false` for nothing. `gs1` is the human-readable ' +
    'interpretation `(01)…(21)…`, `serial` what AI 21 has in it: both need a batch with a `gtin`. `host` is the name that the address bar shows when ' +
    'the code is verified, by which a buyer tells that page from a copy of it; it is small, and left out where it would make modules ' +
    'smaller than 0.33 mm.',
};

export const sheetBodyTexts = {
  layout: 'The page and its labels.',
  uriFormat:
    'What the codes hold: `url` for `{qr_host}/v/{itemId}/{signature}`, `gs1` for the GS1 Digital Link `{qr_host}/01/{gtin}/21/{serial}`.',
  from: 'The position of the first item on the sheets. Default: 1.',
  to: 'The position of the last item on the sheets. Default: the last one of the batch.',
};

export const sheetAnswerTexts = {
  jobId: 'The id of the job, `ssheet_…`.',
  batchId: 'The id of the batch.',
  count: 'How many codes the sheets have.',
  pages: 'How many pages.',
};

export const pageTexts = { widthMm: 'The width, in millimetres.', heightMm: 'The height, in millimetres.' };
export const labelTexts = { widthMm: 'The width, in millimetres.', heightMm: 'The height, in millimetres.' };
export const gapTexts = {
  columns: 'Between two columns, in millimetres.',
  rows: 'Between two rows, in millimetres.',
};
export const marginTexts = {
  top: 'In millimetres.',
  right: 'In millimetres.',
  bottom: 'In millimetres.',
  left: 'In millimetres.',
};
