/** Plain figures as shapes, and the reading of what a shape is made of. */
import { number, type Shape } from './layers.ts';

/** @param radius of its corners */
export const rectangle = (x: number, y: number, width: number, height: number, radius = 0): Shape => {
  if (radius === 0) return { x, y, commands: `h${number(width)}v${number(height)}h${number(-width)}z` };
  const corner = (dx: number, dy: number) =>
    `a${number(radius)} ${number(radius)} 0 0 1 ${number(dx)} ${number(dy)}`;
  const [across, down] = [width - 2 * radius, height - 2 * radius];
  const top = `h${number(across)}${corner(radius, radius)}v${number(down)}${corner(-radius, radius)}`;
  const bottom = `h${number(-across)}${corner(-radius, -radius)}v${number(-down)}${corner(radius, -radius)}`;
  return { x: x + radius, y, commands: `${top}${bottom}z` };
};

export const circle = (cx: number, cy: number, r: number): Shape => {
  const half = (dx: number) => `a${number(r)} ${number(r)} 0 1 0 ${number(dx)} 0`;
  return { x: cx - r, y: cy, commands: `${half(2 * r)}${half(-2 * r)}z` };
};

const pathToken = /[a-z]|-?(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?/gi;

/** Calls back for each command of path data with its letter and its numbers. */
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
