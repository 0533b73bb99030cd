/** A caption, set on one line and, for boxes too narrow for one line, on two. */
import type { FrameLook } from '../look/look.ts';
import { breaksOf } from './breaks.ts';
import { chooseFaces } from './faces.ts';
import { outlineLine, type TextOutline } from './text-outline.ts';

export interface Caption {
  /** By preference: one line, then two lines broken at a space, between words, anywhere. */
  settings: readonly (readonly TextOutline[])[];
}

const widthOf = (lines: readonly TextOutline[]): number => Math.max(...lines.map(({ width }) => width));

/**
 * @returns undefined if the text is empty @throws {ClientError} UNPROCESSABLE naming `frame.text` and the characters
 * that no font has
 */
export const setCaption = async ({ text, font }: FrameLook): Promise<Caption | undefined> => {
  const normal = text.normalize('NFC').trim();
  if (normal === '') return undefined;
  const faces = await chooseFaces(normal, font);
  const settings: TextOutline[][] = [[await outlineLine(normal, faces)]];
  for (const places of breaksOf(normal)) {
    const pairs: TextOutline[][] = [];
    for (const [first, second] of places) {
      pairs.push([await outlineLine(first, faces), await outlineLine(second, faces)]);
    }
    const [narrowest] = pairs.sort((a, b) => widthOf(a) - widthOf(b));
    if (narrowest) settings.push(narrowest);
  }
  return { settings };
};
