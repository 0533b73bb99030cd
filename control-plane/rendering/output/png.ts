/** PNG files (ISO/IEC 15948) from rows that are ready to be compressed. */
import { promisify } from 'node:util';
import { crc32, deflate, deflateSync } from 'node:zlib';
import type { Pixels } from './raster.ts';

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

/** Memory for rows that are packed and compressed. A thread reuses it: fresh memory costs more than the packing. */
const idle: Buffer[] = [];
/** A series compresses one picture while it draws the next. */
const idleMax = 2;

const takeRows = (length: number): Buffer => {
  const at = idle.findIndex((each) => each.length >= length);
  const [taken] = at < 0 ? [] : idle.splice(at, 1);
  return taken ?? Buffer.alloc(length);
};

const giveBack = (rows: Buffer): void => {
  idle.push(rows);
  if (idle.length > idleMax) idle.shift();
};

/** Red, green and blue of every pixel. No filters: they do not help with flat colours and gradients. */
const packOpaque = (rows: Buffer, { data, width, height }: Pixels): void => {
  const colors = new Int32Array(data.buffer, data.byteOffset, width * height);
  let to = 0;
  for (let row = 0, from = 0; row < height; row++) {
    rows[to] = 0;
    to++;
    for (const end = from + width; from < end; from++, to += 3) {
      const color = colors[from]!;
      rows[to] = color;
      rows[to + 1] = color >> 8;
      rows[to + 2] = color >> 16;
    }
  }
};

const packTransparent = (rows: Buffer, { data, width, height }: Pixels): void => {
  const stride = 4 * width;
  for (let y = 0; y < height; y++) {
    rows[y * (stride + 1)] = 0;
    data.copy(rows, y * (stride + 1) + 1, y * stride, (y + 1) * stride);
  }
};

/**
 * Compressed by another thread: meanwhile this one may draw.
 * @param pixels word-aligned in memory, as all pixels from the rasteriser are
 * @param opaque whether no pixel is transparent
 */
export const encodePng = async (pixels: Pixels, { opaque }: { opaque: boolean }): Promise<Buffer> => {
  const { width, height } = pixels;
  const length = (1 + (opaque ? 3 : 4) * width) * height;
  const memory = takeRows(length);
  const rows = memory.subarray(0, length);
  (opaque ? packOpaque : packTransparent)(rows, pixels);
  const compressed = await deflateBeside(rows, { level });
  giveBack(memory);
  return join({ width, height, layout: opaque ? 'truecolour8' : 'truecolourAlpha8', rows }, compressed);
};
