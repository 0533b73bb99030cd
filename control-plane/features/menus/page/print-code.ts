/** The page's address as a QR code for paper. */
import { html, raw } from 'hono/html';
import { encodeMatrix } from '../../../rendering/symbol/matrix.ts';
import type { Html } from '../../hosted/layout/index.ts';

/** Modules of white around a symbol (ISO/IEC 18004). */
const quietZone = 4;

/** One line for each run of dark modules, each from the end of the last one: such numbers are short. */
const pathOf = (size: number, isDark: (row: number, column: number) => boolean): string => {
  let path = 'M0 0';
  let [x, y] = [0, 0];
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      if (!isDark(row, column)) continue;
      const start = column;
      while (column < size && isDark(row, column)) column++;
      path += `m${start - x} ${row - y}h${column - start}`;
      [x, y] = [column, row];
    }
  }
  return path;
};

export const printCode = (url: string): Html => {
  const { size, isDark } = encodeMatrix(url, 'L');
  const side = size + 2 * quietZone;
  return html`<svg viewBox="-${quietZone} -${quietZone + 0.5} ${side} ${side}" stroke=#000 aria-hidden=true><path d="${raw(pathOf(size, isDark))}"/></svg>`;
};
