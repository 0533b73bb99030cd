/**
 * Crop marks around a page: at its corners, and shorter ones for the label edges. All are outside the page and its
 * bleed.
 */
import type { Stroke } from '../../../rendering/index.ts';
import type { Grid } from './grid.ts';

/** In millimetres. A mark must stay clear of a cut that is slightly off. */
const distanceMin = 2;
const cornerLength = 5;
const edgeLength = 3;
/** For a line of text below the marks. */
const noteHeight = 4;

/** The margin added to each side of the page for bleed, marks and a line of text; 0 without a bleed. */
export const slugOf = (bleed: number): number =>
  bleed === 0 ? 0 : Math.max(bleed, distanceMin) + cornerLength + noteHeight;

/** Edges closer than this, in millimetres, count as one. */
const together = 0.02;

/** The starts and ends of labels, except at the edges of the page. */
const edgesOf = (start: number, count: number, label: number, gap: number, length: number): number[] => {
  const all = Array.from({ length: count }, (_, index) => start + index * (label + gap)).flatMap((edge) => [
    edge,
    edge + label,
  ]);
  return all.filter(
    (edge, index) =>
      edge > together &&
      edge < length - together &&
      !all.slice(0, index).some((each) => Math.abs(each - edge) < together),
  );
};

/** A pair of marks at both ends of a cut across the page. */
const across = (y: number, width: number, distance: number, length: number): Stroke[] => [
  [-distance - length, y, -distance, y],
  [width + distance, y, width + distance + length, y],
];

const down = (x: number, height: number, distance: number, length: number): Stroke[] =>
  across(x, height, distance, length).map(([y1, x1, y2, x2]): Stroke => [x1, y1, x2, y2]);

/** @param bleed in millimetres, more than 0 */
export const cropMarks = (
  { width, height, columns, rows, label, left, top, gap }: Grid,
  bleed: number,
): Stroke[] => {
  const distance = Math.max(bleed, distanceMin);
  return [
    ...[0, width].flatMap((x) => down(x, height, distance, cornerLength)),
    ...[0, height].flatMap((y) => across(y, width, distance, cornerLength)),
    ...edgesOf(left, columns, label.width, gap.columns, width).flatMap((x) =>
      down(x, height, distance, edgeLength),
    ),
    ...edgesOf(top, rows, label.height, gap.rows, height).flatMap((y) =>
      across(y, width, distance, edgeLength),
    ),
  ];
};
