/** What both arrangements of a label share. Lengths are in millimetres. */
import type { LabelDesign } from '../../../rendering/index.ts';
import { type CaptionBlock, sizeMin } from './caption-lines.ts';
import type { Grid } from './grid.ts';

/** ISO/IEC 18004: white modules on each side of a symbol. */
export const quietModules = 4;

/** A label with its captions in one place. */
export interface Arranged {
  design: LabelDesign;
  /** The dimension that limits the code. */
  bound: 'width' | 'height';
  refused: CaptionBlock['refused'];
}

/** Between captions and the edges of the label, since die cuts are up to a millimetre off. */
const inset = { share: 0.03, min: 0.3, max: 1.5 };

export const insetOf = ({ width, height }: Grid['label']): number =>
  Math.min(inset.max, Math.max(inset.min, inset.share * Math.min(width, height)));

/** 9 points. */
export const textSizeMax = (9 * 25.4) / 72;
/** As a share of a label's height, up to that size. */
const sizeShare = 0.075;

/** The size of captions below a code. It follows the height of the label: each line takes from the code. */
export const sizeBelow = (labelHeight: number): number =>
  Math.min(textSizeMax, Math.max(sizeMin, labelHeight * sizeShare));
