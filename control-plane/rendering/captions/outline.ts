/** Text → outlines: a caption looks the same everywhere and needs no font where the picture is shown or printed. */
import type { Font, Glyph } from 'fontkit';
import { ClientError } from '#shared/errors.ts';
import type { FrameStyle } from '../style.ts';
import { mirrored, orderRuns } from './bidi.ts';
import { fontFor } from './fonts.ts';

export interface Outline {
  /** Path data; the text begins at 0, 0 on its baseline and is one unit (an em) in size. */
  draw(x: number, y: number, size: number): string;
  /** Of a text of size 1. */
  width: number;
}

/** A glyph in its place, in ems. */
interface PlacedGlyph {
  glyph: Glyph;
  scale: number;
  x: number;
  y: number;
}

const clusters = new Intl.Segmenter('en', { granularity: 'grapheme' });

const describe = (cluster: string): string => {
  const codes = [...cluster].map(
    (each) => `U+${each.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`,
  );
  return `${cluster} (${codes.join(' ')})`;
};

const noGlyph = (cluster: string) =>
  new ClientError(
    'UNPROCESSABLE',
    `frame.text has ${describe(cluster)}, which no caption font can draw; leave it out, or write it in another way`,
  );

/** Neighbours that one font can draw. @throws {ClientError} UNPROCESSABLE naming `frame.text` and what cannot be drawn */
const splitByFont = (text: string, name: FrameStyle['font']): { font: Font; text: string }[] => {
  const runs: { font: Font; text: string }[] = [];
  for (const { segment } of clusters.segment(text)) {
    const font = fontFor(name, segment);
    if (!font) throw noGlyph(segment);
    const last = runs.at(-1);
    if (last?.font === font) last.text += segment;
    else runs.push({ font, text: segment });
  }
  return runs;
};

const placeGlyphs = (text: string, name: FrameStyle['font']) => {
  const placed: PlacedGlyph[] = [];
  let x = 0;
  for (const run of orderRuns(text)) {
    const direction = run.rightToLeft ? 'rtl' : 'ltr';
    const parts = splitByFont(run.rightToLeft ? mirrored(run.text) : run.text, name);
    for (const { font, text: part } of run.rightToLeft ? parts.reverse() : parts) {
      const scale = 1 / font.unitsPerEm;
      const { glyphs, positions } = font.layout(part, undefined, undefined, undefined, direction);
      for (const [index, glyph] of glyphs.entries()) {
        const { xAdvance, xOffset, yOffset } = positions[index]!;
        placed.push({ glyph, scale, x: x + xOffset * scale, y: yOffset * scale });
        x += xAdvance * scale;
      }
    }
  }
  return { placed, width: x };
};

const letters = {
  moveTo: 'M',
  lineTo: 'L',
  quadraticCurveTo: 'Q',
  bezierCurveTo: 'C',
  closePath: 'z',
} as const;

/** A hundredth of a unit, of which a picture has a thousand and more. */
const number = (value: number): string => String(Math.round(value * 100) / 100 + 0);

const drawGlyph = ({ glyph, scale, x, y }: PlacedGlyph, left: number, base: number, size: number): string =>
  glyph.path.commands
    .map(({ command, args }) => {
      const points = args.map((value, index) =>
        number(index % 2 === 0 ? left + (x + value * scale) * size : base - (y + value * scale) * size),
      );
      return letters[command] + points.join(' ');
    })
    .join('');

/** @throws {ClientError} UNPROCESSABLE naming `frame.text` and what no font can draw */
export const outlineText = (text: string, name: FrameStyle['font']): Outline => {
  const { placed, width } = placeGlyphs(text.normalize('NFC'), name);
  return {
    width,
    draw: (x, y, size) => placed.map((each) => drawGlyph(each, x, y, size)).join(''),
  };
};
