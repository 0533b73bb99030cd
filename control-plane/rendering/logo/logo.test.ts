import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { prepareLogo as prepare } from './prepare-logo.ts';

const prepareLogo = (image: string) => prepare(image, 768);

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#c81e1e' } });

const uri = (type: string, file: Buffer | string) =>
  `data:image/${type};base64,${Buffer.from(file).toString('base64')}`;

const svg = (content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20">${content}</svg>`;

describe('a logo', () => {
  it.each(['png', 'jpeg', 'gif', 'webp'] as const)(
    'of type %s becomes a PNG with its shape',
    async (type) => {
      const file = await picture(40, 20).toFormat(type).toBuffer();
      const logo = await prepareLogo(uri(type, file));
      expect(logo).toMatchObject({ width: 40, height: 20 });
      const png = Buffer.from(logo.href.slice('data:image/png;base64,'.length), 'base64');
      expect(await sharp(png).metadata()).toMatchObject({ format: 'png', width: 40, height: 20 });
    },
  );

  it('is no larger than the given file, or 64 kB, and keeps its proportions and transparency', async () => {
    const { data: noise } = await sharp({
      create: {
        width: 900,
        height: 700,
        channels: 3,
        background: '#888',
        noise: { type: 'gaussian', mean: 128, sigma: 30 },
      },
    })
      .raw()
      .toBuffer({ resolveWithObject: true });
    const photograph = sharp(noise, { raw: { width: 900, height: 700, channels: 3 } });
    for (const file of [
      await photograph.clone().jpeg({ quality: 80 }).toBuffer(),
      await photograph.clone().webp({ quality: 80 }).toBuffer(),
      await photograph.clone().ensureAlpha(0.5).webp({ quality: 80 }).toBuffer(),
    ]) {
      const { href, width, height } = await prepareLogo(file.toString('base64'));
      const made = Buffer.from(href.slice(href.indexOf(',') + 1), 'base64');
      expect(made.length).toBeLessThanOrEqual(Math.max(file.length, 64_000));
      expect(width / height).toBeCloseTo(900 / 700, 1);
      const alpha = await sharp(made).ensureAlpha().extractChannel(3).stats();
      const given = await sharp(file).ensureAlpha().extractChannel(3).stats();
      expect(alpha.channels[0]!.mean).toBeCloseTo(given.channels[0]!.mean, -1);
    }
  });

  it('with several frames is drawn as its first frame', async () => {
    const frames = Buffer.concat([
      Buffer.alloc(8 * 8 * 3, '0000ff', 'hex'),
      Buffer.alloc(8 * 8 * 3, 'ff0000', 'hex'),
    ]);
    const raw = { width: 8, height: 16, channels: 3, pageHeight: 8 } as const;
    const gif = await sharp(frames, { raw }).gif().toBuffer();
    expect((await sharp(gif).metadata()).pages).toBe(2);
    const { href, width, height } = await prepareLogo(uri('gif', gif));
    const pixels = await sharp(Buffer.from(href.slice(href.indexOf(',') + 1), 'base64'))
      .raw()
      .toBuffer();
    expect([width, height, ...pixels.subarray(0, 3)]).toEqual([8, 8, 0, 0, 255]);
  });

  it('as an SVG is drawn at the largest size that a picture needs', async () => {
    const logo = await prepareLogo(uri('svg+xml', svg('<path d="M0 0h40v20z" fill="url(#a)"/>')));
    expect(logo).toMatchObject({ width: 768, height: 384 });
  });

  it('with more pixels than a picture needs is scaled down', async () => {
    expect(await prepareLogo(uri('png', await picture(2000, 1000).png().toBuffer()))).toMatchObject({
      width: 768,
      height: 384,
    });
  });

  it('may come as plain base64, and as image/jpg', async () => {
    const file = await picture(9, 9).jpeg().toBuffer();
    expect((await prepareLogo(file.toString('base64'))).width).toBe(9);
    expect((await prepareLogo(uri('jpg', file))).width).toBe(9);
  });

  it('with a false type is refused', async () => {
    const file = await picture(9, 9).jpeg().toBuffer();
    await expect(prepareLogo(uri('png', file))).rejects.toThrow('image says that it is png, and is jpeg');
  });

  it('that is damaged, or not a picture, is refused', async () => {
    const file = await picture(90, 90).png().toBuffer();
    await expect(prepareLogo(uri('png', file.subarray(0, 60)))).rejects.toMatchObject({
      code: 'UNPROCESSABLE',
    });
    await expect(prepareLogo(uri('png', 'not a picture'))).rejects.toThrow('image cannot be read');
    await expect(prepareLogo(uri('svg+xml', '<html/>'))).rejects.toMatchObject({ code: 'UNPROCESSABLE' });
  });

  it('of more than 50 megapixels is refused before it is decoded', async () => {
    // The head of a PNG of 10,000 × 10,000 pixels; the rest is missing, so that decoding would fail differently.
    const file = await picture(10, 10).png().toBuffer();
    file.writeUInt32BE(10_000, 16);
    file.writeUInt32BE(10_000, 20);
    file.writeUInt32BE(crc32(file.subarray(12, 29)), 29);
    await expect(prepareLogo(uri('png', file))).rejects.toThrow('image has 100 megapixels, more than 50');
  });

  it('of more than a megabyte is refused', async () => {
    await expect(prepareLogo(uri('png', Buffer.alloc(2 ** 20 + 1)))).rejects.toThrow(
      'must not be larger than 1 MB',
    );
  });
});
