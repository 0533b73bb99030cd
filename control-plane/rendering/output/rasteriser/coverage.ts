/**
 * Polygons → the exact share of each pixel that they cover. Every edge adds, to the pixel that it crosses, the part of
 * that pixel to its right, and the rest to the next pixel; the running sum along a row is the coverage.
 */

/** The coverage of one picture at a time. */
export interface Coverage {
  readonly width: number;
  readonly height: number;
  /** By rows of `stride` numbers; the running sum along a row is the coverage, 0 to 1. */
  readonly steps: Float32Array;
  readonly stride: number;
  /** The first pixel of a row that is touched, and the one after the last; `from` ≥ `to` if none is. */
  readonly from: Int32Array;
  readonly to: Int32Array;
}

export const createCoverage = (width: number, height: number): Coverage => {
  // An edge at the right border still has a next pixel.
  const stride = width + 2;
  return {
    width,
    height,
    steps: new Float32Array(stride * height),
    stride,
    from: new Int32Array(height).fill(stride),
    to: new Int32Array(height),
  };
};

/** Adds the part of an edge in one row. @param dy its share of the row's height, negative if the edge runs upwards */
const addInRow = (coverage: Coverage, row: number, x0: number, x1: number, dy: number): void => {
  const { steps, stride, from, to } = coverage;
  // No tuples: a picture has twenty thousand of these, and each would be an object.
  const left = Math.min(x0, x1);
  const right = Math.max(x0, x1);
  const first = Math.floor(left);
  const at = row * stride;
  if (first < from[row]!) from[row] = first;
  if (right <= first + 1) {
    const beyond = dy * ((left + right) / 2 - first);
    steps[at + first]! += dy - beyond;
    steps[at + first + 1]! += beyond;
    if (first + 2 > to[row]!) to[row] = first + 2;
    return;
  }
  const slope = dy / (right - left);
  let x = left;
  for (let column = first; x < right; column++) {
    const end = Math.min(column + 1, right);
    const part = slope * (end - x);
    const beyond = part * ((x + end) / 2 - column);
    steps[at + column]! += part - beyond;
    steps[at + column + 1]! += beyond;
    if (column + 2 > to[row]!) to[row] = column + 2;
    x = end;
  }
};

/**
 * Adds an edge of a polygon, in pixels. Parts outside the picture are cut off.
 * @param orientation 1 for a polygon that runs clockwise on the screen, else -1: each then covers its inside once
 */
export const addEdge = (
  coverage: Coverage,
  x0: number,
  y0: number,
  x1: number,
  y1: number,
  orientation: 1 | -1,
): void => {
  if (y0 === y1) return;
  const { width, height } = coverage;
  // Clockwise, the inside is to the right of edges that run upwards.
  const direction = y0 < y1 ? -orientation : orientation;
  const slope = (x1 - x0) / (y1 - y0);
  const end = Math.min(Math.max(y0, y1), height);
  let y = Math.max(Math.min(y0, y1), 0);
  while (y < end) {
    const row = Math.floor(y);
    const next = Math.min(row + 1, end);
    const xa = Math.min(Math.max(x0 + (y - y0) * slope, 0), width);
    const xb = Math.min(Math.max(x0 + (next - y0) * slope, 0), width);
    addInRow(coverage, row, xa, xb, direction * (next - y));
    y = next;
  }
};
