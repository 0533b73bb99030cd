/** Types of pdfkit and svg-to-pdfkit, as far as they are used; the packages have none. */
declare module 'pdfkit' {
  import type { Readable } from 'node:stream';

  export default class PDFDocument extends Readable {
    constructor(options: {
      /** Points. */
      size: [number, number];
      margin: number;
      pdfVersion: '1.4';
      /** Null loads none. */
      font: null;
      info: Record<string, string | Date>;
    });
    end(): void;
  }
}

declare module 'svg-to-pdfkit' {
  import type PDFDocument from 'pdfkit';

  export default function svgToPdf(
    document: PDFDocument,
    svg: string,
    x: number,
    y: number,
    options: { assumePt: boolean; width: number; height: number },
  ): void;
}
