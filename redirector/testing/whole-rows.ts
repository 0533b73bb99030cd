import { afterRow } from '../recording/row-binary.ts';

/**
 * Finds the leading whole rows.
 * @returns their number, and the bytes they take
 */
export const wholeRows = (bytes: Uint8Array): { rows: number; length: number } => {
  let rows = 0;
  let length = 0;
  for (let next = afterRow(bytes, 0); next > 0; next = afterRow(bytes, next)) {
    rows++;
    length = next;
    if (length === bytes.length) break;
  }
  return { rows, length };
};
