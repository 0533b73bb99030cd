/**
 * A page is held as Brotli, as browsers ask for it; any other client has it decompressed. At once: 18 kB take 0.07 ms, the largest
 * 2 ms as gzip (random words), and zlib's threads take six times as much CPU for it.
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

/** In bytes of HTML. A client without Brotli gets a larger page from the control plane: no other scan waits for it here. */
const recodedMax = 96 * 2 ** 10;
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

/** For all answers. The largest takes 2 ms, once; a level more takes four times as long for some texts. */
const filledLevel = 4;

/** A compressor's result is a small part of the 16 KiB that it wrote to: nothing of them is kept. */
const alone = (bytes: Buffer): Buffer => {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
};

const joinOf = (content: CompiledContent, filledAt: number): JoinAround => {
  const html = htmlOf(content);
  const [head, tail] = [html.subarray(0, filledAt), alone(html.subarray(filledAt))];
  const first = alone(zlib.deflateRawSync(head, firstPartOptions(filledLevel)));
  const last = alone(zlib.deflateRawSync(tail, { level: filledLevel }));
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
