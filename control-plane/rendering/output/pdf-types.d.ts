/** Types of pdfkit and svg-to-pdfkit, limited to the parts in use; the packages have none. */
declare module 'pdfkit' {
  import type { Readable } from 'node:stream';

  /** An object of the file, with its dictionary. */
  interface Reference {
    data: Record<string, unknown>;
    /** Writes it, with a stream encoded with its dictionary's filter. */
    end(stream?: Uint8Array): void;
  }

  interface Page {
    dictionary: Reference;
    /** Its first content turns y downwards. */
    content: Reference;
    /** By the names that its content uses. */
    fonts: Record<string, Reference>;
    xobjects: Record<string, Reference>;
  }

  interface EmbeddedFont {
    /** @returns the number of each glyph, in hexadecimal digits; new ones are added to the subset */
    encode(text: string): [numbers: string[], positions: unknown];
    ref(): Reference;
  }

  export default class PDFDocument extends Readable {
    constructor(options: {
      /** Points. */
      size: [number, number];
      margin: number;
      pdfVersion: '1.4';
      /** Null loads none. */
      font: null;
      /** Default: true. */
      autoFirstPage?: boolean;
      /** Default: true. */
      compress?: boolean;
      info: Record<string, string | Date>;
    });
    page: Page;
    /** The last selected one. */
    _font: EmbeddedFont;
    /** @param file TrueType */
    font(file: Uint8Array): this;
    addPage(): this;
    /** @param data if it names a filter, its stream is written as given */
    ref(data: Record<string, unknown>): Reference;
    read(): Buffer | null;
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
