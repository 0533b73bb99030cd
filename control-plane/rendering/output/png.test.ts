import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { encodePng } from './png.ts';

const sides = { width: fc.integer({ min: 1, max: 90 }), height: fc.integer({ min: 1, max: 90 }) };

describe('a PNG of pixels', () => {
  it('is read by libvips as those pixels, in any size', async () => {
    await fc.assert(
      fc.asyncProperty(fc.record(sides), fc.infiniteStream(fc.nat(255)), async ({ width, height }, bytes) => {
        const data = Buffer.alloc(width * height * 4);
        for (let at = 0; at < data.length; at++) data[at] = bytes.next().value;
        const png = await encodePng({ data, width, height }, { opaque: false });
        const read = await sharp(png).raw().toBuffer({ resolveWithObject: true });
        expect(read.info).toMatchObject({ width, height, channels: 4 });
        expect(read.data.equals(data)).toBe(true);
      }),
      { numRuns: 20 },
    );
  });

  it('has no alpha if it is opaque', async () => {
    const data = Buffer.from([1, 2, 3, 255, 4, 5, 6, 255]);
    const png = await encodePng({ data, width: 2, height: 1 }, { opaque: true });
    const read = await sharp(png).raw().toBuffer({ resolveWithObject: true });
    expect(read.info.channels).toBe(3);
    expect([...read.data]).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('is the same whatever else is being compressed', async () => {
    const pictures = [64, 63, 64, 10, 65].map((width, at) => ({
      width,
      height: width,
      data: Buffer.alloc(width * width * 4, at + 1),
    }));
    const alone: Buffer[] = [];
    for (const each of pictures) alone.push(await encodePng(each, { opaque: true }));
    expect(await Promise.all(pictures.map((each) => encodePng(each, { opaque: true })))).toEqual(alone);
  });
});
