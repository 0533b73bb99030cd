/** A caption, set: on one line, and broken in two in the ways that may be needed when one line is too long for its room. */
import type { FrameLook } from '../look/look.ts';
import { breaksOf } from './breaks.ts';
import { chooseFaces } from './faces.ts';
import { type Outline, outlineLine } from './outline.ts';

export interface Caption {
  /** The ways to set it, the ones to be preferred first: one line, then two, broken at spaces, between words, anywhere. */
  settings: readonly (readonly Outline[])[];
}

const widthOf = (lines: readonly Outline[]): number => Math.max(...lines.map(({ width }) => width));

/** @throws {ClientError} UNPROCESSABLE naming `frame.text` and what no font can draw; undefined where there is nothing to set */
export const setCaption = async ({ text, font }: FrameLook): Promise<Caption | undefined> => {
  const normal = text.normalize('NFC').trim();
  if (normal === '') return undefined;
  const faces = await chooseFaces(normal, font);
  const settings: Outline[][] = [[await outlineLine(normal, faces)]];
  for (const places of breaksOf(normal)) {
    const pairs: Outline[][] = [];
    for (const [first, second] of places) {
      pairs.push([await outlineLine(first, faces), await outlineLine(second, faces)]);
    }
    const [narrowest] = pairs.sort((a, b) => widthOf(a) - widthOf(b));
    if (narrowest) settings.push(narrowest);
  }
  return { settings };
};
