import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Drawing, draw, isCrispAt, toSvg } from '../../drawing/drawing.ts';
import { type ModuleStyle, plainStyle } from '../../drawing/module-style.ts';
import type { Paint } from '../../look/look.ts';
import { encodeMatrix } from '../../symbol/matrix.ts';
import type { Layer } from '../../vector/layers.ts';
import { type Pixels, rasterise } from '../raster.ts';
import { canRasterise, rasteriseLayers, rasteriserSideMax } from './rasterise-layers.ts';

const rasteriseDrawing = (drawing: Drawing, side: number): Pixels =>
  rasteriseLayers(drawing.layers, { units: drawing.side, side, crisp: isCrispAt(drawing, side) });

/** As it looks on white: red, green and blue, then the alpha, of 255. */
const onWhite = ({ data, width, height }: Pixels): Seen => {
  const values = new Float64Array(data.length);
  for (let at = 0; at < data.length; at++) {
    values[at] = at % 4 === 3 ? data[at]! : 255 + ((data[at]! - 255) * data[at | 3]!) / 255;
  }
  return { values, width, height };
};

interface Seen {
  values: Float64Array;
  width: number;
  height: number;
}

/** Every pixel averages `times` pixels across and down. */
const shrink = ({ values, width, height }: Seen, times: number): Seen => {
  const small = new Float64Array(values.length / times ** 2);
  for (let at = 0; at < values.length; at++) {
    const [x, y] = [(at >> 2) % width, Math.floor((at >> 2) / width)];
    const pixel = Math.floor(y / times) * (width / times) + Math.floor(x / times);
    small[pixel * 4 + (at & 3)]! += values[at]! / times ** 2;
  }
  return { values: small, width: width / times, height: height / times };
};

/** By librsvg; its smoothed edges, which are rough for small curves, come from a picture four times as large. */
const drawByLibrary = async (drawing: Drawing, side: number): Promise<Seen> => {
  if (isCrispAt(drawing, side)) return onWhite(await rasterise(toSvg(drawing, side)));
  const large = toSvg({ ...drawing, crisp: false }, side * 4);
  return shrink(onWhite(await rasterise(large)), 4);
};

/** The difference of channels, of 255: average and maximum. */
const difference = (a: Seen, b: Seen) => {
  expect([a.width, a.height]).toEqual([b.width, b.height]);
  let [sum, max] = [0, 0];
  for (let at = 0; at < a.values.length; at++) {
    const apart = Math.abs(a.values[at]! - b.values[at]!);
    sum += apart;
    max = Math.max(max, apart);
  }
  return { mean: sum / a.values.length, max };
};

const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);
/** Never two at one position: a pixel there takes either colour, and a larger picture shows both. */
const stops = fc
  .uniqueArray(fc.record({ offset: fc.integer({ min: 0, max: 10 }).map((n) => n / 10), color }), {
    minLength: 2,
    maxLength: 5,
    selector: ({ offset }) => offset,
  })
  .map((all) => all.toSorted((a, b) => a.offset - b.offset));
const gradient = fc.record({
  type: fc.constantFrom('linear' as const, 'radial' as const),
  rotation: fc.double({ min: 0, max: 6.3, noNaN: true }),
  colorStops: stops,
});
const dotType = fc.constantFrom(
  ...(['square', 'dots', 'rounded', 'classy', 'classy-rounded', 'extra-rounded'] as const),
);
const cornerType = fc.oneof(dotType, fc.constant('dot' as const));

/** Round corners only if no module touches them: there the smoothed edges of both show, unlike in a larger picture. */
const ground = fc.oneof(
  fc.record({ margin: fc.integer({ min: 0, max: 6 }), round: fc.constant(0) }),
  fc.constant({ margin: 6, round: 0.25 }),
);

/** Any style whose dots and background have this kind of paint, and whose eyes have their own colour. */
const styleOf = (paint: fc.Arbitrary<Paint>): fc.Arbitrary<ModuleStyle> =>
  fc
    .record({
      shape: fc.constantFrom('square' as const, 'circle' as const),
      dots: fc.record({ type: dotType, paint }),
      cornersSquare: fc.record({ type: cornerType, paint: color }),
      cornersDot: fc.record({ type: cornerType, paint: color }),
      ground,
      below: fc.oneof(paint, fc.constant('transparent' as const)),
    })
    .map(({ ground: { margin, round }, below, ...style }) => ({
      ...style,
      margin,
      background: { paint: below, round },
    }));

/** Draws pictures of such styles both ways. */
const compare = (
  styles: fc.Arbitrary<ModuleStyle>,
  check: (apart: { mean: number; max: number }) => void,
): Promise<void> =>
  fc.assert(
    fc.asyncProperty(
      styles,
      fc.string({ minLength: 1, maxLength: 120 }),
      fc.integer({ min: 64, max: 320 }),
      async (style, text, side) => {
        const drawing = await draw(encodeMatrix(text, 'M'), style);
        const own = onWhite(rasteriseDrawing(drawing, side));
        check(difference(own, await drawByLibrary(drawing, side)));
      },
    ),
    { numRuns: 40 },
  );

describe('the rasteriser', () => {
  it('draws librsvg’s edges, for any style in any size', async () => {
    await compare(styleOf(color), ({ mean, max }) => {
      expect(mean).toBeLessThan(1);
      expect(max).toBeLessThan(32);
    });
  });

  it('draws librsvg’s gradients', async () => {
    await compare(styleOf(gradient), ({ mean, max }) => {
      expect(mean).toBeLessThan(1);
      expect(max).toBeLessThan(48);
    });
  });

  it('covers pixels entirely or not at all if edges are crisp', async () => {
    const drawing = await draw(encodeMatrix('crisp', 'M'), plainStyle);
    const { data } = rasteriseDrawing(drawing, 333);
    const values = new Set(new Uint32Array(data.buffer));
    expect([...values].sort()).toEqual([0xff000000, 0xffffffff]);
  });

  it('leaves nothing of a failed picture in the next one', () => {
    const square: Layer = {
      kind: 'figures',
      fill: '#000000',
      figures: [{ x: 0, y: 0, commands: 'h9v9h-9z' }],
    };
    const broken: Layer = { ...square, figures: [...square.figures, { x: 1, y: 1, commands: 'q1 1 2 2z' }] };
    const placement = { units: 10, side: 64, crisp: false };
    const expected = rasteriseLayers([], placement);
    expect(() => rasteriseLayers([broken], placement)).toThrow('cannot fill the path command q');
    expect(rasteriseLayers([], placement)).toEqual(expected);
    const empty: Layer = { ...square, figures: [] };
    expect(rasteriseLayers([empty], placement)).toEqual(expected);
  });

  it('leaves large pictures, and pictures with an image in them, to librsvg', async () => {
    const { layers } = await draw(encodeMatrix('large', 'M'), plainStyle);
    const image: Layer = { kind: 'image', href: '', x: 0, y: 0, width: 1, height: 1 };
    expect(canRasterise(layers, rasteriserSideMax)).toBe(true);
    expect(canRasterise(layers, rasteriserSideMax + 1)).toBe(false);
    expect(canRasterise([...layers, image], 64)).toBe(false);
    const draw64 = { units: 10, side: 64, crisp: false };
    expect(() => rasteriseLayers([image], draw64)).toThrow('only librsvg');
    expect(() => rasteriseLayers([], { ...draw64, side: rasteriserSideMax + 1 })).toThrow('only librsvg');
  });
});
