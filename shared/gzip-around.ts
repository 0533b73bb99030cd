/**
 * One gzip stream of three parts, of which the middle is other in each answer: nothing is compressed again. The first ends at a byte
 * and is forgotten by the compressor (Z_FULL_FLUSH), so that the third refers to nothing before it.
 */
import zlib from 'node:zlib';

/** How the first part is to be compressed, by deflateRaw. The third has the same level. */
export const firstPartOptions = (level: number) => ({ level, finishFlush: zlib.constants.Z_FULL_FLUSH });

/** @returns the stream around a middle part */
export type JoinAround = (middle: Buffer) => readonly Buffer[];

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

interface Parts {
  /** As they are. */
  head: Buffer;
  tail: Buffer;
  /** Deflated. */
  first: Buffer;
  last: Buffer;
}

/** Of the head only its length and its checksum are kept. */
export const joinAround = ({ head, tail, first, last }: Parts): JoinAround => {
  const [headBytes, headChecksum] = [head.length, zlib.crc32(head)];
  return (middle) => {
    const trailer = Buffer.alloc(8);
    trailer.writeUInt32LE(zlib.crc32(tail, zlib.crc32(middle, headChecksum)), 0);
    trailer.writeUInt32LE((headBytes + middle.length + tail.length) % 2 ** 32, 4);
    return [gzipHeader, first, ...storedBlocks(middle), last, trailer];
  };
};
