/** Encodings of a document: each is made once, when somebody first asks for it, off the thread that answers. */
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { Compression } from '#shared/accept-encoding.ts';

const brotli = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);
const deflateRaw = promisify(zlib.deflateRaw);
const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_MODE, BROTLI_PARAM_SIZE_HINT, BROTLI_MODE_TEXT, Z_FULL_FLUSH } =
  zlib.constants;

/** A page as it is is compressed `once` for all of its views, a variant as `often` as somebody makes up a query. */
export type Effort = 'once' | 'often';
/** Of a menu of 3 MB, brotli takes 29 ms at 4 and 169 ms at 9, and makes a seventh more of it. */
const brotliQualities: Readonly<Record<Effort, number>> = { once: 9, often: 4 };
const gzipLevels: Readonly<Record<Effort, number>> = { once: 9, often: 4 };
const gzipLevel = gzipLevels.once;

export const compressWhole = (bytes: Buffer, encoding: Compression, effort: Effort): Promise<Buffer> =>
  encoding === 'gzip'
    ? gzip(bytes, { level: gzipLevels[effort] })
    : brotli(bytes, {
        params: {
          [BROTLI_PARAM_QUALITY]: brotliQualities[effort],
          [BROTLI_PARAM_MODE]: BROTLI_MODE_TEXT,
          [BROTLI_PARAM_SIZE_HINT]: bytes.length,
        },
      });

/** Joins the compressed parts around a text that is other in each answer: nothing is compressed again, nor copied. */
export type JoinAround = (fill: Buffer) => readonly Buffer[];

/** RFC 1952: deflate, no flags, no time, an unknown system. */
const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** RFC 1951, 3.2.4: a block that is not the last one, without compression, has its length in 16 bits. */
const storedBytesMax = 0xffff;

const storedBlock = (bytes: Buffer): Buffer => {
  const head = Buffer.alloc(5);
  head.writeUInt16LE(bytes.length, 1);
  head.writeUInt16LE(~bytes.length & 0xffff, 3);
  return Buffer.concat([head, bytes]);
};

const storedBlocks = (bytes: Buffer): Buffer[] => {
  const blocks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += storedBytesMax)
    blocks.push(storedBlock(bytes.subarray(at, at + storedBytesMax)));
  return blocks;
};

/**
 * One gzip stream of three parts. The first ends at a byte and is forgotten by the compressor (Z_FULL_FLUSH), so that the third
 * refers to nothing before it.
 */
export const gzipAround = async (
  head: Buffer,
  tail: Buffer,
): Promise<{ join: JoinAround; bytes: number }> => {
  const [first, last] = await Promise.all([
    deflateRaw(head, { level: gzipLevel, finishFlush: Z_FULL_FLUSH }),
    deflateRaw(tail, { level: gzipLevel }),
  ]);
  const headChecksum = zlib.crc32(head);
  const join: JoinAround = (fill) => {
    const trailer = Buffer.alloc(8);
    trailer.writeUInt32LE(zlib.crc32(tail, zlib.crc32(fill, headChecksum)), 0);
    trailer.writeUInt32LE((head.length + fill.length + tail.length) % 2 ** 32, 4);
    return [gzipHeader, first, ...storedBlocks(fill), last, trailer];
  };
  return { join, bytes: first.length + last.length };
};
