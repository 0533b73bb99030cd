/**
 * Readers look for dark modules on a light ground. What is too weak, or the other way round, is refused before anything is drawn:
 * a camera in a dim room sees less than a decoder on a clean picture.
 */
import { ClientError } from '#shared/errors.ts';
import type { Paint, ResolvedStyle } from './style.ts';

/** Light against dark as WCAG 2 measures it, and what it asks of graphics (success criterion 1.4.11). */
export const contrastMin = 3;

const channel = (value: number): number =>
  value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;

/** Relative luminance, 0 (black) to 1 (white). @param color `#rrggbb` */
const luminance = (color: string): number => {
  const [red, green, blue] = [1, 3, 5].map((at) =>
    channel(Number.parseInt(color.slice(at, at + 2), 16) / 255),
  );
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
};

/** 1 to 21; below 1 when what should be dark is the lighter one. */
export const contrastOf = (dark: string, light: string): number =>
  (luminance(light) + 0.05) / (luminance(dark) + 0.05);

/** All of them in a gradient. */
export const colorsOf = (paint: Paint): string[] =>
  typeof paint === 'string' ? [paint] : paint.colorStops.map(({ color }) => color);

/** What is behind the modules: their background, what shows through it, or the paper. */
const ground = ({ background, frame }: ResolvedStyle): { field: string; paint: Paint } => {
  if (background.paint !== 'transparent')
    return { field: 'backgroundOptions.color', paint: background.paint };
  return frame && frame.background !== 'transparent'
    ? { field: 'frame.background', paint: frame.background }
    : { field: 'white paper', paint: '#ffffff' };
};

const why = (dark: string, light: string): string => {
  const contrast = contrastOf(dark, light);
  if (contrast < 1) return 'is lighter than it, and many readers find no light code on a dark ground';
  return `has a contrast of ${contrast.toFixed(1)} to 1, and readers need ${contrastMin} to 1`;
};

/** @throws {ClientError} UNPROCESSABLE naming the weakest pair of colours, every stop of a gradient being one */
export const checkContrast = (style: ResolvedStyle): void => {
  const { field: groundField, paint: groundPaint } = ground(style);
  const paints: [string, Paint | undefined][] = [
    ['dotsOptions.color', style.dots.paint],
    ['cornersSquareOptions.color', style.cornersSquare.paint],
    ['cornersDotOptions.color', style.cornersDot.paint],
  ];
  for (const [field, paint] of paints) {
    for (const dark of paint === undefined ? [] : colorsOf(paint)) {
      const light = colorsOf(groundPaint).find((each) => contrastOf(dark, each) < contrastMin);
      if (light === undefined) continue;
      throw new ClientError(
        'UNPROCESSABLE',
        `${field} ${dark} on ${groundField} ${light} ${why(dark, light)}: take a darker colour, or a lighter background`,
      );
    }
  }
};
