import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { frameIds, type Style } from '#schemas/api/style.ts';
import { contrastOf } from '#shared/colors.ts';
import { decodeQr } from '../../../deploy/testing/decode.ts';
import { resolveStyle } from '../look/resolve-style.ts';
import { render } from '../render.ts';
import { pictureFormats } from '../request.ts';

type FrameId = Exclude<(typeof frameIds)[number], 'none'>;
const framed = frameIds.filter((id) => id !== 'none');
const payload = 'https://qr.example.com/r/abc123XYZ';
const side = 600;

type Rgb = readonly [number, number, number];
const colors = {
  code: [0x10, 0x20, 0x80],
  frame: [0x10, 0x60, 0x20],
  text: [0xc0, 0x10, 0x10],
  pale: [0xff, 0xf0, 0x60],
} as const satisfies Record<string, Rgb>;
const hex = (color: Rgb): string => `#${color.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;

/** Each part in its own colour. */
const styleOf = (id: FrameId, textColor: Rgb | undefined): Style => ({
  dotsOptions: { color: hex(colors.code) },
  frame: { id, text: 'Scan me', color: hex(colors.frame), ...(textColor && { textColor: hex(textColor) }) },
});

interface View {
  width: number;
  height: number;
  /** Whether a pixel has a colour, allowing for smoothed edges. */
  is(x: number, y: number, color: Rgb): boolean;
  at(x: number, y: number): number[];
}

const viewOf = async (style: Style, size: { width?: number; height?: number }): Promise<View> => {
  const { body } = await render({ payload, look: resolveStyle(style), format: 'png', ...size });
  const { data, info } = await sharp(body).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const isAt = (at: number, [red, green, blue]: Rgb): boolean =>
    data[at + 3]! > 200 &&
    Math.abs(data[at]! - red) < 48 &&
    Math.abs(data[at + 1]! - green) < 48 &&
    Math.abs(data[at + 2]! - blue) < 48;
  return {
    width,
    height,
    at: (x, y) => [...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 4)],
    is: (x, y, color) => isAt((y * width + x) * 4, color),
  };
};

/** The first and last rows and columns that contain a colour. */
const boundsOf = ({ width, height, is }: View, color: Rgb) => {
  const bounds = { left: width, right: -1, top: height, bottom: -1 };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (!is(x, y, color)) continue;
      bounds.left = Math.min(bounds.left, x);
      bounds.right = Math.max(bounds.right, x);
      bounds.top = Math.min(bounds.top, y);
      bounds.bottom = y;
    }
  }
  return bounds;
};

/** Rows between a row and the next that has one of the colours, within a range of columns. */
const freeRows = (
  view: View,
  from: number,
  step: 1 | -1,
  columns: [number, number],
  found: readonly Rgb[],
): number => {
  for (let y = from + step; y >= 0 && y < view.height; y += step) {
    for (let x = columns[0]; x < columns[1]; x++)
      if (found.some((color) => view.is(x, y, color))) return Math.abs(y - from) - 1;
  }
  throw new Error('nothing found up to the edge of the picture');
};

/** Pixels from a column leftwards to the frame, in a row. */
const freeColumns = (view: View, from: number, y: number): number => {
  for (let x = from; x >= 0; x--) if (view.is(x, y, colors.frame)) return from - x;
  throw new Error('nothing found up to the edge of the picture');
};

describe('a frame', () => {
  it.each(['border', 'polaroid', 'phone', 'ticket'] as const)(
    '%s centres its caption between the neighbours above and below',
    async (id) => {
      const view = await viewOf(styleOf(id, colors.text), { width: side, height: side });
      const { left, right, top, bottom } = boundsOf(view, colors.text);
      const others = [colors.code, colors.frame];
      const above = freeRows(view, top, -1, [left, right], others);
      // Below the beginning of the caption, where a phone has no home bar.
      const below = freeRows(view, bottom, 1, [left, left + 20], others);
      expect(Math.abs(above - below), `${above} above, ${below} below`).toBeLessThanOrEqual(2);
    },
  );

  it.each(['scanme', 'banner', 'rounded', 'bubble', 'ribbon'] as const)(
    '%s centres its caption in its band',
    async (id) => {
      const view = await viewOf(styleOf(id, colors.pale), { width: side, height: side });
      const { left, right, top, bottom } = boundsOf(view, colors.pale);
      // Next to the caption, where no tail or pointer leaves the band.
      const beside = left - 10;
      const bandOver = Array.from({ length: top }, (_, index) =>
        view.is(beside, top - 1 - index, colors.frame),
      );
      const bandUnder = Array.from({ length: view.height - 1 - bottom }, (_, index) =>
        view.is(beside, bottom + 1 + index, colors.frame),
      );
      const above = [...bandOver, false].indexOf(false);
      const below = [...bandUnder, false].indexOf(false);
      expect(above).toBeGreaterThan(8);
      expect(Math.abs(above - below), `${above} above, ${below} below`).toBeLessThanOrEqual(2);
      const code = boundsOf(view, colors.code);
      expect(Math.abs(left + right - code.left - code.right)).toBeLessThanOrEqual(6);
    },
  );

  it.each(framed)(
    '%s leaves its code 70 % of the width of a picture with the proportions of the frame',
    async (id) => {
      for (const text of ['Scan me', 'Scan to see our new menu', '']) {
        const style = styleOf(id, undefined);
        const view = await viewOf({ ...style, frame: { ...style.frame!, text } }, { width: side });
        const { left, right } = boundsOf(view, colors.code);
        expect((right - left + 1) / side, text).toBeGreaterThanOrEqual(0.7);
      }
    },
  );

  it.each(framed)(
    '%s with one line leaves its code three fifths of the width of a square picture',
    async (id) => {
      const view = await viewOf(styleOf(id, undefined), { width: side, height: side });
      const { left, right } = boundsOf(view, colors.code);
      expect((right - left + 1) / side).toBeGreaterThanOrEqual(0.6);
    },
  );

  it.each(framed)('%s keeps its code four modules away from everything that is drawn', async (id) => {
    const large = 1200;
    const view = await viewOf(styleOf(id, undefined), { width: large });
    const { left, right, top, bottom } = boundsOf(view, colors.code);
    const quiet = (4 / 29) * (right - left + 1);
    for (let y = Math.ceil(top - quiet + 2); y < bottom + quiet - 2; y++)
      for (let x = Math.ceil(left - quiet + 2); x < right + quiet - 2; x++) {
        if (x >= left - 2 && x <= right + 2 && y >= top - 2 && y <= bottom + 2) continue;
        // The quiet zone of a corner is round.
        const [dx, dy] = [Math.max(left - x, x - right, 0), Math.max(top - y, y - bottom, 0)];
        if (Math.hypot(dx, dy) < quiet - 2 && view.is(x, y, colors.frame))
          throw new Error(`the frame is at ${x}, ${y}: ${dx} and ${dy} pixels from the code`);
      }
  });

  it.each(framed)(
    '%s determines the missing dimension, and touches all four edges of the picture',
    async (id) => {
      const style: Style = { frame: { id, text: 'Scan me' } };
      const { width, height, at } = await viewOf(style, { width: 600 });
      expect(width).toBe(600);
      expect(height).toBeGreaterThan(620);
      const opaqueIn = (points: [number, number][]): boolean => points.some(([x, y]) => at(x, y)[3]! > 0);
      const rows = Array.from({ length: height }, (_, y) => y);
      const columns = Array.from({ length: width }, (_, x) => x);
      expect(opaqueIn(rows.map((y) => [0, y]))).toBe(true);
      expect(opaqueIn(rows.map((y) => [width - 1, y]))).toBe(true);
      expect(opaqueIn(columns.map((x) => [x, 0]))).toBe(true);
      expect(opaqueIn(columns.map((x) => [x, height - 1]))).toBe(true);
      expect((await viewOf(style, { height })).width).toBeGreaterThanOrEqual(599);
      expect((await viewOf(style, { height })).width).toBeLessThanOrEqual(601);
    },
  );

  it('is no larger than a picture may be, even if its proportions ask for more', async () => {
    const { body } = await render({
      payload,
      look: resolveStyle({ frame: { id: 'phone' } }),
      format: 'svg',
      width: 4096,
    });
    expect(await sharp(body).metadata()).toMatchObject({ width: 4096, height: 4096 });
  });
});

describe('a code on a tile of its own colour', () => {
  /** A tile that differs from the frame's ground, both ways round. */
  const grounds = {
    'light on dark': {
      tile: [0xff, 0xff, 0xff],
      ground: [0x0b, 0x10, 0x20],
      dots: colors.code,
      // Smoothed into its ground it never looks like the frame.
      text: [0xff, 0x70, 0xff],
    },
    'dark on light': {
      tile: [0x0b, 0x10, 0x20],
      ground: [0xff, 0xff, 0xff],
      dots: [0xf0, 0xe0, 0x80],
      text: colors.text,
    },
  } as const;
  const captions = ['Scan me', 'Scan to see our new menu'];
  const onTile = (id: FrameId, ground: keyof typeof grounds, round: number, text: string): Style => ({
    dotsOptions: { color: hex(grounds[ground].dots) },
    backgroundOptions: { color: hex(grounds[ground].tile), round },
    frame: {
      id,
      text,
      color: hex(colors.frame),
      textColor: hex(grounds[ground].text),
      background: hex(grounds[ground].ground),
    },
  });
  const cases = (['border', 'phone'] as const).flatMap((id) =>
    (['light on dark', 'dark on light'] as const).flatMap((ground) =>
      [0, 0.4].flatMap((round) => captions.map((text) => [id, ground, round, text] as const)),
    ),
  );

  it.each(cases)(
    '%s centres its caption between the tile and the frame below: %s, rounded by %d, %s',
    async (id, ground, round, text) => {
      const view = await viewOf(onTile(id, ground, round, text), { width: side });
      const { left, top, bottom } = boundsOf(view, grounds[ground].text);
      const middle: [number, number] = [Math.round(view.width / 2) - 40, Math.round(view.width / 2) + 40];
      const above = freeRows(view, top, -1, middle, [grounds[ground].tile]);
      const below = freeRows(view, bottom, 1, [left, left + 20], [colors.frame]);
      expect(above).toBeGreaterThan(0.05 * side);
      expect(Math.abs(above - below), `${above} above, ${below} below`).toBeLessThanOrEqual(2);
    },
  );

  it.each([0, 0.4, 1])('phone keeps a tile rounded by %d from its camera', async (round) => {
    const view = await viewOf(onTile('phone', 'light on dark', round, 'Scan me'), { width: side });
    const { tile } = grounds['light on dark'];
    const { top } = boundsOf(view, tile);
    const middle = Math.round(view.width / 2);
    // Above the smoothed edge of the tile, which is as dark as the frame.
    const free = freeRows(view, top - 2, -1, [middle - 20, middle + 20], [colors.frame]);
    expect(free).toBeGreaterThan(0.05 * side);
  });

  it.each(
    (['scanme', 'bubble', 'rounded'] as const).flatMap((id) =>
      [0, 0.05, 0.4].map((round) => [id, round] as const),
    ),
  )('%s is as far from the corners of a tile rounded by %d as from its sides', async (id, round) => {
    const large = 1200;
    const view = await viewOf(onTile(id, 'light on dark', round, 'Scan me'), { width: large });
    const { tile } = grounds['light on dark'];
    const { left, right, bottom } = boundsOf(view, tile);
    const beside = freeColumns(view, left, Math.round(bottom - (right - left) / 2));
    const radius = (round * (right - left)) / 2;
    // From the point where the diagonal of the tile's corner leaves it to the frame.
    const inset = radius * (1 - Math.SQRT1_2);
    const [x, y] = [Math.round(left + inset), Math.round(bottom - inset)];
    let diagonal = 0;
    while (!view.is(x - diagonal, y + diagonal, colors.frame)) diagonal++;
    expect(diagonal * Math.SQRT2, `${beside} beside`).toBeGreaterThan(0.9 * beside);
  });
});

describe('the ribbon', () => {
  /** The last row of the band, in the middle of the picture. */
  const bandBottomOf = ({ width, height, at }: View): number =>
    Array.from({ length: height }, (_, y) => y).findLast((y) => at(Math.round(width / 2), y)[3]! > 250)!;

  it('is wider than its card, and nothing of the card is below it', async () => {
    const view = await viewOf(styleOf('ribbon', colors.pale), { width: side });
    const caption = boundsOf(view, colors.pale);
    const leftmost = (y: number): number => {
      for (let x = 0; x < view.width; x++) if (view.at(x, y)[3]! > 128) return x;
      return view.width;
    };
    expect(leftmost(200) - leftmost(caption.bottom)).toBeGreaterThan(10);
    const white: Rgb = [0xff, 0xff, 0xff];
    for (let y = caption.bottom + 2; y < view.height; y++)
      for (let x = 0; x < view.width; x++) expect(view.is(x, y, white)).toBe(false);
  });

  it.each(['#111827', '#000000', '#7c2d12', '#be123c', '#2563eb'])(
    'has ends that are visible next to %s, on white and on dark',
    async (color) => {
      const view = await viewOf({ frame: { id: 'ribbon', color } }, { width: side });
      const [red, green, blue, alpha] = view.at(12, bandBottomOf(view) + 8);
      expect(alpha).toBe(255);
      const end = hex([red!, green!, blue!]);
      expect(contrastOf(end, '#ffffff')).toBeGreaterThan(1.6);
      expect(contrastOf('#000000', end)).toBeGreaterThan(1.4);
      expect(end).not.toBe(color);
    },
  );

  it('of a gradient has ends in a darker tone of the colours beside them', async () => {
    const color = {
      type: 'linear' as const,
      rotation: 0,
      colorStops: [
        { offset: 0, color: '#e11d48' },
        { offset: 1, color: '#2563eb' },
      ],
    };
    const view = await viewOf({ frame: { id: 'ribbon', color } }, { width: side });
    const y = bandBottomOf(view) + 8;
    const [left, right] = [view.at(12, y), view.at(side - 13, y)];
    expect(left[0]! - left[2]!).toBeGreaterThan(60);
    expect(right[2]! - right[0]!).toBeGreaterThan(60);
  });
});

describe('frame.background transparent', () => {
  it.each(framed)('in %s shows the page behind it, around the code and through it', async (id) => {
    const frame = { id, background: 'transparent' as const, color: hex(colors.frame) };
    const through: Style = { frame, backgroundOptions: { color: 'transparent' } };
    const code = boundsOf(
      await viewOf({ ...through, dotsOptions: { color: hex(colors.code) } }, { width: side }),
      colors.code,
    );
    const view = await viewOf(through, { width: side });
    // Between the code and the frame, and in the middle of a finder's white ring.
    expect(view.at(code.left - 20, code.top + 200)[3]).toBe(0);
    const module = (code.right - code.left + 1) / 29;
    expect(view.at(Math.round(code.left + 1.5 * module), Math.round(code.top + 1.5 * module))[3]).toBe(0);
  });

  it.each(pictureFormats)('is read as %s, and white in a JPEG', async (format) => {
    const style: Style = {
      frame: { id: 'ticket', background: 'transparent' },
      backgroundOptions: { color: 'transparent' },
    };
    const { body, decoded } = await render({ payload, look: resolveStyle(style), format, width: 400 });
    // Black modules may be on black paper: the answer says on which paper they are read.
    expect(decoded).toBe(format === 'jpg' ? 'yes' : 'on white only');
    if (format === 'pdf') return;
    expect(await decodeQr(await sharp(body).flatten({ background: '#ffffff' }).png().toBuffer())).toBe(
      payload,
    );
    if (format !== 'jpg') return;
    const corner = await sharp(body).extract({ left: 40, top: 30, width: 1, height: 1 }).raw().toBuffer();
    expect([...corner]).toEqual([255, 255, 255]);
  });
});

describe('a background that is a gradient', () => {
  it('covers the whole frame, without an edge around the code', async () => {
    const color = {
      type: 'linear' as const,
      rotation: 0,
      colorStops: [
        { offset: 0, color: '#ffffff' },
        { offset: 1, color: '#80d0ff' },
      ],
    };
    const view = await viewOf(
      { backgroundOptions: { color }, frame: { id: 'border', text: '' } },
      { width: side },
    );
    const y = 60;
    for (let x = 40; x < side - 40; x++)
      expect(Math.abs(view.at(x + 1, y)[0]! - view.at(x, y)[0]!)).toBeLessThanOrEqual(1);
  });
});
