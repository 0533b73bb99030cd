/** The colour of a caption against its band: the frame's colour or background. */

import { contrastOf } from '#shared/colors.ts';
import { ClientError } from '#shared/errors.ts';
import { colorsOf } from './contrast.ts';
import type { FrameLook, Paint } from './look.ts';

/** The contrast that WCAG 2 requires of large bold text (success criterion 1.4.3). */
export const captionContrastMin = 3;

/** Contrast of two colours in either order: 1 to 21. */
export const distanceOf = (a: string, b: string): number => {
  const contrast = contrastOf(a, b);
  return Math.max(contrast, 1 / contrast);
};

/** A transparent band is printed on white paper. */
const seenAs = (band: Paint | 'transparent'): Paint => (band === 'transparent' ? '#ffffff' : band);

interface Pair {
  text: string;
  band: string;
  contrast: number;
}

/** The two colours with the least contrast. Every stop of a gradient counts. */
const closestPair = (text: Paint, band: Paint | 'transparent'): Pair =>
  colorsOf(text)
    .flatMap((textColor) =>
      colorsOf(seenAs(band)).map((bandColor) => ({
        text: textColor,
        band: bandColor,
        contrast: distanceOf(textColor, bandColor),
      })),
    )
    .reduce((closest, pair) => (pair.contrast < closest.contrast ? pair : closest));

/** The first paint that is legible on a band, else the most legible one. */
export const legibleColor = (candidates: readonly Paint[], band: Paint | 'transparent'): Paint => {
  const rated = candidates.map((paint) => ({ paint, ...closestPair(paint, band) }));
  const legible = rated.find(({ contrast }) => contrast >= captionContrastMin);
  return (legible ?? rated.reduce((best, each) => (each.contrast > best.contrast ? each : best))).paint;
};

/** The contrast that WCAG 2 requires of text of any size (success criterion 1.4.3): a code may be printed small. */
const smallCaptionContrastMin = 4.5;

/** Whether a caption of this colour is legible on a band however small it is printed. */
export const isLegibleWhenSmall = (textColor: Paint, band: Paint | 'transparent'): boolean =>
  closestPair(textColor, band).contrast >= smallCaptionContrastMin;

/** Frames with the caption on their colour; the others have it on their background. */
const captionOnColor: ReadonlySet<FrameLook['id']> = new Set([
  'scanme',
  'banner',
  'rounded',
  'bubble',
  'ribbon',
]);

/** The paint behind the caption of a frame. */
export const bandOf = ({
  id,
  color,
  background,
}: Pick<FrameLook, 'id' | 'color' | 'background'>): {
  field: 'frame.color' | 'frame.background';
  paint: Paint | 'transparent';
} =>
  captionOnColor.has(id)
    ? { field: 'frame.color', paint: color }
    : { field: 'frame.background', paint: background };

/**
 * The fault of a caption's colour, naming both colours; undefined if it is legible. A colour that was not given was
 * chosen to be legible.
 */
export const captionColorFault = (frame: FrameLook): string | undefined => {
  if (!frame.textColorGiven || frame.text.trim() === '') return undefined;
  const band = bandOf(frame);
  const { text, band: color, contrast } = closestPair(frame.textColor, band.paint);
  if (contrast >= captionContrastMin) return undefined;
  const on = band.paint === 'transparent' ? `white paper ${color}` : `${band.field} ${color}`;
  return (
    `frame.textColor ${text} on ${on} has a contrast of ${contrast.toFixed(1)} to 1, and a caption needs ` +
    `${captionContrastMin} to 1: take a colour that differs more, or leave frame.textColor out to have one chosen`
  );
};

/**
 * Refuses a given colour that is illegible.
 * @throws {ClientError} UNPROCESSABLE naming both colours
 */
export const checkCaptionColor = (frame: FrameLook): void => {
  const fault = captionColorFault(frame);
  if (fault !== undefined) throw new ClientError('UNPROCESSABLE', fault);
};
