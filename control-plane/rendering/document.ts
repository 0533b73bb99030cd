/**
 * The document that qr-code-styling 1.9.2 draws into. The library builds one element for each module, inside clip
 * paths that cover coloured rectangles, with ids that count up for the life of the process. This document takes the
 * same calls and gives the same picture as a few filled paths: runs of squares merged, quarter turns folded into the
 * coordinates, neighbours of one colour joined, ids that depend on the drawing alone. A picture is a tenth of the
 * size, draws faster, is the same for the same input, and needs no clipping, which PDF writers and printers like.
 */

/** Only what the library sets; a fixed shape, since thousands of these are made for one picture. */
class FlatElement {
  readonly name: string;
  readonly children: FlatElement[] = [];
  x = 0;
  y = 0;
  width = 0;
  height = 0;
  cx = 0;
  cy = 0;
  r = 0;
  path = '';
  transform = '';
  /** Every other attribute. */
  other: Record<string, string> | undefined = undefined;

  constructor(name: string) {
    this.name = name;
  }

  appendChild(child: FlatElement): FlatElement {
    this.children.push(child);
    return child;
  }

  setAttribute(name: string, value: string): void {
    switch (name) {
      case 'x':
      case 'y':
      case 'width':
      case 'height':
      case 'cx':
      case 'cy':
      case 'r':
        // Lengths may carry the unit px, which is the user unit.
        this[name] = Number.parseFloat(value);
        break;
      case 'd':
        this.path = value;
        break;
      case 'transform':
        this.transform = value;
        break;
      default:
        this.other ??= {};
        this.other[name] = value;
    }
  }

  attribute(name: string): string | undefined {
    return this.other?.[name];
  }
}

type QuarterTurns = 0 | 1 | 2 | 3;

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escapeAttribute = (text: string): string => text.replace(/[&<>"]/g, (character) => escapes[character]!);

/** Three decimals: a thousandth of a drawing unit is far below a pixel at any size. Never `-0`. */
const number = (value: number): string => String(Math.round(value * 1000) / 1000 + 0);

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

const pathToken = /[a-z]|-?(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?/gi;

/** One relative command with its numbers, turned. Arcs are circular: a turn leaves their radii as they are. */
const turnCommand = (command: string, n: readonly number[], turns: QuarterTurns): string => {
  const vector = (x: number, y: number): string => turn(x, y, turns).map(number).join(' ');
  switch (command) {
    case 'h':
    case 'v': {
      const [dx, dy] = command === 'h' ? turn(n[0]!, 0, turns) : turn(0, n[0]!, turns);
      return (command === 'h') === (turns % 2 === 0) ? `h${number(dx)}` : `v${number(dy)}`;
    }
    case 'm':
      return `m${vector(n[0]!, n[1]!)}`;
    case 'a':
      return `a${number(n[0]!)} ${number(n[1]!)} 0 ${n[3]} ${n[4]} ${vector(n[5]!, n[6]!)}`;
    case 'z':
      return 'z';
    default:
      throw new Error(`cannot fold the path command ${command}`);
  }
};

const turnCommands = (commands: string, turns: QuarterTurns): string => {
  const turned: string[] = [];
  let command = '';
  let numbers: number[] = [];
  const finish = () => {
    if (command !== '') turned.push(turnCommand(command, numbers, turns));
  };
  for (const [token] of commands.matchAll(pathToken)) {
    if (/[a-z]/i.test(token)) {
      finish();
      command = token.toLowerCase() === 'z' ? 'z' : token;
      numbers = [];
    } else {
      numbers.push(Number(token));
    }
  }
  finish();
  if (command !== 'z') turned.push('z');
  return turned.join('');
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

/** The library's paths begin with an absolute M, and all that follows up to the next M is relative. */
const foldPath = (path: string, transform: string): string => {
  const { turns, cx, cy } = readRotation(transform);
  let folded = '';
  for (let start = path.indexOf('M'); start >= 0; ) {
    const commandsAt = firstCommand(path, start + 1);
    const next = path.indexOf('M', commandsAt);
    const beginning = path.slice(start + 1, commandsAt).trim();
    const space = beginning.indexOf(' ');
    const [x, y] = [Number(beginning.slice(0, space)), Number(beginning.slice(space + 1))];
    const [dx, dy] = turn(x - cx, y - cy, turns);
    const commands = path.slice(commandsAt, next < 0 ? path.length : next);
    folded += `M${number(cx + dx)} ${number(cy + dy)}${turnShape(commands, turns)}`;
    start = next;
  }
  return folded;
};

const circlePath = ({ cx, cy, r }: FlatElement): string => {
  const half = (dx: number) => `a${number(r)} ${number(r)} 0 1 0 ${number(dx)} 0`;
  return `M${number(cx - r)} ${number(cy)}${half(2 * r)}${half(-2 * r)}z`;
};

/** What a clip path lets through, as one path. Squares that touch in a row become one rectangle. */
const outline = (shapes: readonly FlatElement[]): string => {
  let path = '';
  let run: { x: number; y: number; width: number; height: number } | undefined;
  const finishRun = () => {
    if (!run) return;
    path += `M${number(run.x)} ${number(run.y)}h${number(run.width)}v${number(run.height)}h${number(-run.width)}z`;
    run = undefined;
  };
  for (const shape of shapes) {
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
    path += shape.name === 'circle' ? circlePath(shape) : foldPath(shape.path, shape.transform);
  }
  finishRun();
  return path;
};

const attributesOf = (attributes: Record<string, string | number | undefined>): string =>
  Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(
      ([name, value]) => ` ${name}="${typeof value === 'number' ? number(value) : escapeAttribute(value!)}"`,
    )
    .join('');

const reference = (value: string | undefined): string | undefined =>
  /^url\('#(.+)'\)$/.exec(value ?? '')?.[1];

const gradientOf = (element: FlatElement, id: string): string => {
  const { cx, cy, r } = element;
  const position = element.name === 'radialGradient' ? { cx, cy, r } : {};
  const stops = element.children.map((stop) => `<stop${attributesOf({ ...stop.other })}/>`).join('');
  const attributes = attributesOf({ ...element.other, id, ...position });
  return `<${element.name}${attributes}>${stops}</${element.name}>`;
};

/** The picture under construction: neighbours of one fill are joined into one path. */
const createBody = () => {
  let body = '';
  let fill = '';
  let path = '';
  const finishPath = () => {
    if (path !== '') body += `<path${attributesOf({ fill })} d="${path}"/>`;
    path = '';
  };
  return {
    addPath(pathFill: string, outlined: string): void {
      if (pathFill !== fill) finishPath();
      fill = pathFill;
      path += outlined;
    },
    addElement(name: string, attributes: Record<string, string | number | undefined>): void {
      finishPath();
      body += `<${name}${attributesOf(attributes)}/>`;
    },
    toString(): string {
      finishPath();
      return body;
    },
  };
};

const flatten = (svg: FlatElement): string => {
  const definitions = svg.children.find(({ name }) => name === 'defs')?.children ?? [];
  const clips = new Map<string, FlatElement>();
  const gradientIds = new Map<string, string>();
  let gradients = '';
  for (const definition of definitions) {
    const id = definition.attribute('id') ?? '';
    if (definition.name === 'clipPath') {
      clips.set(id, definition);
      continue;
    }
    gradientIds.set(id, `qr${gradientIds.size}`);
    gradients += gradientOf(definition, gradientIds.get(id)!);
  }
  const body = createBody();
  for (const element of svg.children) {
    const { name, x, y, width, height } = element;
    if (name === 'defs') continue;
    if (name === 'image') {
      body.addElement('image', { x, y, width, height, href: element.attribute('href') });
      continue;
    }
    const clip = clips.get(reference(element.attribute('clip-path')) ?? '');
    const gradient = reference(element.attribute('fill'));
    const fill = gradient ? `url(#${gradientIds.get(gradient)})` : element.attribute('fill');
    if (!clip || !fill || fill === 'transparent') continue;
    const [first] = clip.children;
    if (clip.attribute('id')!.startsWith('clip-path-background') && first) {
      const round = { rx: first.attribute('rx') };
      body.addElement('rect', {
        x: first.x,
        y: first.y,
        width: first.width,
        height: first.height,
        ...round,
        fill,
      });
      continue;
    }
    body.addPath(fill, outline(clip.children));
  }
  return (gradients === '' ? '' : `<defs>${gradients}</defs>`) + body.toString();
};

/**
 * A document for one drawing. Give `jsdom` to the library as its option of that name and let it serialise.
 * `drawn()` is then the content of the SVG element: definitions, rectangles, paths and images, in drawing units.
 */
export const createFlatDocument = () => {
  let drawn = '';
  const window = {
    document: { createElementNS: (_namespace: string, name: string) => new FlatElement(name) },
    XMLSerializer: class {
      serializeToString(svg: FlatElement): string {
        drawn = flatten(svg);
        return drawn;
      }
    },
  };
  return {
    jsdom: class {
      readonly window = window;
    },
    drawn: (): string => drawn,
  };
};
