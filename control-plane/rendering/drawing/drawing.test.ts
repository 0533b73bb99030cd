import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { CornerDotType, Gradient, Options, QRCode } from 'qr-code-styling';
import qrCodeStyling from 'qr-code-styling';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { decodeQr } from '../../../deploy/testing/decode.ts';
import { toPng } from '../output/raster.ts';
import { encodeMatrix, type ModuleMatrix } from '../symbol/matrix.ts';
import { toContent } from '../vector/layers.ts';
import { draw, toSvg } from './drawing.ts';
import { symbolPosition } from './library-drawing.ts';
import { type ModuleStyle, plainStyle } from './module-style.ts';

const QRCodeStyling = qrCodeStyling as unknown as typeof qrCodeStyling.default;

const text = 'https://qr.example.com/r/abc123XYZ';
const matrix = encodeMatrix(text, 'M');

const linear: Gradient = {
  type: 'linear',
  rotation: 0.7,
  colorStops: [
    { offset: 0, color: '#102a43' },
    { offset: 1, color: '#7b1e3a' },
  ],
};
const radial: Gradient = { ...linear, type: 'radial' };

/** A document that keeps everything exactly as the library draws it. */
const createPlainDocument = () => {
  const createElementNS = (_namespace: string, name: string) => {
    let attributes = name === 'svg' ? ' xmlns="http://www.w3.org/2000/svg"' : '';
    const children: unknown[] = [];
    return {
      setAttribute: (key: string, value: string) => {
        attributes += ` ${key}="${value}"`;
      },
      appendChild: (child: unknown) => children.push(child),
      toString: () => `<${name}${attributes}>${children.join('')}</${name}>`,
    };
  };
  return class {
    readonly window = {
      document: { createElementNS },
      XMLSerializer: class {
        serializeToString = String;
      },
    };
  };
};

/** The library with its own encoder and a document that changes nothing. */
const drawByLibrary = async (options: Partial<Options>) => {
  const library = new QRCodeStyling({ ...options, type: 'svg', data: text, jsdom: createPlainDocument() });
  const svg = String(await library.getRawData('svg'));
  const symbol = library._qr!;
  const own: ModuleMatrix = {
    size: symbol.getModuleCount(),
    level: 'M',
    isDark: (row, column) => symbol.isDark(row, column),
  };
  return { svg: svg.slice(svg.indexOf('<svg')), matrix: own };
};

const pixels = (svg: string) => sharp(Buffer.from(svg)).flatten({ background: '#fff' }).raw().toBuffer();

/** Share of colour channels that differ by more than the rounding of an edge or of a gradient's step. */
const difference = async (a: string, b: string): Promise<number> => {
  const [left, right] = await Promise.all([pixels(a), pixels(b)]);
  expect(left.length).toBe(right.length);
  let different = 0;
  for (let at = 0; at < left.length; at++) if (Math.abs(left[at]! - right[at]!) > 40) different++;
  return different / left.length;
};

const units = 10;

const paint = (value: string | Gradient | undefined) => {
  if (value === undefined) return {};
  return typeof value === 'string' ? { color: value } : { gradient: value };
};

/** The options with which the library itself draws a style, for a symbol of `modules` modules, quiet zone included. */
const optionsOf = (style: ModuleStyle, modules: number): Partial<Options> => ({
  shape: style.shape,
  width: modules * units,
  height: modules * units,
  margin: style.margin * units,
  qrOptions: { errorCorrectionLevel: 'M' },
  dotsOptions: { type: style.dots.type, ...paint(style.dots.paint) },
  cornersSquareOptions: { type: style.cornersSquare.type, ...paint(style.cornersSquare.paint) },
  cornersDotOptions: { type: style.cornersDot.type, ...paint(style.cornersDot.paint) },
  backgroundOptions: { round: style.background.round, ...paint(style.background.paint) },
});

const dotTypes = ['square', 'dots', 'rounded', 'classy', 'classy-rounded', 'extra-rounded'] as const;

const styles: [string, ModuleStyle][] = [
  ['plain', plainStyle],
  ...dotTypes.flatMap((type): [string, ModuleStyle][] => [
    [`${type}, square`, { ...plainStyle, dots: { type, paint: '#1d4ed8' }, cornersDot: { type: 'square' } }],
    [
      `${type}, circle, its eyes of another type and colour`,
      {
        ...plainStyle,
        shape: 'circle',
        dots: { type, paint: linear },
        cornersSquare: { type: 'extra-rounded', paint: radial },
        cornersDot: { type: 'dot', paint: '#065f46' },
      },
    ],
    [
      `${type}, eyes as round as can be, on a round background`,
      {
        ...plainStyle,
        margin: 6,
        dots: { type, paint: radial },
        cornersSquare: { type: 'dot', paint: linear },
        cornersDot: { type: 'extra-rounded', paint: linear },
        background: { paint: '#fde68a', round: 0.4 },
      },
    ],
  ]),
];

describe('qr-code-styling', () => {
  it('is the version whose private parts were inspected', () => {
    const main = createRequire(import.meta.url).resolve('qr-code-styling');
    const { version } = JSON.parse(readFileSync(path.join(path.dirname(main), '../package.json'), 'utf8'));
    expect(version).toBe('1.9.2');
  });

  it('encodes nothing without data, and asks a symbol only for its size and its modules', async () => {
    const library = new QRCodeStyling({ data: '', type: 'svg', jsdom: createPlainDocument() });
    expect(library._qr).toBeUndefined();
    const asked = new Set<PropertyKey>();
    const symbol = { getModuleCount: () => matrix.size, isDark: matrix.isDark };
    library._qr = new Proxy(symbol as QRCode, {
      get: (target, name) => {
        asked.add(name);
        return Reflect.get(target, name);
      },
    });
    await library.getRawData('svg');
    expect([...asked].sort()).toEqual(['getModuleCount', 'isDark']);
  });
});

describe('a drawing', () => {
  it.each(styles)('equals the library’s own drawing of the same matrix: %s', async (_, style) => {
    const count = (await drawByLibrary({ qrOptions: { errorCorrectionLevel: 'M' } })).matrix.size;
    const modules = count + 2 * style.margin;
    const expected = await drawByLibrary(optionsOf(style, modules));
    const drawing = await draw(expected.matrix, style);
    expect(drawing).toMatchObject({ modules, side: modules * units });
    expect(await difference(toSvg(drawing, drawing.side), expected.svg)).toBeLessThan(0.0005);
  });

  it('has a path that covers exactly the dark modules of the matrix', async () => {
    const content = toContent((await draw(matrix, plainStyle)).layers);
    const covered = new Set<string>();
    for (const [, ...numbers] of content.matchAll(/M(\d+) (\d+)h(\d+)v(\d+)h-\d+z/g)) {
      const [x, y, width, height] = numbers.map(Number) as [number, number, number, number];
      for (let dx = 0; dx < width; dx += units) {
        for (let dy = 0; dy < height; dy += units) covered.add(`${y + dy}/${x + dx}`);
      }
    }
    const at = (index: number) => (index + plainStyle.margin) * units;
    for (let row = 0; row < matrix.size; row++) {
      for (let column = 0; column < matrix.size; column++) {
        expect(covered.has(`${at(row)}/${at(column)}`)).toBe(matrix.isDark(row, column));
      }
    }
  });

  it('leaves exactly the margin free, in modules', async () => {
    for (const margin of [0, 1, 4, 40]) {
      const drawing = await draw(matrix, { ...plainStyle, margin });
      const svg = toSvg(drawing, drawing.modules);
      const { data } = await sharp(Buffer.from(svg)).greyscale().raw().toBuffer({ resolveWithObject: true });
      const dark = (row: number, column: number) => data[row * drawing.modules + column]! < 128;
      expect(dark(margin, margin)).toBe(true);
      if (margin > 0) expect(dark(margin - 1, margin) || dark(margin, margin - 1)).toBe(false);
    }
  });

  it('is the same for the same input, whatever was drawn before', async () => {
    const style: ModuleStyle = { ...plainStyle, dots: { type: 'rounded', paint: linear } };
    const first = await draw(matrix, style);
    await draw(matrix, plainStyle);
    expect(await draw(matrix, style)).toEqual(first);
  });

  it('of plain squares is a background and one path', async () => {
    const { layers, crisp } = await draw(matrix, plainStyle);
    expect(toContent(layers).match(/<\w+/g)).toEqual(['<rect', '<path']);
    expect(crisp).toBe(true);
  });

  it('without a background has no background layer', async () => {
    const style: ModuleStyle = { ...plainStyle, background: { paint: 'transparent', round: 0 } };
    expect(toContent((await draw(matrix, style)).layers)).toMatch(/^<path [^>]+>$/);
  });

  it('draws round eyes if dots would be inherited, which no reader finds', async () => {
    const style: ModuleStyle = { ...plainStyle, dots: { type: 'dots', paint: '#000000' } };
    expect(await decodeQr(await toPng(toSvg(await draw(matrix, style), 512)))).toBe(text);
  });

  /** The side of the middle of the first eye, in modules, along the line through its centre. */
  const middleSide = async (style: ModuleStyle): Promise<number> => {
    const drawing = await draw(matrix, style);
    const { start, unit } = symbolPosition(matrix.size, style, drawing.side);
    // Four pixels for each unit, because edges do not lie on whole units.
    const side = 4 * drawing.side;
    const svg = Buffer.from(toSvg(drawing, side));
    const { data } = await sharp(svg).greyscale().raw().toBuffer({ resolveWithObject: true });
    const centre = Math.round(4 * (start + 3.5 * unit));
    const isDark = (x: number) => data[centre * side + x]! < 128;
    let [left, right] = [centre, centre];
    while (isDark(left - 1)) left--;
    while (isDark(right)) right++;
    return (right - left) / (4 * unit);
  };

  it.each(['square', 'circle'] as const)(
    'has middles with corners smaller in a round ring: %s',
    async (shape) => {
      const eye = (ring: 'dot' | 'square', middle: CornerDotType): ModuleStyle => ({
        ...plainStyle,
        shape,
        cornersSquare: { type: ring },
        cornersDot: { type: middle },
      });
      for (const middle of ['square', 'rounded', 'classy', 'classy-rounded'] as const) {
        expect(await middleSide(eye('dot', middle)), middle).toBeCloseTo(2.7, 1);
        expect(await middleSide(eye('square', middle)), middle).toBeCloseTo(3, 1);
      }
      for (const middle of ['dot', 'extra-rounded'] as const)
        expect(await middleSide(eye('dot', middle)), middle).toBeCloseTo(3, 1);
    },
  );

  it('with a square in a round ring is read at every size', async () => {
    for (const type of ['square', 'rounded'] as const) {
      const style: ModuleStyle = {
        ...plainStyle,
        dots: { type, paint: '#1d3a8a' },
        cornersSquare: { type: 'dot' },
        cornersDot: { type: 'square' },
      };
      const drawing = await draw(matrix, style);
      for (let side = 112; side < 420; side += 7)
        expect(await decodeQr(await toPng(toSvg(drawing, side))), `${type}, ${side}`).toBe(text);
    }
  });

  it.each(styles)('is read: %s', async (_, style) => {
    expect(await decodeQr(await toPng(toSvg(await draw(matrix, style), 512)))).toBe(text);
  });

  it('with a logo is read, and shows it', async () => {
    const logo = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#ff0000' } })
      .png()
      .toBuffer();
    const image = {
      href: `data:image/png;base64,${logo.toString('base64')}`,
      width: 40,
      height: 20,
      size: 0.4,
      margin: 0,
      hideDots: true,
    };
    const drawing = await draw(encodeMatrix(text, 'H'), { ...plainStyle, image });
    const png = await toPng(toSvg(drawing, 400));
    expect(await decodeQr(png)).toBe(text);
    const middle = await sharp(png).extract({ left: 199, top: 199, width: 1, height: 1 }).raw().toBuffer();
    expect([...middle.subarray(0, 3)]).toEqual([255, 0, 0]);
  });
});
