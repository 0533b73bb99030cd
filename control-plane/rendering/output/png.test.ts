import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { encodePng } from './png.ts';
import { takePixels } from './rasteriser/pixel-memory.ts';

const sides = { width: fc.integer({ min: 1, max: 90 }), height: fc.integer({ min: 1, max: 90 }) };
const pictures = fc.record({ ...sides, bytes: fc.infiniteStream(fc.nat(255)) });

describe('a PNG of pixels', () => {
  it.each([
    { opaque: false, channels: 4 },
    { opaque: true, channels: 3 },
  ])(
    'is read by libvips as those pixels, in any size, with $channels channels',
    async ({ opaque, channels }) => {
      await fc.assert(
        fc.asyncProperty(pictures, async ({ width, height, bytes }) => {
          const data = Buffer.alloc(width * height * 4);
          for (let at = 0; at < data.length; at++) data[at] = bytes.next().value;
          const expected = data.filter((_, at) => at % 4 < channels);
          const png = await encodePng({ data, width, height }, { opaque });
          const read = await sharp(png).raw().toBuffer({ resolveWithObject: true });
          expect(read.info).toMatchObject({ width, height, channels });
          expect(read.data.equals(expected)).toBe(true);
        }),
        { numRuns: 40 },
      );
    },
  );

  it('is the same whatever else is being compressed', async () => {
    const drawn = () =>
      [64, 63, 64, 10, 65].map((width, at) => {
        const pixels = takePixels(width * width).fill((at + 1) * 0x01010101);
        return { width, height: width, data: Buffer.from(pixels.buffer) };
      });
    for (const opaque of [true, false]) {
      const alone: Buffer[] = [];
      for (const each of drawn()) alone.push(await encodePng(each, { opaque }));
      expect(await Promise.all(drawn().map((each) => encodePng(each, { opaque })))).toEqual(alone);
    }
  });

  it.each([{ opaque: true }, { opaque: false }])(
    'has its own pixels even if the next ones of its size are drawn while it is compressed, opaque: $opaque',
    async ({ opaque }) => {
      const side = 512;
      const draw = () => {
        const pixels = takePixels(side * side);
        // Compressing these takes many times as long as drawing.
        for (let at = 0; at < pixels.length; at++) pixels[at] = Math.imul(at, 0x9e3779b1);
        return { width: side, height: side, data: Buffer.from(pixels.buffer) };
      };
      const alone = await encodePng(draw(), { opaque });
      const encoding = encodePng(draw(), { opaque });
      // All memory that is kept, of pixels and of rows.
      for (let next = 0; next < 5; next++)
        for (const length of [side * side, side * side + side / 4]) takePixels(length).fill(-1);
      expect((await encoding).equals(alone)).toBe(true);
    },
  );
});
