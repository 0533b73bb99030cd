/** Colours as `#rrggbb`, and adjusting them until they are readable. */

/** `#rrggbb` */
export type Color = string;

const white: Color = '#ffffff';
const black: Color = '#000000';

/** Required by WCAG 2 for text of any size (success criterion 1.4.3). */
export const textContrastMin = 4.5;
/** Required by WCAG 2 for the edges of controls (success criterion 1.4.11). */
export const edgeContrastMin = 3;

const channelsOf = (color: Color): number[] =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));

const channel = (value: number): number =>
  value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;

/** Relative luminance, 0 (black) to 1 (white). */
const luminance = (color: Color): number => {
  const [red, green, blue] = channelsOf(color).map((value) => channel(value / 255));
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
};

/** Contrast as WCAG 2 defines it, 1 to 21; below 1 if the supposedly dark colour is the lighter one. */
export const contrastOf = (dark: Color, light: Color): number =>
  (luminance(light) + 0.05) / (luminance(dark) + 0.05);

/** WCAG's contrast of two colours in either order: 1 to 21. */
export const contrast = (a: Color, b: Color): number => {
  const ratio = contrastOf(a, b);
  return Math.max(ratio, 1 / ratio);
};

/** A colour between two. @param share of the second one, 0 to 1 */
export const mix = (from: Color, to: Color, share: number): Color => {
  const target = channelsOf(to);
  const channels = channelsOf(from).map((value, at) => Math.round(value + (target[at]! - value) * share));
  return `#${channels.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
};

/** Black or white, whichever contrasts more with the ground: by at least 4.58, the square root of 21. */
export const poleOf = (ground: Color): Color =>
  contrast(ground, white) >= contrast(ground, black) ? white : black;

export const isLight = (ground: Color): boolean => poleOf(ground) === black;

/** The weakest contrast of a colour with any of the grounds. */
export const weakestContrast = (color: Color, grounds: readonly Color[]): number =>
  Math.min(...grounds.map((ground) => contrast(color, ground)));

const stepsMax = 64;

/**
 * The colour itself if it is legible on all grounds, otherwise the nearest legible one on the line to the pole. Mixing
 * with black or white keeps the hue.
 * @param pole black or white; legible on all grounds itself, so that an answer exists
 */
export const legible = (
  color: Color,
  grounds: readonly Color[],
  pole: Color,
  contrastMin = textContrastMin,
): Color => {
  for (let step = 0; step < stepsMax; step++) {
    const moved = mix(color, pole, step / stepsMax);
    if (weakestContrast(moved, grounds) >= contrastMin) return moved;
  }
  return pole;
};
