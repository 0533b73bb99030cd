/**
 * The document that qr-code-styling 1.9.2 draws into. The library builds one element for each module, inside clip
 * paths that cover coloured rectangles, with ids that count up for the life of the process. This document takes the
 * same calls and gives the same picture as a few layers of filled shapes: runs of squares merged, quarter turns folded
 * into the coordinates, neighbours of one colour joined. A picture is a tenth of the size, draws faster, is the same
 * for the same input, and needs no clipping, which PDF writers and printers like.
 */
import type { DrawnGradient, Fill, Layer, Shape, Stop } from '../vector/layers.ts';
import { outline } from './clip-shapes.ts';

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

const reference = (value: string | undefined): string | undefined =>
  /^url\('#(.+)'\)$/.exec(value ?? '')?.[1];

const stopOf = (element: FlatElement): Stop => ({
  offset: Number.parseFloat(element.attribute('offset') ?? '') / 100,
  color: element.attribute('stop-color') ?? '',
});

/** The library's gradients are in drawing units, and a radial one's focus is its middle. */
const gradientOf = (element: FlatElement): DrawnGradient => {
  const stops = element.children.map(stopOf);
  const { cx, cy, r } = element;
  if (element.name === 'radialGradient') return { type: 'radial', cx, cy, r, stops };
  const [x1, y1, x2, y2] = ['x1', 'y1', 'x2', 'y2'].map((name) => Number(element.attribute(name)));
  return { type: 'linear', x1: x1!, y1: y1!, x2: x2!, y2: y2!, stops };
};

/** The layers under construction: neighbours of one fill are joined. */
const createStack = () => {
  const layers: Layer[] = [];
  let open: { fill: Fill; shapes: Shape[] } | undefined;
  return {
    layers,
    addShapes(fill: Fill, shapes: Shape[]): void {
      if (shapes.length === 0) return;
      if (open?.fill === fill) {
        for (const shape of shapes) open.shapes.push(shape);
        return;
      }
      open = { fill, shapes };
      layers.push({ kind: 'shapes', ...open });
    },
    add(layer: Layer): void {
      open = undefined;
      layers.push(layer);
    },
  };
};

const flatten = (svg: FlatElement): Layer[] => {
  const definitions = svg.children.find(({ name }) => name === 'defs')?.children ?? [];
  const clips = new Map<string, FlatElement>();
  const gradients = new Map<string, DrawnGradient>();
  for (const definition of definitions) {
    const id = definition.attribute('id') ?? '';
    if (definition.name === 'clipPath') clips.set(id, definition);
    else gradients.set(id, gradientOf(definition));
  }
  const stack = createStack();
  for (const element of svg.children) {
    if (element.name === 'defs') continue;
    const clip = clips.get(reference(element.attribute('clip-path')) ?? '');
    const fill = gradients.get(reference(element.attribute('fill')) ?? '') ?? element.attribute('fill');
    if (!clip || !fill || fill === 'transparent') continue;
    const [first] = clip.children;
    if (clip.attribute('id')!.startsWith('clip-path-background') && first) {
      const { x, y, width, height } = first;
      const radius = Number(first.attribute('rx') ?? 0);
      stack.add({ kind: 'rectangle', fill, x, y, width, height, radius });
      continue;
    }
    stack.addShapes(fill, outline(clip.children));
  }
  return stack.layers;
};

/**
 * A document for one drawing. Give `jsdom` to the library as its option of that name and let it serialise.
 * `drawn()` is then what it drew, in drawing units.
 */
export const createFlatDocument = () => {
  let drawn: Layer[] = [];
  const window = {
    document: { createElementNS: (_namespace: string, name: string) => new FlatElement(name) },
    XMLSerializer: class {
      serializeToString(svg: FlatElement): string {
        drawn = flatten(svg);
        return '';
      }
    },
  };
  return {
    jsdom: class {
      readonly window = window;
    },
    drawn: (): Layer[] => drawn,
  };
};
