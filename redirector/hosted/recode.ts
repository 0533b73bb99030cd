/**
 * A page is held as Brotli, as browsers ask for it; any other client has it decompressed. At once: 18 kB take 0.07 ms, the largest
 * 0.6 ms as gzip, and zlib's threads take six times as much CPU for it.
 */
import zlib from 'node:zlib';
import { createChoice, type Encoding } from '#shared/accept-encoding.ts';
import { firstPartOptions, type JoinAround, joinAround } from '#shared/gzip-around.ts';
import type { CompiledContent } from './compiled-page.ts';

const encodingOfWhole = createChoice('br', 'gzip');
/** Brotli has no way to join parts. */
const encodingOfFilled = createChoice('gzip');

/** @param header Accept-Encoding */
export const encodingFor = ({ filledAt }: CompiledContent, header: string): Encoding =>
  filledAt === undefined ? encodingOfWhole(header) : encodingOfFilled(header);

/** In bytes of HTML. Larger pages are left to the control plane, which holds what it has made. */
const recodedMax = 256 * 2 ** 10;
/** As quick as it gets: such clients are few, and nothing of theirs is held. */
const gzipLevel = 1;

/** Whether this process has the page in the encoding. */
export const canEncode = ({ bytes }: CompiledContent, encoding: Encoding): boolean =>
  encoding === 'br' || bytes <= recodedMax;

/** @throws {RangeError} if the HTML has more bytes than its document says */
const htmlOf = ({ brotli, bytes }: CompiledContent): Buffer =>
  zlib.brotliDecompressSync(brotli, { maxOutputLength: Math.max(1, bytes) });

/** @throws {RangeError} if the HTML has more bytes than its document says */
export const encode = (content: CompiledContent, encoding: Encoding): Buffer => {
  if (encoding === 'br') return content.brotli;
  const html = htmlOf(content);
  return encoding === 'gzip' ? zlib.gzipSync(html, { level: gzipLevel }) : html;
};

/** For all answers: some milliseconds for the largest, once. */
const filledLevel = 6;

const joinOf = (content: CompiledContent, filledAt: number): JoinAround => {
  const html = htmlOf(content);
  // A copy: the rest of the HTML is not kept for it.
  const [head, tail] = [html.subarray(0, filledAt), Buffer.from(html.subarray(filledAt))];
  const first = zlib.deflateRawSync(head, firstPartOptions(filledLevel));
  const last = zlib.deflateRawSync(tail, { level: filledLevel });
  return joinAround({ head, tail, first, last });
};

/** A form with what this answer has of its own. @throws {RangeError} as {@link encode} */
export const encodeFilled = (
  content: CompiledContent,
  filledAt: number,
  encoding: Encoding,
  fill: Buffer,
): Buffer => {
  if (encoding === 'gzip') {
    content.join ??= joinOf(content, filledAt);
    return Buffer.concat(content.join(fill));
  }
  const html = htmlOf(content);
  return Buffer.concat([html.subarray(0, filledAt), fill, html.subarray(filledAt)]);
};
