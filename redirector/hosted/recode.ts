/** A page is held as Brotli, as browsers ask for it; any other client has it decompressed, off the event loop. */
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { createChoice, type Encoding } from '#shared/accept-encoding.ts';
import type { CompiledContent } from './compiled-page.ts';

const brotliDecompress = promisify(zlib.brotliDecompress);
const gzip = promisify(zlib.gzip);
/** As quick as it gets: such clients are few, and nothing of theirs is held. */
const gzipLevel = 1;

/** @param header Accept-Encoding */
export const encodingFor: (header: string) => Encoding = createChoice('br', 'gzip');

/** Larger pages, and more at once, are left to the control plane, which holds what it has made. */
const bytesMax = 256 * 2 ** 10;
const underWayMax = 8;

export interface Recoder {
  /** Whether there is room for it now. */
  takes(content: CompiledContent): boolean;
  readonly underWay: number;
  /** @throws {RangeError} if the HTML has more bytes than the document says; what zlib throws */
  recode(content: CompiledContent, encoding: Exclude<Encoding, 'br'>): Promise<Buffer>;
}

export const createRecoder = (): Recoder => {
  let underWay = 0;
  return {
    get underWay() {
      return underWay;
    },
    takes: ({ bytes }) => bytes <= bytesMax && underWay < underWayMax,
    async recode({ brotli, bytes }, encoding) {
      underWay++;
      try {
        const html = await brotliDecompress(brotli, { maxOutputLength: Math.max(1, bytes) });
        return encoding === 'gzip' ? await gzip(html, { level: gzipLevel }) : html;
      } finally {
        underWay--;
      }
    },
  };
};
