/** The paper on which a picture is proven, the warnings about weak colours, and the space around a symbol. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import type { Style } from '#schemas/api/style.ts';
import { decodeQr } from '../../../deploy/testing/decode.ts';
import { hasProgram } from '../../../deploy/testing/programs.ts';
import { createRenderer, type PictureFormat, resolveStyle } from '../index.ts';

const payload = 'https://qr.example.com/r/abc123XYZ';
const renderer = createRenderer({ threads: 1 });
const folder = mkdtempSync(path.join(os.tmpdir(), 'waymark-evidence-'));
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await renderer.close();
});

const render = (style: Style, format: PictureFormat = 'png', width = 300) =>
  renderer.render({ payload, look: resolveStyle(style), format, width });

const on = (background: string, picture: Buffer) => sharp(picture).flatten({ background }).png().toBuffer();

/** ZBar looks for light codes on dark as well, as phones do. */
const zbar = (png: Buffer): string => {
  const file = path.join(folder, 'code.png');
  writeFileSync(file, png);
  const options = ['--quiet', '--raw', '-Sdisable', '-Sqrcode.enable', '-Stest-inverted', file];
  return spawnSync('zbarimg', options, { encoding: 'utf8' }).stdout.trim();
};

describe('colours', () => {
  const colored = (color: string, background = '#ffffff', type: 'square' | 'rounded' = 'square'): Style => ({
    dotsOptions: { color, type },
    backgroundOptions: { color: background },
  });

  const weak: [string, Style, RegExp][] = [
    ['a brand’s orange on white', colored('#f97316'), /contrast of 2\.8 to 1, where 3 to 1 is good$/],
    ['white on navy', colored('#ffffff', '#0a1f44', 'rounded'), /is light on dark/],
    ['grey on white', colored('#bbbbbb'), /contrast of 1\.9 to 1/],
    ['black on dark grey', colored('#000000', '#555555'), /contrast of 2\.8 to 1/],
  ];

  it.each(weak)('%s is allowed, with a warning that names the fault', async (_, style, says) => {
    const { decoded, warnings } = await render(style);
    expect(decoded).toBe('yes');
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/^dotsOptions\.color #[0-9a-f]{6} on backgroundOptions\.color #[0-9a-f]{6} /);
    expect(warnings[0]).toMatch(says);
  });

  it.skipIf(!hasProgram('zbarimg')).each(weak)(
    '%s is read by both readers at three sizes',
    async (_, style) => {
      for (const width of [123, 300, 900]) {
        const { body } = await render(style, 'png', width);
        expect([width, await decodeQr(body), zbar(body)]).toEqual([width, payload, payload]);
      }
    },
  );

  it('that are good cause no warning', async () => {
    expect((await render(colored('#1d3a8a'))).warnings).toEqual([]);
  });

  it.each([
    [
      'yellow on white',
      colored('#ffff99'),
      'dotsOptions.color #ffff99 on backgroundOptions.color #ffffff has',
    ],
    [
      'one colour',
      colored('#0a1f44', '#0a1f44'),
      'dotsOptions.color #0a1f44 on backgroundOptions.color #0a1f44 has',
    ],
    [
      'a gradient from darker than its ground to lighter',
      {
        dotsOptions: {
          color: {
            type: 'linear' as const,
            colorStops: [
              { offset: 0, color: '#000000' },
              { offset: 1, color: '#ffffff' },
            ],
          },
        },
        backgroundOptions: { color: '#808080' },
      },
      'dotsOptions.color #ffffff on backgroundOptions.color #808080 is light on dark',
    ],
  ])('%s is not read, and refused with the reason', async (_, style, why) => {
    await expect(render(style)).rejects.toMatchObject({
      code: 'UNPROCESSABLE',
      message: expect.stringMatching(
        new RegExp(`^${why}.*is not read: take a darker colour, or a lighter background$`),
      ),
    });
  });
});

describe('the paper behind a transparent picture', () => {
  it.each<[string, Style, PictureFormat, string]>([
    ['black on transparent', { backgroundOptions: { color: 'transparent' } }, 'png', 'on white only'],
    [
      'black on transparent, which a JPEG fills with white',
      { backgroundOptions: { color: 'transparent' } },
      'jpg',
      'yes',
    ],
    [
      'white on transparent',
      { dotsOptions: { color: '#ffffff' }, backgroundOptions: { color: 'transparent' } },
      'svg',
      'on dark only',
    ],
    [
      'orange on transparent',
      { dotsOptions: { color: '#f97316' }, backgroundOptions: { color: 'transparent' } },
      'webp',
      'yes',
    ],
    ['a round tile', { backgroundOptions: { round: 1, color: '#fde68a' } }, 'png', 'yes'],
    ['an empty style', {}, 'png', 'yes'],
  ])('%s: the answer names the paper on which it is read', async (_, style, format, decoded) => {
    expect((await render(style, format)).decoded).toBe(decoded);
  });

  it('is white or dark, as readers find', async () => {
    for (const color of ['#000000', '#ffffff', '#f97316']) {
      const { body, decoded } = await render({
        dotsOptions: { color },
        backgroundOptions: { color: 'transparent' },
      });
      const read = [];
      if ((await decodeQr(await on('#ffffff', body))) === payload) read.push('white');
      if ((await decodeQr(await on('#000000', body))) === payload) read.push('dark');
      expect(decoded).toBe(read.length === 2 ? 'yes' : `on ${read[0]} only`);
    }
  });
});

describe('a tile with round corners', () => {
  it.each([
    [1, 4],
    [1, 0],
    [0.6, 4],
    [0.3, 2],
  ])('of round %d holds the whole symbol and its margin of %i modules', async (round, margin) => {
    const { body } = await render({ margin, backgroundOptions: { round, color: '#fde68a' } }, 'png', 800);
    const { data, info } = await sharp(body).raw().toBuffer({ resolveWithObject: true });
    const isDark = (x: number, y: number): boolean => {
      const at = (y * info.width + x) * info.channels;
      return data[at]! < 128 && data[at + 3]! > 128;
    };
    const isOutside = (x: number, y: number): boolean =>
      data[(y * info.width + x) * info.channels + 3]! < 128;
    // Along the diagonal the tile begins, and then the finder.
    let tile = 0;
    while (isOutside(tile, tile)) tile++;
    let finder = tile;
    while (!isDark(finder, finder)) finder++;
    let end = finder;
    while (isDark(end, finder)) end++;
    const module = (end - finder) / 7;
    expect(((finder - tile) * Math.SQRT2) / module).toBeGreaterThan(margin - 0.3);
    for (const background of ['#ffffff', '#000000'])
      expect(await decodeQr(await on(background, body))).toBe(payload);
  });

  it('keeps the requested margin if the corners do not reach the symbol', async () => {
    const { body } = await render({ backgroundOptions: { round: 0.2 } }, 'png', 37 * 8);
    const { data } = await sharp(body).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    expect([data[(32 * 296 + 31) * 4], data[(32 * 296 + 32) * 4]]).toEqual([255, 0]);
  });
});
