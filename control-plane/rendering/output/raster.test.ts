import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { draw, toSvg } from '../drawing/drawing.ts';
import { plainStyle } from '../drawing/module-style.ts';
import { encodeMatrix } from '../symbol/matrix.ts';
import { encodePicture, rasterise, toPng } from './raster.ts';

const drawing = await draw(encodeMatrix('https://example.com/r/abc', 'M'), plainStyle);

describe('a raster', () => {
  it.each([64, 65, 256, 511, 512, 1024, 4096])(
    'of size %i is exactly that many pixels wide and high',
    async (size) => {
      const { width, height, format } = await sharp(await toPng(toSvg(drawing, size))).metadata();
      expect({ width, height, format }).toEqual({ width: size, height: size, format: 'png' });
    },
  );

  it('of plain squares has only pure black and white pixels, from three per module up', async () => {
    const pixels = await sharp(await toPng(toSvg(drawing, 500)))
      .raw()
      .toBuffer({ resolveWithObject: true });
    const colours = new Set<string>();
    for (let at = 0; at < pixels.data.length; at += pixels.info.channels) {
      colours.add(pixels.data.subarray(at, at + pixels.info.channels).toString('hex'));
    }
    expect([...colours].sort()).toEqual(['000000ff', 'ffffffff']);
  });

  it.each(['png', 'webp', 'jpg'] as const)(
    'as %s is the same from its pixels as from its SVG',
    async (format) => {
      const svg = toSvg(drawing, 300);
      for (const opaque of [true, false]) {
        const fromSvg = await encodePicture(svg, format, { opaque });
        expect(fromSvg.equals(await encodePicture(await rasterise(svg), format, { opaque }))).toBe(true);
      }
    },
  );

  it('is the same to the byte for the same input', async () => {
    const svg = toSvg(drawing, 300);
    expect(await toPng(svg)).toEqual(await toPng(svg));
  });
});
