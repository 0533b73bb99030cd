/**
 * Every look that the API can express, in every pixel format, is read by a reader that had no part in making it. A
 * sample of them runs with the other tests; `npm run decode-matrix` runs all.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { cornerTypes, dotTypes, frameIds, presets, type Style, shapes } from '#schemas/api/style.ts';
import { messageOf } from '#shared/errors.ts';
import { decodeQr } from '../../../deploy/testing/decode.ts';
import { hasProgram } from '../../../deploy/testing/programs.ts';
import { createRenderer, type PictureFormat, resolveStyle } from '../index.ts';

const isFull = process.env.DECODE_MATRIX === 'full';
const payload = 'https://qr.example.com/r/abc123XYZ';

const renderer = createRenderer({ threads: 2, waitingMax: 10_000, waitMsMax: 3_600_000 });
const folder = mkdtempSync(path.join(os.tmpdir(), 'waymark-decode-'));
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await renderer.close();
});

const logo = await sharp({ create: { width: 120, height: 120, channels: 3, background: '#c81e1e' } })
  .png()
  .toBuffer();

type Color = NonNullable<NonNullable<Style['dotsOptions']>['color']>;
const colorStops = [
  { offset: 0, color: '#102a43' },
  { offset: 1, color: '#7b1e3a' },
];
const paints: Record<string, Color> = {
  solid: '#1d3a8a',
  linear: { type: 'linear', rotation: 0.7, colorStops },
  radial: { type: 'radial', colorStops },
};

interface Case {
  name: string;
  style: Style;
}

/** Every dot × eye × eye-dot × paint × shape × logo. */
const looks: Case[] = dotTypes.flatMap((dot) =>
  cornerTypes.flatMap((eye) =>
    cornerTypes.flatMap((eyeDot) =>
      Object.entries(paints).flatMap(([paint, color]) =>
        shapes.flatMap((shape) =>
          [false, true].map((hasLogo) => ({
            name: `${dot}, ${eye}, ${eyeDot}, ${paint}, ${shape}, ${hasLogo ? 'logo' : 'no logo'}`,
            style: {
              shape,
              dotsOptions: { type: dot, color },
              cornersSquareOptions: { type: eye, color },
              cornersDotOptions: { type: eyeDot, color },
              ...(hasLogo && { image: logo.toString('base64') }),
            },
          })),
        ),
      ),
    ),
  ),
);

const framed: Case[] = presets.flatMap((preset) =>
  frameIds.map((id) => ({ name: `${preset}, ${id}`, style: { preset, frame: { id } } })),
);

/** Every `step`th case; `step` shares no factor with the number of any choice. */
const sample = <T>(all: readonly T[], step: number): readonly T[] =>
  isFull ? all : all.filter((_, index) => index % step === 0);

/** The second opinion, if ZBar is installed. */
const hasZbar = hasProgram('zbarimg');
const zbar = (png: Buffer): string => {
  const file = path.join(folder, 'code.png');
  writeFileSync(file, png);
  const options = ['--quiet', '--raw', '-Sdisable', '-Sqrcode.enable', file];
  return spawnSync('zbarimg', options, { encoding: 'utf8' }).stdout.trim();
};

/**
 * Whether ZBar reads the picture, or the same picture 3% smaller: it follows single lines of pixels, and of two
 * adjacent sizes (1016 and 1020 pixels of one look, say) may read only one. No camera sees a picture pixel by pixel.
 */
const isReadByZbar = async (png: Buffer, width: number): Promise<boolean> =>
  zbar(png) === payload ||
  zbar(
    await sharp(png)
      .resize(Math.round(width * 0.97))
      .toBuffer(),
  ) === payload;

/**
 * ZBar follows the pattern 1:1:3:1:1 of an eye along single lines of pixels. It loses the pattern if rings and middles
 * of eyes are made of separate dots, or if the ring is round and so large that most lines through it are too long (at
 * 1024 pixels it read two in three of them, at 300 all but three of 1,512), and it gives up on modules of a circle's
 * size at 300 pixels. The phones' readers, and ZXing, do not.
 */
const zbarMayMiss = ({ style }: Case, width: number): boolean => {
  const { shape, cornersSquare } = resolveStyle(style);
  const eye = cornersSquare.type;
  return eye === 'dots' || (eye === 'dot' && width > 512) || (shape === 'circle' && width < 512);
};

/** The pictures that are not read as their payload: each look with its failure. */
const failuresOf = async (
  each: Case,
  format: PictureFormat,
  width: number,
  mayMiss = zbarMayMiss,
): Promise<string[]> => {
  const label = `${each.name}, ${format} ${width}`;
  try {
    const { body, decoded } = await renderer.render({
      payload,
      look: resolveStyle(each.style),
      format,
      width,
    });
    if (decoded !== 'yes') return [`${label}: decoded ${decoded}`];
    // JPEG and WebP are read through the pixels that a viewer shows.
    const png = await sharp(body).flatten({ background: '#ffffff' }).png({ compressionLevel: 1 }).toBuffer();
    if ((await decodeQr(png)) !== payload) return [`${label}: not read by ZXing`];
    if (hasZbar && !mayMiss(each, width) && !(await isReadByZbar(png, width)))
      return [`${label}: not read by ZBar`];
    return [];
  } catch (error) {
    return [`${label}: ${messageOf(error)}`];
  }
};

const allFailures = async (
  cases: readonly Case[],
  formats: readonly PictureFormat[],
  widths: readonly number[],
) => {
  const failures: string[] = [];
  const left = cases.flatMap((each) =>
    widths.flatMap((width) => formats.map((format) => () => failuresOf(each, format, width))),
  );
  const work = async (): Promise<void> => {
    for (let next = left.pop(); next; next = left.pop()) failures.push(...(await next()));
  };
  await Promise.all([work(), work(), work(), work()]);
  return failures;
};

const timeoutMs = isFull ? 7_200_000 : 300_000;

describe('every picture is read', () => {
  it('every preset unchanged, by both readers, without exception', { timeout: timeoutMs }, async () => {
    const failures: string[] = [];
    for (const [index, preset] of presets.entries()) {
      for (const [pass, width] of [300, 1024].entries()) {
        const formats = ['png', 'webp', 'jpg', 'svg'] as const;
        const chosen = isFull ? formats : [formats[(index + 2 * pass) % formats.length]!];
        for (const format of chosen)
          failures.push(
            ...(await failuresOf({ name: preset, style: { preset } }, format, width, () => false)),
          );
      }
    }
    expect(failures).toEqual([]);
  });

  it('every preset in every frame', { timeout: timeoutMs }, async () => {
    expect(await allFailures(sample(framed, 13), ['png', 'webp', 'jpg'], [300, 1024])).toEqual([]);
  });

  it.each([300, 1024])(
    'every dot × eye × eye-dot × colour × shape × logo at %i pixels',
    { timeout: timeoutMs },
    async (width) => {
      expect(await allFailures(sample(looks, 487), ['png', 'webp', 'jpg'], [width])).toEqual([]);
    },
  );

  it.skipIf(!hasProgram('pdftoppm'))('every PDF, as poppler draws it', { timeout: timeoutMs }, async () => {
    const failures: string[] = [];
    for (const each of [...sample(framed, 61), ...sample(looks, 1_999)]) {
      const { body } = await renderer.render({
        payload,
        look: resolveStyle(each.style),
        format: 'pdf',
        width: 400,
      });
      const { stdout } = spawnSync('pdftoppm', ['-r', '144', '-png', '-'], {
        input: body,
        maxBuffer: 2 ** 28,
      });
      if ((await decodeQr(stdout)) !== payload) failures.push(each.name);
    }
    expect(failures).toEqual([]);
  });
});
