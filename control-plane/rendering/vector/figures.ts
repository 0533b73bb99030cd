/** Rectangles and circles as figures, and iteration over the commands of a figure. */
import { coordinate, type Figure } from './layers.ts';

/** @param radius of its corners */
export const rectangle = (x: number, y: number, width: number, height: number, radius = 0): Figure => {
  if (radius === 0)
    return { x, y, commands: `h${coordinate(width)}v${coordinate(height)}h${coordinate(-width)}z` };
  const corner = (dx: number, dy: number) =>
    `a${coordinate(radius)} ${coordinate(radius)} 0 0 1 ${coordinate(dx)} ${coordinate(dy)}`;
  const [across, down] = [width - 2 * radius, height - 2 * radius];
  const top = `h${coordinate(across)}${corner(radius, radius)}v${coordinate(down)}${corner(-radius, radius)}`;
  const bottom = `h${coordinate(-across)}${corner(-radius, -radius)}v${coordinate(-down)}${corner(radius, -radius)}`;
  return { x: x + radius, y, commands: `${top}${bottom}z` };
};

export const circle = (cx: number, cy: number, r: number): Figure => {
  const half = (dx: number) => `a${coordinate(r)} ${coordinate(r)} 0 1 0 ${coordinate(dx)} 0`;
  return { x: cx - r, y: cy, commands: `${half(2 * r)}${half(-2 * r)}z` };
};

const pathToken = /[a-z]|-?(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?/gi;

/** Calls back for each command of path data, with its letter and its numbers. */
export const eachCommand = (
  commands: string,
  callback: (letter: string, numbers: readonly number[]) => void,
): void => {
  let letter = '';
  let numbers: number[] = [];
  for (const [token] of commands.matchAll(pathToken)) {
    if (!/[a-z]/i.test(token)) {
      numbers.push(Number(token));
      continue;
    }
    if (letter !== '') callback(letter, numbers);
    letter = token;
    numbers = [];
  }
  if (letter !== '') callback(letter, numbers);
};

/** A figure of the given share of its size. @param centre which stays where it is */
export const scaledFigure = (
  figure: Figure,
  [cx, cy]: readonly [x: number, y: number],
  share: number,
): Figure => {
  let commands = '';
  eachCommand(figure.commands, (letter, numbers) => {
    // The rotation and the flags of an arc are no lengths.
    const isLength = (index: number) => letter !== 'a' || index % 7 < 2 || index % 7 > 4;
    commands += `${letter}${numbers.map((value, index) => (isLength(index) ? coordinate(value * share) : value)).join(' ')}`;
  });
  return { x: cx + (figure.x - cx) * share, y: cy + (figure.y - cy) * share, commands };
};
