/** SVG → PDF: outlines and gradients stay what they are, and a printer makes of them what it can. Only a logo may be pixels. */
import { buffer } from 'node:stream/consumers';
import PDFDocument from 'pdfkit';
import svgToPdf from 'svg-to-pdfkit';

/** The same for every picture, so that the same picture is the same file. */
const date = new Date('2000-01-01T00:00:00Z');

/** @param svg whose width and height become those of the page, in points */
export const toPdf = (svg: string, width: number, height: number): Promise<Buffer> => {
  const document = new PDFDocument({
    size: [width, height],
    margin: 0,
    // Of what is drawn, transparency is the newest.
    pdfVersion: '1.4',
    // Captions are outlines: the font that it would load for each document is not needed.
    font: null,
    info: { Title: 'QR code', Creator: 'Waymark', Producer: 'Waymark', CreationDate: date, ModDate: date },
  });
  const written = buffer(document);
  svgToPdf(document, svg, 0, 0, { assumePt: true, width, height });
  document.end();
  return written;
};
