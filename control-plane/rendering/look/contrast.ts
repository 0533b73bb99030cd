/**
 * Finds colours that not every reader may read: safe are dark modules on a light ground, with enough contrast for a
 * camera in a dim room. The proof shows whether a reader reads them anyway.
 */
import { contrastOf } from '#shared/colors.ts';
import type { Look, Paint } from './look.ts';

/** The contrast that WCAG 2 requires of graphics (success criterion 1.4.11). */
const contrastGood = 3;

/** The colours of a paint: one, or all stops of a gradient. */
export const colorsOf = (paint: Paint): string[] =>
  typeof paint === 'string' ? [paint] : paint.colorStops.map(({ color }) => color);

/** The ground under a transparent picture. */
export interface Paper {
  name: 'white' | 'dark';
  /** `#rrggbb` */
  color: string;
}

/** The ground of the modules: their background; if transparent, the frame's; else the paper. */
const groundOf = ({ background, frame }: Look, paper: Paper): { field: string; paint: Paint } => {
  if (background.paint !== 'transparent')
    return { field: 'backgroundOptions.color', paint: background.paint };
  return frame && frame.background !== 'transparent'
    ? { field: 'frame.background', paint: frame.background }
    : { field: `${paper.name} paper`, paint: paper.color };
};

interface Pair {
  dark: string;
  light: string;
  contrast: number;
}

const weakestOf = (darks: readonly string[], lights: readonly string[]): Pair => {
  const pairs = darks.flatMap((dark) =>
    lights.map((light) => ({ dark, light, contrast: contrastOf(dark, light) })),
  );
  return pairs.reduce((weakest, pair) => (pair.contrast < weakest.contrast ? pair : weakest));
};

const weaknessOf = (contrast: number): string => {
  const both = Math.max(contrast, 1 / contrast);
  const weak = `a contrast of ${both.toFixed(1)} to 1, where ${contrastGood} to 1 is good`;
  if (contrast >= 1) return `has ${weak}`;
  const inverted = 'is light on dark, which some readers do not look for';
  return both < contrastGood ? `${inverted}, with ${weak}` : inverted;
};

/**
 * The colours that are too weak: each field once, with its weakest pair. Every stop of a gradient counts.
 * @param paper under a transparent picture
 */
export const weakColors = (look: Look, paper: Paper): string[] => {
  const ground = groundOf(look, paper);
  const paints: [string, Paint | undefined][] = [
    ['dotsOptions.color', look.dots.paint],
    ['cornersSquareOptions.color', look.cornersSquare.paint],
    ['cornersDotOptions.color', look.cornersDot.paint],
  ];
  return paints.flatMap(([field, paint]) => {
    if (paint === undefined) return [];
    const { dark, light, contrast } = weakestOf(colorsOf(paint), colorsOf(ground.paint));
    return contrast >= contrastGood
      ? []
      : [`${field} ${dark} on ${ground.field} ${light} ${weaknessOf(contrast)}`];
  });
};
