/** Logos in the processes that read pictures. */
import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { afterFile } from '../../../deploy/testing/local.ts';
import { createImageEncoder } from '../hosted/uploads/encoding/image-encoder.ts';
import { readGivenImage } from '../hosted/uploads/given/given-image.ts';
import { dataUrlOf, gifOfFrames, plain, redAndBlue } from '../hosted/uploads/testing/pictures.ts';
import { createEncodeLogo } from './encode-logo.ts';

const encoder = createImageEncoder({ imageMsMax: 60_000 });
afterFile(encoder.close);
const encodeLogo = createEncodeLogo(encoder);

const encode = async (bytes: Buffer, type: string) => {
  const { dataUrl, ...shown } = await encodeLogo(readGivenImage(dataUrlOf(bytes, type)), 'ws');
  expect(dataUrl).toMatch(/^data:image\/webp;base64,[A-Za-z0-9+/]+=*$/);
  const stored = Buffer.from(dataUrl.split(',')[1]!, 'base64');
  const metadata = await sharp(stored).metadata();
  return { stored, metadata, sizes: [metadata.width, metadata.height, shown.width, shown.height] };
};

test.each<[what: string, given: [number, number], sizes: [number, number, number, number]]>([
  ['a wide one has 384 pixels, and is shown 192 wide', [3_000, 600], [384, 77, 192, 39]],
  ['a square one has 80 pixels, and is shown 40 high', [1_000, 1_000], [80, 80, 40, 40]],
  ['a high one has 80 pixels, and is shown 40 high', [100, 2_000], [4, 80, 2, 40]],
  ['a small one keeps its pixels, and is shown 40 high', [16, 16], [16, 16, 40, 40]],
  ['one without height has a pixel', [9_000, 1], [384, 1, 192, 1]],
])('%s', async (_, [width, height], sizes) => {
  expect((await encode(await plain(width, height).png().toBuffer(), 'png')).sizes).toEqual(sizes);
});

test('is turned as its camera says, and nothing but its pixels is kept', async () => {
  // 6: the top is on the right.
  const bytes = await redAndBlue(200, 800)
    .withMetadata({ orientation: 6, exif: { IFD0: { Copyright: 'a secret' } } })
    .withIccProfile('p3')
    .jpeg()
    .toBuffer();
  const { sizes, stored, metadata } = await encode(bytes, 'jpeg');
  expect(sizes).toEqual([320, 80, 160, 40]);
  expect(stored.includes('a secret')).toBe(false);
  expect([metadata.exif, metadata.icc, metadata.orientation]).toEqual([undefined, undefined, undefined]);
});

test('keeps transparency and each colour, if its pixels fit without loss', async () => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="80"><circle cx="40" cy="40" r="30" fill="#0c4a6e"/></svg>';
  const { stored, sizes } = await encode(await sharp(Buffer.from(svg)).png().toBuffer(), 'png');
  expect(sizes).toEqual([80, 80, 40, 40]);
  const pixels = await sharp(stored).ensureAlpha().raw().toBuffer();
  const pixelAt = (x: number, y: number) => [...pixels.subarray((y * 80 + x) * 4, (y * 80 + x) * 4 + 4)];
  expect([pixelAt(40, 40), pixelAt(1, 1)[3]]).toEqual([[0x0c, 0x4a, 0x6e, 255], 0]);
});

test.each([3, 4] as const)(
  'has at most 8,000 bytes, even if it is noise in %i channels',
  async (channels) => {
    const raw = { width: 768, height: 160, channels };
    const noise = sharp(randomBytes(raw.width * raw.height * channels), { raw });
    // As many pixels as are stored, so that no average takes the noise away.
    const sized = sharp(randomBytes(384 * 80 * channels), { raw: { width: 384, height: 80, channels } });
    for (const picture of [noise, sized]) {
      const { stored, sizes, metadata } = await encode(await picture.png().toBuffer(), 'png');
      expect(stored.length).toBeLessThanOrEqual(8_000);
      expect(metadata.width / metadata.height).toBeCloseTo(384 / 80, 0);
      expect(sizes.slice(2)).toEqual([192, 40]);
    }
  },
);

test('of an animation is its first frame', async () => {
  const { metadata, sizes } = await encode(gifOfFrames(50), 'gif');
  expect(sizes).toEqual([1, 1, 40, 40]);
  expect(metadata.pages ?? 1).toBe(1);
});
