/** PNG files (ISO/IEC 15948) from rows that are ready to be compressed. */
import { crc32, deflateSync } from 'node:zlib';
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

/** Bits of a sample and the colour type, by the standard's names. */
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
  /** Three bytes a colour; for an indexed picture only. */
  palette?: Buffer;
  /** The alpha of each colour of the palette. */
  transparency?: Buffer;
  /** Every row begins with the byte of its filter. */
  rows: Buffer;
}

export const writePng = (image: PngImage): Buffer => {
  const { width, height, layout, palette, transparency, rows } = image;
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
    chunk('IDAT', deflateSync(rows, { level })),
    end,
  ]);
};

/** Rows under construction. A thread reuses them: fresh memory costs more than the packing. */
let scratch = Buffer.alloc(0);

const scratchOf = (length: number): Buffer => {
  if (scratch.length < length) scratch = Buffer.alloc(length);
  return scratch.subarray(0, length);
};

/** Red, green and blue of every pixel. No filters: they do not help with flat colours and gradients. */
const packOpaque = ({ data, width, height }: Pixels): Buffer => {
  const rows = scratchOf((1 + 3 * width) * height);
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
  return rows;
};

const packTransparent = ({ data, width, height }: Pixels): Buffer => {
  const stride = 4 * width;
  const rows = scratchOf((1 + stride) * height);
  for (let y = 0; y < height; y++) {
    rows[y * (stride + 1)] = 0;
    data.copy(rows, y * (stride + 1) + 1, y * stride, (y + 1) * stride);
  }
  return rows;
};

/**
 * @param pixels aligned to words of their memory, as all pixels from the rasteriser are
 * @param opaque whether no pixel is transparent
 */
export const encodePng = (pixels: Pixels, { opaque }: { opaque: boolean }): Buffer => {
  const { width, height } = pixels;
  return opaque
    ? writePng({ width, height, layout: 'truecolour8', rows: packOpaque(pixels) })
    : writePng({ width, height, layout: 'truecolourAlpha8', rows: packTransparent(pixels) });
};
