/**
 * A page is held as Brotli, as browsers ask for it; any other client has it decompressed. At once: 18 kB take 0.07 ms, the largest
 * 0.6 ms as gzip, and zlib's threads take six times as much CPU for it.
 */
import zlib from 'node:zlib';
import { createChoice, type Encoding } from '#shared/accept-encoding.ts';
import type { CompiledContent } from './compiled-page.ts';

/** @param header Accept-Encoding */
export const encodingFor: (header: string) => Encoding = createChoice('br', 'gzip');

/** In bytes of HTML. Larger pages are left to the control plane, which holds what it has made. */
const recodedMax = 256 * 2 ** 10;
/** As quick as it gets: such clients are few, and nothing of theirs is held. */
const gzipLevel = 1;

/** Whether this process has the page in the encoding. */
export const canEncode = ({ bytes }: CompiledContent, encoding: Encoding): boolean =>
  encoding === 'br' || bytes <= recodedMax;

/** @throws {RangeError} if the HTML has more bytes than its document says */
export const encode = ({ brotli, bytes }: CompiledContent, encoding: Encoding): Buffer => {
  if (encoding === 'br') return brotli;
  const html = zlib.brotliDecompressSync(brotli, { maxOutputLength: Math.max(1, bytes) });
  return encoding === 'gzip' ? zlib.gzipSync(html, { level: gzipLevel }) : html;
};
