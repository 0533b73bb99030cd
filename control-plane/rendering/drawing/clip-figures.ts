/** The elements of a clip path of qr-code-styling 1.9.2 → closed figures without transforms. */
import { circle, eachCommand, rectangle } from '../vector/figures.ts';
import { coordinate, type Figure } from '../vector/layers.ts';

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

/** @throws {Error} if a transform is not a rotation by quarter turns; the library draws no other */
const readRotation = (transform: string): Rotation => {
  if (transform === '') return { turns: 0, cx: 0, cy: 0 };
  // Parsed by position: a picture has thousands of them, and a regular expression takes three times as long.
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

/** A relative command with its numbers, turned. Arcs are circular: a turn leaves their radii unchanged. */
const turnCommand = (letter: string, n: readonly number[], turns: QuarterTurns): string => {
  const vector = (x: number, y: number): string => turn(x, y, turns).map(coordinate).join(' ');
  switch (letter) {
    case 'h':
    case 'v': {
      const [dx, dy] = letter === 'h' ? turn(n[0]!, 0, turns) : turn(0, n[0]!, turns);
      return (letter === 'h') === (turns % 2 === 0) ? `h${coordinate(dx)}` : `v${coordinate(dy)}`;
    }
    case 'm':
      return `m${vector(n[0]!, n[1]!)}`;
    case 'a':
      return `a${coordinate(n[0]!)} ${coordinate(n[1]!)} 0 ${n[3]} ${n[4]} ${vector(n[5]!, n[6]!)}`;
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
 * Cache of turned commands. A drawing repeats a few dozen figures thousands of times, all at one scale, and only their
 * first points differ. Once the cache is full, other commands are turned each time.
 */
const turnedCommands = new Map<string, string>();
const turnedCommandsMax = 2000;

const turnOnce = (commands: string, turns: QuarterTurns): string => {
  const key = `${turns}${commands}`;
  const known = turnedCommands.get(key);
  if (known !== undefined) return known;
  const turned = turnCommands(commands, turns);
  if (turnedCommands.size < turnedCommandsMax) turnedCommands.set(key, turned);
  return turned;
};

const isLetter = (code: number): boolean => (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;

/** The index of the first letter from `start` on. */
const firstCommand = (path: string, start: number): number => {
  let at = start;
  while (at < path.length && !isLetter(path.charCodeAt(at))) at++;
  return at;
};

/** A contour of the library's path, from its absolute M; all commands up to the next M are relative. */
const foldContour = (path: string, start: number, next: number, rotation: Rotation): Figure => {
  const { turns, cx, cy } = rotation;
  const commandsAt = firstCommand(path, start + 1);
  const beginning = path.slice(start + 1, commandsAt).trim();
  const space = beginning.indexOf(' ');
  const [x, y] = [Number(beginning.slice(0, space)), Number(beginning.slice(space + 1))];
  const [dx, dy] = turn(x - cx, y - cy, turns);
  return { x: cx + dx, y: cy + dy, commands: turnOnce(path.slice(commandsAt, next), turns) };
};

const foldPath = (path: string, transform: string): Figure => {
  const rotation = readRotation(transform);
  let figure: Figure | undefined;
  let last: Figure | undefined;
  for (let start = path.indexOf('M'); start >= 0; ) {
    const next = path.indexOf('M', start + 1);
    const contour = foldContour(path, start, next < 0 ? path.length : next, rotation);
    if (!figure || !last) figure = { ...contour };
    // A closed contour ends where it began.
    else
      figure.commands += `m${coordinate(contour.x - last.x)} ${coordinate(contour.y - last.y)}${contour.commands}`;
    last = contour;
    start = next;
  }
  if (!figure) throw new Error(`cannot fold a path without a beginning: ${path}`);
  return figure;
};

/** A child of a clip path. Its `transform`, in SVG's syntax, has no effect on squares and circles. */
export interface ClipElement {
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
 * The figures that a clip path lets through. Adjacent squares in a row become one rectangle.
 * @throws {Error} for an element that the library does not draw, rather than draw something else
 */
export const figuresOf = (clip: readonly ClipElement[]): Figure[] => {
  const figures: Figure[] = [];
  let run: { x: number; y: number; width: number; height: number } | undefined;
  const finishRun = () => {
    if (run) figures.push(rectangle(run.x, run.y, run.width, run.height));
    run = undefined;
  };
  for (const element of clip) {
    if (element.name === 'rect') {
      const { x, y, width, height } = element;
      if (run && run.y === y && run.height === height && Math.abs(run.x + run.width - x) < 1e-6) {
        run.width += width;
        continue;
      }
      finishRun();
      run = { x, y, width, height };
      continue;
    }
    finishRun();
    figures.push(
      element.name === 'circle'
        ? circle(element.cx, element.cy, element.r)
        : foldPath(element.path, element.transform),
    );
  }
  finishRun();
  return figures;
};
