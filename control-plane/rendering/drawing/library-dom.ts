/**
 * The DOM that qr-code-styling 1.9.2 draws into. The library builds one element for each module, inside clip paths that
 * cover coloured rectangles, with ids that count up for the life of the process. This DOM takes the same calls and
 * yields the same picture as a few layers of filled figures: runs of squares are merged, quarter turns are folded into
 * the coordinates, neighbours of one colour are joined. The picture has a tenth of the bytes, is drawn faster, is the
 * same for the same input, and needs no clipping, which suits PDF writers and printers.
 */
import type { DrawnGradient, Fill, Stop } from '../vector/gradients.ts';
import type { Figure, Layer } from '../vector/layers.ts';
import { type ClipElement, figuresOf } from './clip-figures.ts';

/**
 * An element with the attributes that the library sets. All have the same fields, since a picture has thousands of
 * them.
 */
class LibraryElement {
  readonly name: string;
  readonly children: LibraryElement[] = [];
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

  appendChild(child: LibraryElement): LibraryElement {
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

const stopOf = (element: LibraryElement): Stop => ({
  offset: Number.parseFloat(element.attribute('offset') ?? '') / 100,
  color: element.attribute('stop-color') ?? '',
});

/** The library's gradients are in drawing units, and the focus of a radial gradient is its centre. */
const gradientOf = (element: LibraryElement): DrawnGradient => {
  const stops = element.children.map(stopOf);
  const { cx, cy, r } = element;
  if (element.name === 'radialGradient') return { type: 'radial', cx, cy, r, stops };
  const [x1, y1, x2, y2] = ['x1', 'y1', 'x2', 'y2'].map((name) => Number(element.attribute(name)));
  return { type: 'linear', x1: x1!, y1: y1!, x2: x2!, y2: y2!, stops };
};

/** Layers under construction: neighbours of one fill are joined. */
const createStack = () => {
  const layers: Layer[] = [];
  let open: { fill: Fill; figures: Figure[] } | undefined;
  return {
    layers,
    addFigures(fill: Fill, figures: Figure[]): void {
      if (figures.length === 0) return;
      if (open?.fill === fill) {
        for (const figure of figures) open.figures.push(figure);
        return;
      }
      open = { fill, figures };
      layers.push({ kind: 'figures', ...open });
    },
    add(layer: Layer): void {
      open = undefined;
      layers.push(layer);
    },
  };
};

const toLayers = (svg: LibraryElement): Layer[] => {
  const definitions = svg.children.find(({ name }) => name === 'defs')?.children ?? [];
  const clips = new Map<string, LibraryElement>();
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
    stack.addFigures(fill, figuresOf(clip.children));
  }
  return stack.layers;
};

/** The elements of the dots: one for each dark module outside the eyes. */
const dotElements = (svg: LibraryElement): readonly ClipElement[] =>
  svg.children
    .find(({ name }) => name === 'defs')
    ?.children.find((definition) => definition.attribute('id')?.startsWith('clip-path-dot-color'))
    ?.children ?? [];

/**
 * A DOM for one drawing. Pass `jsdom` to the library as its option of that name and let it serialise. Then `drawn()`
 * returns the layers that it drew, in drawing units, and `dots()` the elements of its dots.
 */
export const createLibraryDom = () => {
  let drawn: Layer[] = [];
  let dots: readonly ClipElement[] = [];
  const window = {
    document: { createElementNS: (_namespace: string, name: string) => new LibraryElement(name) },
    XMLSerializer: class {
      serializeToString(svg: LibraryElement): string {
        drawn = toLayers(svg);
        dots = dotElements(svg);
        return '';
      }
    },
  };
  return {
    jsdom: class {
      readonly window = window;
    },
    drawn: (): Layer[] => drawn,
    dots: () => dots,
  };
};
