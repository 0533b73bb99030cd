/** SVG → PDF. Outlines and gradients stay vectors, for the printer's own resolution; only a logo may be pixels. */
import { buffer } from 'node:stream/consumers';
import PDFDocument from 'pdfkit';
import svgToPdf from 'svg-to-pdfkit';

/** Fixed, so that the same picture is the same file. */
const date = new Date('2000-01-01T00:00:00Z');

/** @param svg its width and height become the page's, in points */
export const toPdf = (svg: string, width: number, height: number): Promise<Buffer> => {
  const document = new PDFDocument({
    size: [width, height],
    margin: 0,
    // The first version with transparency.
    pdfVersion: '1.4',
    // Captions are outlines, so no font is needed; by default pdfkit loads one for each document.
    font: null,
    info: { Title: 'QR code', Creator: 'Waymark', Producer: 'Waymark', CreationDate: date, ModDate: date },
  });
  const written = buffer(document);
  svgToPdf(document, svg, 0, 0, { assumePt: true, width, height });
  document.end();
  return written;
};
