/**
 * The layers of many codes of one look. The library draws the first code of a look and size; dot layers are recognised
 * by their figures; eyes and background are the same for every code of that look and size.
 */
import { isDeepStrictEqual } from 'node:util';
import { LRUCache } from 'lru-cache';
import type { ModuleMatrix } from '../symbol/matrix.ts';
import type { Figure, Layer } from '../vector/layers.ts';
import { dotFigures } from './dot-stencils.ts';
import { drawByLibrary } from './library-drawing.ts';
import type { ModuleStyle } from './module-style.ts';

type Style = Omit<ModuleStyle, 'image'>;

/** The layers of another code, given the figures of its dots. */
type Template = (dots: readonly Figure[]) => readonly Layer[];

/** `none`: parts other than the dots differ from code to code. */
const templates = new LRUCache<string, Template | 'none'>({ max: 500 });

/** @returns undefined if the figures are not in the layers */
const templateOf = (layers: readonly Layer[], dots: readonly Figure[]): Template | undefined => {
  const at = layers.findIndex(
    (layer) => layer.kind === 'figures' && isDeepStrictEqual(layer.figures.slice(0, dots.length), dots),
  );
  const layer = layers[at];
  if (dots.length === 0 || layer?.kind !== 'figures') return undefined;
  // Corners in the dots' colour share a layer with them.
  const rest = layer.figures.slice(dots.length);
  return (figures) => layers.with(at, { ...layer, figures: [...figures, ...rest] });
};

/** @param side of the drawing, in drawing units */
export const drawLook = async (
  matrix: ModuleMatrix,
  style: Style,
  side: number,
): Promise<readonly Layer[]> => {
  // A circle is filled up with dots that copy the code's.
  if (style.shape === 'circle') return (await drawByLibrary(matrix, style, side)).layers;
  const key = JSON.stringify([matrix.size, side, style]);
  const known = templates.get(key);
  if (known === 'none') return (await drawByLibrary(matrix, style, side)).layers;
  const dots = await dotFigures(matrix, style.dots.type, style.margin);
  if (known) return known(dots);
  const { layers } = await drawByLibrary(matrix, style, side);
  templates.set(key, templateOf(layers, dots) ?? 'none');
  return layers;
};
