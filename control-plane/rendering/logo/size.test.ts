/** The size of a logo, the modules that it hides, and its form in each format. */
import { spawnSync } from 'node:child_process';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import type { Style } from '#schemas/api/style.ts';
import { decodeQr, readLevel } from '../../../deploy/testing/decode.ts';
import { hasProgram } from '../../../deploy/testing/programs.ts';
import { createRenderer, type PictureFormat, resolveStyle } from '../index.ts';

const payload = 'https://qr.example.com/r/abc123XYZ';
const renderer = createRenderer({ threads: 1 });
afterAll(() => renderer.close());

const render = async (style: Style, format: PictureFormat = 'png', width = 820) =>
  (await renderer.render({ payload, look: resolveStyle(style), format, width })).body;

const red = (
  await sharp({ create: { width: 100, height: 100, channels: 3, background: '#ff0000' } })
    .png()
    .toBuffer()
).toString('base64');

const isRed = (pixels: Buffer, at: number): boolean => pixels[at]! > 200 && pixels[at + 1]! < 60;

/** The share of the symbol's side that is red along the middle line; the symbol has no quiet zone. */
const redShare = async (picture: Buffer): Promise<number> => {
  const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const row = Math.floor(info.height / 2) * info.width;
  let count = 0;
  for (let x = 0; x < info.width; x++) if (isRed(data, (row + x) * info.channels)) count++;
  return count / info.width;
};

const logo = (imageOptions: Style['imageOptions'], more: Style = {}): Style => ({
  image: red,
  imageOptions,
  margin: 0,
  ...more,
});

describe('imageSize is the fraction of the code’s side', () => {
  it.each([0.1, 0.2, 0.3, 0.4])('%d at level H', async (imageSize) => {
    expect(await redShare(await render(logo({ imageSize })))).toBeCloseTo(imageSize, 2);
  });

  it.each(['L', 'M', 'Q'] as const)(
    'also at level %s: if it cannot carry the logo, the level rises',
    async (level) => {
      const body = await render(logo({ imageSize: 0.35 }, { qrOptions: { errorCorrectionLevel: level } }));
      expect(await redShare(body)).toBeCloseTo(0.35, 2);
      expect(await decodeQr(body)).toBe(payload);
      expect(await readLevel(body)).toMatch(/[QH]/);
    },
  );

  it('the level stays if it carries the logo', async () => {
    expect(
      await readLevel(await render(logo({ imageSize: 0.1 }, { qrOptions: { errorCorrectionLevel: 'M' } }))),
    ).toBe('M');
  });

  it('0 means no logo', async () => {
    expect(await redShare(await render(logo({ imageSize: 0 })))).toBe(0);
  });

  it('the longer side counts', async () => {
    const wide = await sharp({ create: { width: 300, height: 100, channels: 3, background: '#ff0000' } })
      .png()
      .toBuffer();
    expect(
      await redShare(await render(logo({ imageSize: 0.45 }, { image: wide.toString('base64') }))),
    ).toBeCloseTo(0.45, 2);
  });

  it('in a code drawn as a circle, it is the fraction of the symbol’s side', async () => {
    const body = await render(logo({ imageSize: 0.3 }, { shape: 'circle' }));
    expect(await redShare(body)).toBeGreaterThan(0.3 * 0.63);
    expect(await redShare(body)).toBeLessThan(0.3 * 0.72);
  });
});

describe('imageOptions.margin', () => {
  it('widens the hole, and leaves the logo unchanged', async () => {
    const [tight, free] = await Promise.all(
      [0, 3].map(async (margin) => {
        const body = await render(logo({ imageSize: 0.2, margin }));
        const { data, info } = await sharp(body)
          .removeAlpha()
          .greyscale()
          .raw()
          .toBuffer({ resolveWithObject: true });
        const row = Math.floor(info.height / 2) * info.width;
        let left = Math.floor(info.width * 0.395);
        while (data[row + left]! > 200) left--;
        return { share: await redShare(body), free: info.width * 0.4 - left };
      }),
    );
    expect(free!.share).toBe(tight!.share);
    expect(free!.share).toBeCloseTo(0.2, 2);
    // Modules are 820 / 33 pixels wide.
    expect(free!.free / (820 / 33)).toBeGreaterThan(2.7);
  });

  it('that hides too much with any logo is refused, naming the largest readable margin; with one more the logo shrinks', async () => {
    const refused = await render(logo({ imageSize: 0.1, margin: 30 })).catch((error: Error) => error.message);
    const found = /imageOptions\.margin 30 is too large, and (\d+) is read$/.exec(String(refused));
    const margin = Number(found?.[1]);
    expect(await decodeQr(await render(logo({ imageSize: 0.1, margin })))).toBe(payload);
    expect(await redShare(await render(logo({ imageSize: 0.1, margin })))).toBeCloseTo(0.1, 2);
    expect(await redShare(await render(logo({ imageSize: 0.1, margin: margin + 1 })))).toBeLessThan(0.095);
  });
});

describe('a logo that hides too much', () => {
  it.each([0.6, 0.9, 1])(
    'is drawn at the largest readable size, to a hundredth, if %d is requested',
    async (imageSize) => {
      const body = await render(logo({ imageSize }));
      expect(await decodeQr(body)).toBe(payload);
      const largest = Math.round((await redShare(body)) * 100) / 100;
      expect(largest).toBeGreaterThan(0.3);
      expect((await render(logo({ imageSize: largest }))).equals(body)).toBe(true);
      const next = Math.round(largest * 100 + 1) / 100;
      expect((await render(logo({ imageSize: next }))).equals(body)).toBe(true);
    },
  );
});

const drawing = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><defs><linearGradient id="a"><stop stop-color="#ff0000"/>' +
    '<stop offset="1" stop-color="#ee0000"/></linearGradient></defs><style>.b{fill:url(#a)}</style><circle class="b" cx="50" cy="50" r="50"/></svg>',
).toString('base64');

describe('a logo that is an SVG', () => {
  const style = logo({ imageSize: 0.3 }, { image: drawing });

  it('stays vectors in an SVG, with its own ids', async () => {
    const svg = String(await render(style, 'svg'));
    expect(svg).not.toMatch(/<image|<style|class=|data:/);
    const id = /<linearGradient id="(\w+)"/.exec(svg)?.[1];
    expect(id).toMatch(/^q[0-9a-f]{10}l\d+$/);
    expect(svg).toContain(`<circle cx="50" cy="50" r="50" fill="url(#${id})"/>`);
    expect(await redShare(await sharp(Buffer.from(svg)).png().toBuffer())).toBeCloseTo(0.3, 2);
  });

  it.skipIf(!hasProgram('pdftoppm'))('stays vectors in a PDF, which looks like the PNG', async () => {
    const pdf = await render(style, 'pdf', 410);
    expect(pdf.toString('latin1')).not.toContain('/Subtype /Image');
    const { stdout } = spawnSync('pdftoppm', ['-r', '144', '-png', '-'], {
      input: pdf,
      maxBuffer: 2 ** 28,
    });
    expect(await redShare(stdout)).toBeCloseTo(0.3, 2);
    expect(await decodeQr(stdout)).toBe(payload);
  });
});

describe('a logo of pixels', () => {
  it('of 399 kB does not make a picture of 2 MB', async () => {
    const side = 900;
    const noise = await sharp({
      create: {
        width: side,
        height: side,
        channels: 3,
        background: '#888',
        noise: { type: 'gaussian', mean: 128, sigma: 24 },
      },
    })
      .blur(0.7)
      .raw()
      .toBuffer();
    const raw = { width: side, height: side, channels: 3 } as const;
    for (const quality of [95, 85, 60]) {
      const file = await sharp(noise, { raw }).jpeg({ quality }).toBuffer();
      for (const format of ['svg', 'pdf'] as const) {
        const body = await render(logo({ imageSize: 0.3 }, { image: file.toString('base64') }), format);
        expect(body.length).toBeLessThan(file.length * 1.4 + 64_000);
      }
    }
  });
});

describe('a PDF', () => {
  it('declares version 1.4, whose transparency it uses', async () => {
    expect((await render({}, 'pdf')).subarray(0, 8).toString()).toBe('%PDF-1.4');
  });
});
