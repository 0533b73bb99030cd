/** Covers the dark modules of a symbol with few rectangles that do not overlap. */
import type { ModuleMatrix } from '../symbol/matrix.ts';

/** In modules, from the symbol's upper left corner. */
export interface DarkRectangle {
  column: number;
  row: number;
  width: number;
  height: number;
}

/** The dark runs of one row: their widths, by their first column. */
const runsOf = ({ size, isDark }: ModuleMatrix, row: number): Map<number, number> => {
  const runs = new Map<number, number>();
  for (let column = 0; column < size; column++) {
    if (!isDark(row, column)) continue;
    let end = column;
    while (end < size && isDark(row, end)) end++;
    runs.set(column, end - column);
    column = end;
  }
  return runs;
};

/** Runs of one row, each merged with the equal runs right below it. */
export const darkRectangles = (matrix: ModuleMatrix): DarkRectangle[] => {
  const rectangles: DarkRectangle[] = [];
  /** Rectangles that reach the previous row, by their first column. */
  let open = new Map<number, DarkRectangle>();
  for (let row = 0; row < matrix.size; row++) {
    const reaching = new Map<number, DarkRectangle>();
    for (const [column, width] of runsOf(matrix, row)) {
      const above = open.get(column);
      const rectangle = above?.width === width ? above : { column, row, width, height: 0 };
      rectangle.height++;
      if (rectangle !== above) rectangles.push(rectangle);
      reaching.set(column, rectangle);
    }
    open = reaching;
  }
  return rectangles;
};
