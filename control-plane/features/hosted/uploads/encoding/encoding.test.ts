/** Pictures in the processes that read them: hostile, unusual and large ones. */
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import type { LandingImageKind } from '#schemas/api/landing-image.ts';
import { afterFile } from '../../../../../deploy/testing/local.ts';
import { readGivenImage } from '../given/given-image.ts';
import {
  blackPng,
  chunk,
  dataUrlOf,
  gifOfFrames,
  noisePicture,
  plain,
  redAndBlue,
} from '../testing/pictures.ts';
import type { EncodedFile, EncodedImage } from './encode-image.ts';
import { createImageEncoder, type ImageEnd } from './image-encoder.ts';
import type { SmallPictureBox } from './small-picture.ts';

const ends: ImageEnd[] = [];
const encoder = createImageEncoder({ imageMsMax: 60_000, onEnded: (how) => ends.push(how) });
afterFile(encoder.close);

const encodeWith = (
  { encode }: Pick<typeof encoder, 'encode'>,
  bytes: Buffer,
  type: string,
  kind: LandingImageKind = 'hero',
): Promise<EncodedImage> => encode(readGivenImage(dataUrlOf(bytes, type)), kind, 'ws');

const encode = (bytes: Buffer, type: string, kind?: LandingImageKind) =>
  encodeWith(encoder, bytes, type, kind);

const refusalOf = async (bytes: Buffer, type: string): Promise<string> => {
  try {
    await encode(bytes, type);
    return 'taken';
  } catch (error) {
    return `${(error as { code?: string }).code}: ${(error as Error).message}`;
  }
};

const pixelOf = async ({ bytes }: EncodedFile, share: number): Promise<number[]> => {
  const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (Math.floor(info.height / 2) * info.width + Math.floor(info.width * share)) * 4;
  return [...data.subarray(at, at + 4)];
};

const namesOf = ({ files }: EncodedImage): string[] => files.map(({ width, format }) => `${width}.${format}`);
const largest = ({ files, width }: EncodedImage, format: string): EncodedFile =>
  files.find((file) => file.width === width && file.format === format)!;

describe('sizes', () => {
  test('a hero is stored in three widths as AVIF and WebP, and as a JPEG of 1200 pixels; none is enlarged', async () => {
    const large = await encode(await plain(3000, 2000).jpeg().toBuffer(), 'jpeg');
    expect(namesOf(large)).toEqual([
      ...['640.avif', '1080.avif', '1600.avif'],
      ...['640.webp', '1080.webp', '1600.webp', '1200.jpg'],
    ]);
    expect(large).toMatchObject({ width: 1600, height: 1067, widths: [640, 1080, 1600], jpegWidth: 1200 });
    for (const { bytes, width, format } of large.files) {
      const metadata = await sharp(bytes).metadata();
      expect([metadata.format, metadata.width]).toEqual([
        { avif: 'heif', webp: 'webp', jpg: 'jpeg' }[format],
        width,
      ]);
      expect(metadata.height).toBe(Math.round((width * 2) / 3));
    }
    const small = await encode(await plain(700, 100).png().toBuffer(), 'png');
    expect(namesOf(small)).toEqual(['700.avif', '700.webp', '700.jpg']);
    expect((await encode(await plain(1, 1).png().toBuffer(), 'png')).widths).toEqual([1]);
  });

  test('an avatar is the middle square in three sizes', async () => {
    const wide = await encode(await redAndBlue(1000, 500).png().toBuffer(), 'png', 'avatar');
    expect(wide).toMatchObject({ width: 384, height: 384, widths: [96, 192, 384], jpegWidth: 384 });
    expect((await pixelOf(largest(wide, 'webp'), 0.1))[0]).toBeGreaterThan(200);
    expect((await pixelOf(largest(wide, 'webp'), 0.9))[2]).toBeGreaterThan(200);
  });

  test('a hero that is far too high is cropped, and no side is ever 0', async () => {
    expect(await encode(blackPng(100, 5_000), 'png')).toMatchObject({ width: 100, height: 200 });
    expect(await encode(blackPng(5_000, 1), 'png')).toMatchObject({ width: 1600, height: 1 });
  });

  test('every file keeps to its size limit, even for noise', async () => {
    const bytesMax = { 640: 60_000, 1080: 120_000, 1300: 170_000, 1100: 170_000, 1200: 250_000 };
    const noisy = [
      await noisePicture(1_300, 1_300, 30).jpeg({ quality: 90 }).toBuffer(),
      await noisePicture(1_100, 1_100, 120).jpeg({ quality: 60 }).toBuffer(),
    ];
    for (const bytes of noisy)
      for (const file of (await encode(bytes, 'jpeg')).files)
        expect(file.bytes.length).toBeLessThanOrEqual(bytesMax[file.width as keyof typeof bytesMax]);
  });

  test('the placeholder is a picture in a data URL of at most 400 characters', async () => {
    for (const bytes of [
      await noisePicture(500, 500, 120).png().toBuffer(),
      await redAndBlue(300, 20).png().toBuffer(),
    ]) {
      const { placeholder } = await encode(bytes, 'png');
      expect(placeholder).toMatch(/^data:image\/webp;base64,[A-Za-z0-9+/]+=*$/);
      expect(placeholder.length).toBeLessThanOrEqual(400);
      const [, data = ''] = placeholder.split(',');
      expect((await sharp(Buffer.from(data, 'base64')).metadata()).format).toBe('webp');
    }
  });
});

describe('a small picture', () => {
  const square = { width: 160, height: 160, fit: 'cover', bytesMax: 5_500 } as const;
  const small = async (bytes: Buffer, type: string, box: SmallPictureBox = square) => {
    const made = await encoder.encodeSmall(readGivenImage(dataUrlOf(bytes, type)), box, 'ws');
    expect(made.dataUrl).toMatch(/^data:image\/webp;base64,[A-Za-z0-9+/]+=*$/);
    const file = Buffer.from(made.dataUrl.split(',')[1]!, 'base64');
    expect((await sharp(file).metadata()).format).toBe('webp');
    return { ...made, file };
  };

  test('that covers its box is the middle, and one inside it is whole; none is enlarged', async () => {
    const wide = await redAndBlue(1000, 500).png().toBuffer();
    expect(await small(wide, 'png')).toMatchObject({ width: 160, height: 160 });
    expect(await small(wide, 'png', { ...square, fit: 'inside' })).toMatchObject({ width: 160, height: 80 });
    const tiny = await redAndBlue(40, 20).png().toBuffer();
    expect(await small(tiny, 'png')).toMatchObject({ width: 20, height: 20 });
    expect(await small(tiny, 'png', { ...square, fit: 'inside' })).toMatchObject({ width: 40, height: 20 });
    expect(await small(blackPng(5_000, 1), 'png')).toMatchObject({ width: 1, height: 1 });
    const { file } = await small(wide, 'png');
    expect((await pixelOf({ bytes: file, width: 160, format: 'webp' }, 0.1))[0]).toBeGreaterThan(200);
    expect((await pixelOf({ bytes: file, width: 160, format: 'webp' }, 0.9))[2]).toBeGreaterThan(200);
  });

  test('keeps to its limit of bytes, even for noise, and keeps transparency', async () => {
    const noise = await noisePicture(900, 900, 120).jpeg({ quality: 90 }).toBuffer();
    for (const bytesMax of [8_000, 5_500, 1_000])
      expect((await small(noise, 'jpeg', { ...square, bytesMax })).file.length).toBeLessThanOrEqual(bytesMax);
    const clear = await sharp({
      create: { width: 90, height: 90, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
    })
      .png()
      .toBuffer();
    const { file } = await small(clear, 'png');
    expect((await pixelOf({ bytes: file, width: 90, format: 'webp' }, 0.5))[3]).toBe(0);
  });
});

describe('unusual pictures are re-encoded', () => {
  const secret = 'a secret of the camera';

  test('metadata, profile, comments and bytes after the end are all dropped', async () => {
    const tagged = await redAndBlue(400, 300)
      .withMetadata({ exif: { IFD0: { Copyright: secret, ImageDescription: secret } } })
      .withIccProfile('p3')
      .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><a>${secret}</a></x:xmpmeta>`)
      .jpeg()
      .toBuffer();
    const text = chunk('tEXt', Buffer.from(`Comment\0${secret}`));
    const given: [Buffer, string][] = [
      [Buffer.concat([tagged, Buffer.from(`<script>${secret}</script>PK\x03\x04`)]), 'jpeg'],
      [Buffer.concat([blackPng(50, 50, [text]), Buffer.from(`<?php ${secret}`)]), 'png'],
    ];
    for (const [bytes, type] of given) {
      expect(bytes.includes(secret)).toBe(true);
      for (const file of (await encode(bytes, type)).files) {
        expect(file.bytes.includes('secret')).toBe(false);
        const { exif, icc, xmp, iptc, comments, orientation } = await sharp(file.bytes).metadata();
        expect({ exif, icc, xmp, iptc, comments, orientation }).toEqual({});
      }
    }
  });

  test('a picture is turned as its camera says', async () => {
    // 6: the top is on the right.
    const bytes = await redAndBlue(400, 200).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const turned = await encode(bytes, 'jpeg');
    expect(turned).toMatchObject({ width: 200, height: 400 });
    const { data, info } = await sharp(largest(turned, 'webp').bytes)
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([data[0]! > 200, data[(info.height - 1) * info.width * info.channels + 2]! > 200]).toEqual([
      true,
      true,
    ]);
  });

  test('colours are converted from the profile to sRGB', async () => {
    const p3 = await plain(64, 64, '#00ff00').withIccProfile('p3').png().toBuffer();
    const red = (await sharp(p3).pipelineColourspace('srgb').raw().toBuffer())[0]!;
    const [r = 0, g = 0, b = 0] = await pixelOf(largest(await encode(p3, 'png'), 'webp'), 0.5);
    expect([Math.abs(r - red) < 25, g > 220, b < 60]).toEqual([true, true, true]);
  });

  test('CMYK, 16 bits, grey, grey with alpha and palettes become red, green and blue', async () => {
    const base = plain(80, 80, '#c02040');
    const given: [Buffer, string][] = [
      [await base.clone().toColourspace('cmyk').jpeg().toBuffer(), 'jpeg'],
      [await base.clone().toColourspace('rgb16').png().toBuffer(), 'png'],
      [await base.clone().greyscale().png().toBuffer(), 'png'],
      [await base.clone().greyscale().ensureAlpha(0.5).png().toBuffer(), 'png'],
      [await base.clone().png({ palette: true }).toBuffer(), 'png'],
      [await base.clone().webp({ lossless: true }).toBuffer(), 'webp'],
      [await base.clone().gif().toBuffer(), 'gif'],
    ];
    for (const [at, [bytes, type]] of given.entries()) {
      const [r = 0, g = 0, b = 0] = await pixelOf(largest(await encode(bytes, type), 'webp'), 0.5);
      const isGrey = at === 2 || at === 3;
      expect(
        [r > 60, isGrey ? Math.abs(r - g) < 12 : r - g > 60, isGrey || r - b > 40],
        `${at} ${[r, g, b]}`,
      ).toEqual([true, true, true]);
    }
  });

  test('transparency is kept, but becomes white in the JPEG', async () => {
    const clear = sharp({ create: { width: 90, height: 90, channels: 4, background: '#00000000' } });
    const image = await encode(await clear.png().toBuffer(), 'png');
    expect((await pixelOf(largest(image, 'avif'), 0.5))[3]).toBe(0);
    expect((await pixelOf(largest(image, 'webp'), 0.5))[3]).toBe(0);
    expect((await pixelOf(largest(image, 'jpg'), 0.5))[0]).toBeGreaterThan(250);
    // A placeholder would show through the picture.
    expect(image.placeholder).toBe('');
  });

  test('only the first frame of an animation is kept: GIF of 10,000 frames, WebP, APNG', async () => {
    const frames = [
      await plain(40, 40, '#ff0000').png().toBuffer(),
      await plain(40, 40, '#0000ff').png().toBuffer(),
    ];
    const animated = sharp(frames, { join: { animated: true } });
    const control = (number: number) => chunk('acTL', Buffer.from([0, 0, 0, number, 0, 0, 0, 0]));
    const given: [Buffer, string][] = [
      [await animated.clone().webp({ loop: 0, lossless: true }).toBuffer(), 'webp'],
      [await animated.clone().gif().toBuffer(), 'gif'],
    ];
    for (const [bytes, type] of given) {
      expect((await sharp(bytes).metadata()).pages).toBe(2);
      const image = await encode(bytes, type);
      expect([image.width, image.height]).toEqual([40, 40]);
      expect((await pixelOf(largest(image, 'webp'), 0.5))[0]).toBeGreaterThan(200);
      for (const { bytes: kept } of image.files) expect((await sharp(kept).metadata()).pages ?? 1).toBe(1);
    }
    expect(await encode(gifOfFrames(10_000), 'gif')).toMatchObject({ width: 1, height: 1 });
    const apng = await encode(blackPng(30, 30, [control(9)]), 'png');
    expect(apng.files.some(({ bytes }) => bytes.includes('acTL'))).toBe(false);
  });
});

describe('is refused by its name', () => {
  const box = (brand: string) => Buffer.from(`\0\0\0\x18ftyp${brand}\0\0\0\0mif1heic`, 'latin1');

  test.each([
    [
      'SVG',
      Buffer.from('\ufeff <svg xmlns="http://www.w3.org/2000/svg"/>'),
      'svg+xml',
      "says that it is 'image/svg+xml'",
    ],
    ['SVG as PNG', Buffer.from('<svg/>'), 'png', 'its content is markup, such as SVG or HTML'],
    ['SVG in UTF-16', Buffer.from('\ufeff<svg/>', 'utf16le'), 'png', 'its content is markup'],
    ['PDF', Buffer.from('%PDF-1.7'), 'jpeg', 'its content is a PDF document'],
    ['HEIC', box('heic'), 'jpeg', 'its content is a HEIC picture'],
    ['AVIF', box('avif'), 'webp', 'its content is an AVIF picture'],
    ['AVIF', box('avif'), 'avif', "says that it is 'image/avif'"],
    ['TIFF', Buffer.from('II*\0abcd'), 'png', 'its content is a TIFF picture'],
    ['BMP', Buffer.from('BM123456'), 'png', 'its content is a BMP picture'],
    ['nothing', Buffer.from('\0'), 'png', 'its content is something else'],
    ['PNG as JPEG', blackPng(4, 4), 'jpeg', 'says that it is image/jpeg, and its content is image/png'],
    [
      'only the header',
      blackPng(4, 4).subarray(0, 20),
      'png',
      'cannot be read: the picture is damaged or cut off',
    ],
    ['0 × 0', blackPng(0, 0), 'png', 'cannot be read'],
    [
      '30,000 × 30,000',
      blackPng(30_000, 30_000),
      'png',
      'has 30000 × 30000 pixels, 900 megapixels; at most 50 are allowed',
    ],
    [
      'one column too many',
      blackPng(7_813, 6_400),
      'png',
      'has 7813 × 6400 pixels, 51 megapixels; at most 50 are allowed',
    ],
    ['no pixels', Buffer.from('GIF89a\xff\xff\xff\xff', 'latin1'), 'gif', 'cannot be read'],
  ])('%s', async (_name, bytes, type, message) => {
    expect(await refusalOf(bytes, type)).toMatch(/^UNPROCESSABLE: dataUrl /);
    expect(await refusalOf(bytes, type)).toContain(message);
  });

  test('truncated files, at any place, in each format', async () => {
    const picture = noisePicture(200, 200, 40);
    const given: [Buffer, string][] = [
      [await picture.clone().jpeg().toBuffer(), 'jpeg'],
      [await picture.clone().jpeg({ progressive: true }).toBuffer(), 'jpeg'],
      [await picture.clone().png().toBuffer(), 'png'],
      [await picture.clone().webp().toBuffer(), 'webp'],
      [await picture.clone().gif().toBuffer(), 'gif'],
    ];
    for (const [bytes, type] of given)
      for (const share of [0.02, 0.4, 0.9])
        expect(await refusalOf(bytes.subarray(0, bytes.length * share), type), `${type} ${share}`).toMatch(
          /^UNPROCESSABLE: dataUrl cannot be read: the picture is damaged or cut off/,
        );
  });

  test('damaged bytes crash no process', async () => {
    const bytes = await redAndBlue(100, 100).png().toBuffer();
    const before = encoder.pids().length;
    for (let at = 40; at < bytes.length; at += 37) {
      const damaged = Buffer.from(bytes);
      damaged[at]! ^= 0xff;
      expect(await refusalOf(damaged, 'png')).toMatch(/^(taken|UNPROCESSABLE: dataUrl cannot be read)/);
    }
    expect(encoder.pids().length).toBe(before);
    expect(ends).not.toContain('ended');
  });
});

describe('limits of the processes', () => {
  test('a picture that takes too long, or too much memory, is rejected; the next picture is read', async () => {
    const large = await noisePicture(1_500, 1_200, 60).jpeg({ quality: 50 }).toBuffer();
    const impatient = createImageEncoder({ imageMsMax: 1 });
    afterFile(impatient.close);
    // A test that gets no CPU while its process works sees the picture before the end of the time.
    const reported = () =>
      encodeWith(impatient, large, 'jpeg').then(
        () => 'read',
        ({ code, message }) => `${code}: ${message}`,
      );
    await expect
      .poll(reported)
      .toBe('UNPROCESSABLE: dataUrl takes too long to read: give a simpler or a smaller picture');
    // A process takes 96 to 160 MB for a dot, depending on how many of its threads have started: 8 MB each. The turned
    // picture takes at least 147 MB more: its pixels. With few threads that fits into 256 MB.
    const narrow = createImageEncoder({ imageMsMax: 60_000, memoryBytesMax: 200 * 2 ** 20 });
    afterFile(narrow.close);
    const turned = await plain(7_000, 7_000).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    await expect(encodeWith(narrow, turned, 'jpeg')).rejects.toMatchObject({
      code: 'UNPROCESSABLE',
      message: 'dataUrl takes too much memory to read: give a smaller picture',
    });
    expect((await encodeWith(narrow, blackPng(8, 8), 'png')).widths).toEqual([8]);
  });

  test("a process that lacks the memory to work is not the picture's fault", async () => {
    const tiny = createImageEncoder({ imageMsMax: 60_000, memoryBytesMax: 100 * 2 ** 20 });
    afterFile(tiny.close);
    await expect(encodeWith(tiny, blackPng(8, 8), 'png')).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: 'There is no process for this; try again shortly',
    });
  });

  test("a killed process is not the picture's fault", async () => {
    const own = createImageEncoder({ imageMsMax: 60_000 });
    afterFile(own.close);
    await encodeWith(own, blackPng(8, 8), 'png');
    const large = await noisePicture(1_500, 1_200, 60).jpeg({ quality: 50 }).toBuffer();
    const encoding = encodeWith(own, large, 'jpeg');
    const reported = expect(encoding).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: 'The process that read the picture has ended; try again shortly',
    });
    for (const pid of own.pids()) process.kill(pid, 'SIGKILL');
    await reported;
  });

  test('a workspace queues behind itself only, and a full queue says when to retry', async () => {
    const own = createImageEncoder({ imageMsMax: 60_000 });
    afterFile(own.close);
    // They queue for a bounded time: six of them finish long before that, even on a busy machine.
    const small = await noisePicture(200, 200, 60).jpeg({ quality: 50 }).toBuffer();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, () => encodeWith(own, small, 'jpeg')),
    );
    const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(refused).toHaveLength(2);
    expect(refused[0]).toMatchObject({
      code: 'RATE_LIMITED',
      message: 'Too many of your pictures are waiting to be read; send one after the other',
      retryAfterSeconds: 2,
    });
  });
});
