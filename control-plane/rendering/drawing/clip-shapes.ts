/** What qr-code-styling 1.9.2 puts into a clip path → closed shapes without transforms. */

import { circle, eachCommand, rectangle } from '../vector/figures.ts';
import { number, type Shape } from '../vector/layers.ts';

type QuarterTurns = 0 | 1 | 2 | 3;

/** Turns a vector clockwise on the screen, where y points down, as SVG's rotate() does. */
const turn = (x: number, y: number, turns: QuarterTurns): [number, number] => {
  if (turns === 0) return [x, y];
  if (turns === 1) return [-y, x];
  return turns === 2 ? [-x, -y] : [y, -x];
};

interface Rotation {
  turns: QuarterTurns;
  cx: number;
  cy: number;
}

/** @throws {Error} for a transform that is not a rotation by quarter turns; the library draws no other */
const readRotation = (transform: string): Rotation => {
  if (transform === '') return { turns: 0, cx: 0, cy: 0 };
  // Read by position: thousands are read for one picture, and an expression takes three times as long.
  const first = transform.indexOf(',');
  const second = transform.indexOf(',', first + 1);
  const quarters = transform.startsWith('rotate(') ? Number(transform.slice(7, first)) / 90 : Number.NaN;
  if (!Number.isInteger(quarters)) throw new Error(`cannot fold the transform ${transform}`);
  return {
    turns: (((quarters % 4) + 4) % 4) as QuarterTurns,
    cx: Number(transform.slice(first + 1, second)),
    cy: Number(transform.slice(second + 1, -1)),
  };
};

/** One relative command with its numbers, turned. Arcs are circular: a turn leaves their radii as they are. */
const turnCommand = (letter: string, n: readonly number[], turns: QuarterTurns): string => {
  const vector = (x: number, y: number): string => turn(x, y, turns).map(number).join(' ');
  switch (letter) {
    case 'h':
    case 'v': {
      const [dx, dy] = letter === 'h' ? turn(n[0]!, 0, turns) : turn(0, n[0]!, turns);
      return (letter === 'h') === (turns % 2 === 0) ? `h${number(dx)}` : `v${number(dy)}`;
    }
    case 'm':
      return `m${vector(n[0]!, n[1]!)}`;
    case 'a':
      return `a${number(n[0]!)} ${number(n[1]!)} 0 ${n[3]} ${n[4]} ${vector(n[5]!, n[6]!)}`;
    case 'z':
    case 'Z':
      return 'z';
    default:
      throw new Error(`cannot fold the path command ${letter}`);
  }
};

const turnCommands = (commands: string, turns: QuarterTurns): string => {
  let turned = '';
  eachCommand(commands, (letter, numbers) => {
    turned += turnCommand(letter, numbers, turns);
  });
  return turned.endsWith('z') ? turned : `${turned}z`;
};

/**
 * Turned commands by what they were. A drawing repeats a few dozen shapes thousands of times, all at one scale, and
 * only their beginnings differ; beyond the bound a shape is turned each time.
 */
const turnedShapes = new Map<string, string>();
const turnedShapesMax = 2000;

const turnShape = (commands: string, turns: QuarterTurns): string => {
  const key = `${turns}${commands}`;
  const known = turnedShapes.get(key);
  if (known !== undefined) return known;
  const turned = turnCommands(commands, turns);
  if (turnedShapes.size < turnedShapesMax) turnedShapes.set(key, turned);
  return turned;
};

const isLetter = (code: number): boolean => (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;

/** Where the numbers of a path's beginning end, from `start` on. */
const firstCommand = (path: string, start: number): number => {
  let at = start;
  while (at < path.length && !isLetter(path.charCodeAt(at))) at++;
  return at;
};

/** One contour of the library's path, from its absolute M on; all that follows up to the next M is relative. */
const foldContour = (path: string, start: number, next: number, rotation: Rotation): Shape => {
  const { turns, cx, cy } = rotation;
  const commandsAt = firstCommand(path, start + 1);
  const beginning = path.slice(start + 1, commandsAt).trim();
  const space = beginning.indexOf(' ');
  const [x, y] = [Number(beginning.slice(0, space)), Number(beginning.slice(space + 1))];
  const [dx, dy] = turn(x - cx, y - cy, turns);
  return { x: cx + dx, y: cy + dy, commands: turnShape(path.slice(commandsAt, next), turns) };
};

const foldPath = (path: string, transform: string): Shape => {
  const rotation = readRotation(transform);
  let shape: Shape | undefined;
  let last: Shape | undefined;
  for (let start = path.indexOf('M'); start >= 0; ) {
    const next = path.indexOf('M', start + 1);
    const contour = foldContour(path, start, next < 0 ? path.length : next, rotation);
    if (!shape || !last) shape = { ...contour };
    // A closed contour ends where it began.
    else shape.commands += `m${number(contour.x - last.x)} ${number(contour.y - last.y)}${contour.commands}`;
    last = contour;
    start = next;
  }
  if (!shape) throw new Error(`cannot fold a path without a beginning: ${path}`);
  return shape;
};

/** What a clip path may hold: `transform` as SVG has it, of squares and circles without effect. */
export interface ClipShape {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly cx: number;
  readonly cy: number;
  readonly r: number;
  readonly path: string;
  readonly transform: string;
}

/**
 * What a clip path lets through. Squares that touch in a row become one rectangle.
 * @throws {Error} for what the library does not draw, rather than draw something else
 */
export const outline = (clip: readonly ClipShape[]): Shape[] => {
  const shapes: Shape[] = [];
  let run: { x: number; y: number; width: number; height: number } | undefined;
  const finishRun = () => {
    if (run) shapes.push(rectangle(run.x, run.y, run.width, run.height));
    run = undefined;
  };
  for (const shape of clip) {
    if (shape.name === 'rect') {
      const { x, y, width, height } = shape;
      if (run && run.y === y && run.height === height && Math.abs(run.x + run.width - x) < 1e-6) {
        run.width += width;
        continue;
      }
      finishRun();
      run = { x, y, width, height };
      continue;
    }
    finishRun();
    shapes.push(
      shape.name === 'circle' ? circle(shape.cx, shape.cy, shape.r) : foldPath(shape.path, shape.transform),
    );
  }
  finishRun();
  return shapes;
};
