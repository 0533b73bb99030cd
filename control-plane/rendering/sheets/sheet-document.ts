/** Finished pages → a PDF, page by page: only some hundred bytes per page are kept. */
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import PDFDocument from 'pdfkit';
import { formatNumber } from '../vector/numbers.ts';
import { codeFontCharacters, loadCodeFont } from './code-font.ts';
import { pointsPerMm, type SheetDesign } from './page.ts';
import { codeFontName, fixedTextName } from './page-content.ts';

const compress = promisify(deflate);

export interface SheetDocument {
  design: SheetDesign;
  title: string;
  /** The time of the request: the same request gives the same bytes. */
  createdAt: Date;
}

type Box = [left: number, bottom: number, right: number, top: number];

/** A box around the trimmed page, in points from the lower left corner of the whole page. */
const boxAround = ({ width, height, slug }: SheetDesign, by: number): Box => [
  (slug - by) * pointsPerMm,
  (slug - by) * pointsPerMm,
  (slug + width + by) * pointsPerMm,
  (slug + height + by) * pointsPerMm,
];

const createDocument = ({ design, title, createdAt }: SheetDocument): PDFDocument => {
  const { width, height, slug } = design;
  return new PDFDocument({
    size: [(width + 2 * slug) * pointsPerMm, (height + 2 * slug) * pointsPerMm],
    margin: 0,
    // 1.3 is the first version with a box for the trimmed page; readers expect no less than 1.4.
    pdfVersion: '1.4',
    font: null,
    autoFirstPage: false,
    // Large parts are compressed where they are drawn.
    compress: false,
    info: {
      Title: title,
      Creator: 'Waymark',
      Producer: 'Waymark',
      CreationDate: createdAt,
      ModDate: createdAt,
    },
  });
};

/** @returns the reference by which pages name the font */
const embedCodeFont = async (document: PDFDocument) => {
  document.font(await loadCodeFont());
  const font = document._font;
  // One by one: several might become one ligature.
  for (const [index, character] of codeFontCharacters.entries()) {
    const [[number]] = font.encode(character);
    if (Number.parseInt(number!, 16) !== index + 1)
      throw new Error(`the font of codes has ${JSON.stringify(character)} under the number ${number}`);
  }
  return font.ref();
};

/** The fixed texts of a label, which every label draws by name. */
const embedFixedText = async (document: PDFDocument, { label, width, height }: SheetDesign) => {
  const form = document.ref({
    Type: 'XObject',
    Subtype: 'Form',
    BBox: [0, 0, width, height],
    Filter: 'FlateDecode',
  });
  const texts = label.fixed.map(
    ({ operators, x, y }) => `q 1 0 0 1 ${formatNumber(x, 4)} ${formatNumber(y, 4)} cm\n${operators}\nf Q`,
  );
  form.end(await compress(texts.join('\n')));
  return form;
};

const embedPart = (document: PDFDocument, part: Uint8Array) => {
  const reference = document.ref({ Filter: 'FlateDecode' });
  reference.end(part);
  return reference;
};

/**
 * @param pages the parts of each page, from `pagePart`; a page is requested once the previous one is handed on
 * @returns the bytes of the PDF
 */
export async function* sheetDocument(
  sheet: SheetDocument,
  pages: AsyncIterable<readonly Uint8Array[]>,
): AsyncGenerator<Buffer> {
  const { design } = sheet;
  const document = createDocument(sheet);
  const font = await embedCodeFont(document);
  const fixed = design.label.fixed.length === 0 ? undefined : await embedFixedText(document, design);
  for await (const parts of pages) {
    document.addPage();
    const { page } = document;
    Object.assign(page.dictionary.data, {
      Contents: [page.content, ...parts.map((part) => embedPart(document, part))],
      TrimBox: boxAround(design, 0),
      BleedBox: boxAround(design, design.bleed),
    });
    page.fonts[codeFontName] = font;
    if (fixed) page.xobjects[fixedTextName] = fixed;
    yield* written(document);
  }
  document.end();
  yield* written(document);
}

/** Everything that the document has written so far. */
function* written(document: PDFDocument): Generator<Buffer> {
  for (let chunk = document.read(); chunk !== null; chunk = document.read()) yield chunk;
}
