/** PNG files (ISO/IEC 15948) from rows that are ready to be compressed. */
import { promisify } from 'node:util';
import { crc32, deflate, deflateSync } from 'node:zlib';
import type { Pixels } from './raster.ts';
import { giveBack, takePixels } from './rasteriser/pixel-memory.ts';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

const chunk = (type: string, data: Buffer): Buffer => {
  const whole = Buffer.alloc(data.length + 12);
  whole.writeUInt32BE(data.length, 0);
  whole.write(type, 4, 'latin1');
  data.copy(whole, 8);
  whole.writeUInt32BE(crc32(whole.subarray(4, data.length + 8)), data.length + 8);
  return whole;
};

const end = chunk('IEND', Buffer.alloc(0));

/** Bits per sample and the colour type, by the standard's names. */
const layouts = {
  indexed1: { depth: 1, colorType: 3 },
  truecolour8: { depth: 8, colorType: 2 },
  truecolourAlpha8: { depth: 8, colorType: 6 },
} as const;

/** The level of compression. Level 2 takes as long and leaves 7% more bytes; level 4 takes half as long again. */
const level = 3;

export interface PngImage {
  width: number;
  height: number;
  layout: keyof typeof layouts;
  /** Three bytes per colour; only for an indexed picture. */
  palette?: Buffer;
  /** The alpha of each colour of the palette. */
  transparency?: Buffer;
  /** Every row begins with the byte of its filter. */
  rows: Buffer;
}

/** @param compressed the rows */
const join = (image: PngImage, compressed: Buffer): Buffer => {
  const { width, height, layout, palette, transparency } = image;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = layouts[layout].depth;
  header[9] = layouts[layout].colorType;
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    ...(palette ? [chunk('PLTE', palette)] : []),
    ...(transparency ? [chunk('tRNS', transparency)] : []),
    chunk('IDAT', compressed),
    end,
  ]);
};

export const writePng = (image: PngImage): Buffer => join(image, deflateSync(image.rows, { level }));

const deflateBeside = promisify(deflate);

/** Bytes of compressed rows that come back from the other thread at once: most pictures of 512 pixels fit. */
const chunkSize = 64 * 1024;

/**
 * Packs the rows of an opaque picture into the memory of its pixels, each with the byte of its filter and then red,
 * green and blue. No filters: they do not help with flat colours and gradients.
 * Three bytes for four: a row never ends behind its pixels. From a word's border on, four pixels become three words.
 */
const packOpaque = ({ data, width, height }: Pixels): Buffer => {
  const words = new Int32Array(data.buffer, data.byteOffset, width * height);
  let to = 0;
  let from = 0;
  const packOne = (): void => {
    const color = words[from++]!;
    data[to++] = color;
    data[to++] = color >> 8;
    data[to++] = color >> 16;
  };
  for (let row = 1; row <= height; row++) {
    const end = row * width;
    const filterAt = to++;
    while (from < end && (to & 3) !== 0) packOne();
    for (let word = to >> 2; from + 4 <= end; from += 4, to += 12) {
      const second = words[from + 1]!;
      const third = words[from + 2]!;
      const fourth = words[from + 3]!;
      words[word++] = (words[from]! & 0xffffff) | (second << 24);
      words[word++] = ((second >> 8) & 0xffff) | (third << 16);
      words[word++] = ((third >> 16) & 0xff) | (fourth << 8);
    }
    while (from < end) packOne();
    // Not before: the first row's is where its first pixel was.
    data[filterAt] = 0;
  }
  return data.subarray(0, to);
};

/** The filters need a quarter of a word per row. */
const packTransparent = ({ data, width, height }: Pixels): Buffer => {
  const stride = 4 * width;
  const rows = Buffer.from(takePixels(width * height + Math.ceil(height / 4)).buffer);
  for (let y = 0; y < height; y++) data.copy(rows, y * (stride + 1) + 1, y * stride, (y + 1) * stride);
  giveBack(data);
  return rows.subarray(0, (stride + 1) * height);
};

/**
 * Compressed by another thread: meanwhile this one may draw.
 * @param pixels word-aligned in memory, as all pixels from the rasteriser are; their memory is used up
 * @param opaque whether no pixel is transparent
 */
export const encodePng = async (pixels: Pixels, { opaque }: { opaque: boolean }): Promise<Buffer> => {
  const { width, height } = pixels;
  const rows = (opaque ? packOpaque : packTransparent)(pixels);
  const compressed = await deflateBeside(rows, { level, chunkSize });
  giveBack(rows);
  return join({ width, height, layout: opaque ? 'truecolour8' : 'truecolourAlpha8', rows }, compressed);
};
