/** Input for drawing a page of a sheet. All lengths are in millimetres, y downwards. */

/** A line of printable ASCII in the font of codes, centred. */
export interface CodeLine {
  /** The index of the label's text that it shows, and the part of that text. */
  text: number;
  from: number;
  to: number;
  /** From the label's upper edge. */
  baseline: number;
  size: number;
  /** Where it is centred, from the label's left edge. If omitted, where the label's texts are. */
  middle?: number;
}

/** The parts that are the same on every label. */
export interface LabelDesign {
  /** The symbol's level and version; all codes of a sheet have the same size. */
  symbol: { level: 'L' | 'M' | 'Q' | 'H'; version: number };
  /** The upper left corner of the symbol, without its quiet zone, in the label. */
  x: number;
  y: number;
  /** The side of a module. */
  module: number;
  /** The middle of the texts: lines without one of their own are centred there. */
  middle: number;
  lines: readonly CodeLine[];
  /** Texts that are the same on all labels: PDF operators, whose origin is at this place of the label. */
  fixed: readonly { operators: string; x: number; y: number }[];
}

/** From one point to another. */
export type Stroke = readonly [x1: number, y1: number, x2: number, y2: number];

/** A sheet: from the upper left corner of the trimmed page. */
export interface SheetDesign {
  width: number;
  height: number;
  /** Around the trimmed page: printed and cut off. */
  bleed: number;
  /** Around the trimmed page: bleed, crop marks and the line of text below them. 0 for none. */
  slug: number;
  label: LabelDesign;
  /** The upper left corners of the labels, in the order in which they are filled. */
  places: readonly (readonly [x: number, y: number])[];
  marks: readonly Stroke[];
}

export interface SheetLabel {
  /** The text that a scanner shows. */
  payload: string;
  /** Printable ASCII. */
  texts: readonly string[];
}

/**
 * A part of a page: its labels are drawn some at a time, so that other pictures need not wait for a page of thousands.
 */
export interface PagePartTask {
  design: SheetDesign;
  /** The place of the first label. */
  first: number;
  labels: readonly SheetLabel[];
  /** Printable ASCII, below the crop marks, which are drawn with it. Not drawn if the design has no marks. */
  note?: string;
}

/** Labels per part: a hundred take ten milliseconds. */
export const partLabelsMax = 100;

/** Points per millimetre. */
export const pointsPerMm = 72 / 25.4;
