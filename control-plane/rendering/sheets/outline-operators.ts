/** Converts a text's outlines from path data to PDF operators. */
import { formatNumber } from '../vector/numbers.ts';

const command = /([MLQCz])([^MLQCz]*)/g;

const operators = { M: 'm', L: 'l', C: 'c' } as const;

const write = (numbers: readonly number[]): string =>
  numbers.map((number) => formatNumber(number, 4)).join(' ');

/** PDF has no quadratic curves: each becomes a cubic one whose control points are two thirds of the way to its own. */
const cubic = ([x0, y0]: readonly number[], [cx, cy, x, y]: readonly number[]): number[] => [
  x0! + ((cx! - x0!) * 2) / 3,
  y0! + ((cy! - y0!) * 2) / 3,
  x! + ((cx! - x!) * 2) / 3,
  y! + ((cy! - y!) * 2) / 3,
  x!,
  y!,
];

/** @param path of absolute M, L, Q, C and z, as captions are drawn @param scale of its coordinates */
export const outlineOperators = (path: string, scale: number): string => {
  const written: string[] = [];
  let point: readonly number[] = [0, 0];
  for (const [, letter = '', text = ''] of path.matchAll(command)) {
    if (letter === 'z') {
      written.push('h');
      continue;
    }
    const given = text.split(' ').map((number) => Number(number) * scale);
    const numbers = letter === 'Q' ? cubic(point, given) : given;
    written.push(`${write(numbers)} ${operators[letter === 'Q' ? 'C' : (letter as 'M' | 'L' | 'C')]}`);
    point = given.slice(-2);
  }
  return written.join('\n');
};
