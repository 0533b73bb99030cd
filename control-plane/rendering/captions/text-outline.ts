/** Text → outlines, so that a caption looks the same everywhere and needs no font where it is shown or printed. */
import { Direction, type Font, MetricsTag, Buffer as ShapingBuffer, shape } from 'harfbuzzjs';
import type { FrameLook } from '../look/look.ts';
import { formatNumber } from '../vector/numbers.ts';
import { orderRuns } from './bidi.ts';
import { chooseFaces, clustersOf, type Faces } from './faces.ts';
import { canDraw, fontOf } from './font-files.ts';

/** One line of text. Lengths are in ems. */
export interface TextOutline {
  /** Path data; the text begins at x, and its baseline is y. */
  draw(x: number, y: number, size: number): string;
  width: number;
  /** The extent of its ink above and below the baseline. */
  ascent: number;
  descent: number;
  /** The height of capitals in the face of its first letter. */
  capHeight: number;
  /** Whether it has letters or digits of a script with capitals. */
  hasCapitals: boolean;
}

/** A glyph and its position, in ems. */
interface PlacedGlyph {
  font: Font;
  id: number;
  scale: number;
  x: number;
  y: number;
  ascent: number;
  descent: number;
}

interface FontRun {
  font: Font;
  text: string;
}

/** Runs of clusters that one font file can draw. */
const splitByFont = async (text: string, faces: Faces): Promise<FontRun[]> => {
  const runs: (FontRun & { face: unknown })[] = [];
  for (const cluster of clustersOf(text)) {
    const face = faces.get(cluster)!;
    const last = runs.at(-1);
    if (last && last.face === face && canDraw(last.font, cluster)) last.text += cluster;
    else runs.push({ face, font: (await fontOf(face, cluster))!, text: cluster });
  }
  return runs;
};

let shapingBuffer: ShapingBuffer | undefined;

/** Shapes a run of either direction and places its glyphs from left to right. */
const placeRun = ({ font, text }: FontRun, rightToLeft: boolean, left: number) => {
  shapingBuffer ??= new ShapingBuffer();
  shapingBuffer.reset();
  shapingBuffer.addText(text);
  shapingBuffer.guessSegmentProperties();
  shapingBuffer.setDirection(rightToLeft ? Direction.RTL : Direction.LTR);
  shape(font, shapingBuffer);
  const scale = 1 / font.face.upem;
  const placed: PlacedGlyph[] = [];
  let x = left;
  for (const glyph of shapingBuffer.getGlyphInfosAndPositions()) {
    const { codepoint: id, xAdvance = 0, xOffset = 0, yOffset = 0 } = glyph;
    const { yBearing = 0, height = 0 } = font.glyphExtents(id) ?? {};
    placed.push({
      font,
      id,
      scale,
      x: x + xOffset * scale,
      y: yOffset * scale,
      ascent: (yOffset + yBearing) * scale,
      descent: -(yOffset + yBearing + height) * scale,
    });
    x += xAdvance * scale;
  }
  return { placed, right: x };
};

const placeGlyphs = async (text: string, faces: Faces) => {
  const placed: PlacedGlyph[] = [];
  let x = 0;
  for (const run of orderRuns(text)) {
    const parts = await splitByFont(run.text, faces);
    for (const part of run.rightToLeft ? parts.reverse() : parts) {
      const { placed: glyphs, right } = placeRun(part, run.rightToLeft, x);
      placed.push(...glyphs);
      x = right;
    }
  }
  return { placed, width: x };
};

/** To a hundredth of a unit; a frame has a thousand units and more. */
const coordinate = (value: number): string => formatNumber(value, 2);

const drawGlyph = (
  { font, id, scale, x, y }: PlacedGlyph,
  left: number,
  base: number,
  size: number,
): string =>
  font
    .glyphToJson(id)
    .map(({ type, values }) => {
      const points = values.map((value, index) =>
        coordinate(index % 2 === 0 ? left + (x + value * scale) * size : base - (y + value * scale) * size),
      );
      return (type === 'Z' ? 'z' : type) + points.join(' ');
    })
    .join('');

const capHeightOf = async (text: string, faces: Faces): Promise<number> => {
  const first = clustersOf(text).find((cluster) => cluster.trim() !== '');
  const font = first === undefined ? undefined : await fontOf(faces.get(first)!, first);
  return font ? font.getMetricPositionWithFallback(MetricsTag.CAP_HEIGHT) / font.face.upem : 0;
};

/** @param text in Unicode's form NFC; each of its clusters has a face */
export const outlineLine = async (text: string, faces: Faces): Promise<TextOutline> => {
  const { placed, width } = await placeGlyphs(text, faces);
  return {
    width,
    ascent: Math.max(0, ...placed.map(({ ascent }) => ascent)),
    descent: Math.max(0, ...placed.map(({ descent }) => descent)),
    capHeight: await capHeightOf(text, faces),
    hasCapitals: /[\p{Lu}\p{Ll}0-9]/u.test(text),
    draw: (x, y, size) => placed.map((each) => drawGlyph(each, x, y, size)).join(''),
  };
};

/** @throws {ClientError} UNPROCESSABLE naming `frame.text` and the characters that no font has */
export const outlineText = async (text: string, name: FrameLook['font']): Promise<TextOutline> => {
  const normal = text.normalize('NFC');
  return outlineLine(normal, await chooseFaces(normal, name));
};
