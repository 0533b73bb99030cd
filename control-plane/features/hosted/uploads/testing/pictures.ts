/** Pictures for tests, drawn or written by hand. */
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

export const dataUrlOf = (bytes: Buffer, type: string): string =>
  `data:image/${type};base64,${bytes.toString('base64')}`;

/** One chunk of a PNG. */
export const chunk = (type: string, data: Buffer): Buffer => {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, check]);
};

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/** The header of a PNG with 8 bits of grey per pixel. */
const headOf = (width: number, height: number): Buffer => {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 8;
  return chunk('IHDR', head);
};

/** A black PNG of any size, of few bytes. @param further chunks before the pixels */
export const blackPng = (width: number, height: number, further: readonly Buffer[] = []): Buffer =>
  Buffer.concat([
    signature,
    headOf(width, height),
    ...further,
    chunk('IDAT', deflateSync(Buffer.alloc(Math.min((width + 1) * height, 4_000_000)))),
    chunk('IEND', Buffer.alloc(0)),
  ]);

/** A picture of one colour. */
export const plain = (width: number, height: number, background = '#0c4a6e') =>
  sharp({ create: { width, height, channels: 3, background } });

/** Red on the left, blue on the right. */
export const redAndBlue = (width: number, height: number) =>
  plain(width, height, '#ff0000').composite([
    {
      input: { create: { width: width / 2, height, channels: 3, background: '#0000ff' } },
      gravity: 'east',
    },
  ]);

/** Noise, which no format compresses well. */
export const noisePicture = (width: number, height: number, sigma: number) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#888888',
      noise: { type: 'gaussian', mean: 128, sigma },
    },
  });

/** A GIF of one pixel with many frames. */
export const gifOfFrames = (frames: number): Buffer => {
  const frame = Buffer.from('21f90400010000002c000000000100010000020144003b'.slice(0, -2), 'hex');
  return Buffer.concat([
    Buffer.from('474946383961010001008000000000ffffff', 'hex'),
    Buffer.from('00', 'hex'),
    ...Array.from({ length: frames }, () => frame),
    Buffer.from('3b', 'hex'),
  ]);
};
