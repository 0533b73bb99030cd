/** The second stage: a matrix and its style → layers. */
import type { ModuleMatrix } from '../symbol/matrix.ts';
import { crispModulePixelsMin } from '../symbol/module-pixels.ts';
import { rectangle } from '../vector/figures.ts';
import { type Figure, type Layer, toContent } from '../vector/layers.ts';
import { writeSvgDocument } from '../vector/svg-document.ts';
import { moduleUnits, symbolPosition } from './library-drawing.ts';
import { logoLayer, withHole } from './logo-layer.ts';
import { drawLook } from './look-template.ts';
import type { ModuleStyle } from './module-style.ts';

export interface Drawing {
  /** Width and height in drawing units. */
  readonly side: number;
  /** The side in modules, quiet zone included. */
  readonly modules: number;
  readonly layers: readonly Layer[];
  /** Whether every edge is horizontal or vertical, so that smoothing would only blur it. */
  readonly crisp: boolean;
}

const isCrisp = ({ shape, dots, cornersSquare, cornersDot, background }: ModuleStyle): boolean =>
  shape === 'square' &&
  background.round === 0 &&
  [dots.type, cornersSquare.type ?? 'square', cornersDot.type ?? 'square'].every((type) => type === 'square');

/** The library's figures for squares of one colour: runs of dark modules, row by row. */
const drawSquares = (matrix: ModuleMatrix, margin: number): Figure[] => {
  const figures: Figure[] = [];
  for (let row = 0; row < matrix.size; row++) {
    for (let column = 0; column < matrix.size; column++) {
      const start = column;
      while (column < matrix.size && matrix.isDark(row, column)) column++;
      if (column === start) continue;
      const [x, y] = [(start + margin) * moduleUnits, (row + margin) * moduleUnits];
      figures.push(rectangle(x, y, (column - start) * moduleUnits, moduleUnits));
    }
  }
  return figures;
};

const drawPlain = (
  matrix: ModuleMatrix,
  margin: number,
  side: number,
  { dark, light }: PlainColors,
): Layer[] => {
  const ground: Layer = { kind: 'rectangle', x: 0, y: 0, width: side, height: side, radius: 0, fill: light };
  const squares: Layer = { kind: 'figures', fill: dark, figures: drawSquares(matrix, margin) };
  return light === 'transparent' ? [squares] : [ground, squares];
};

interface PlainColors {
  dark: string;
  light: string;
}

/** The two colours of a style of plain squares; undefined for any other style. */
const plainColors = (style: ModuleStyle): PlainColors | undefined => {
  const { dots, cornersSquare, cornersDot, background } = style;
  if (!isCrisp(style) || typeof dots.paint !== 'string' || typeof background.paint !== 'string')
    return undefined;
  const others = [cornersSquare.paint, cornersDot.paint];
  if (others.some((paint) => paint !== undefined && paint !== dots.paint)) return undefined;
  return { dark: dots.paint, light: background.paint };
};

const drawLayers = async (
  matrix: ModuleMatrix,
  style: ModuleStyle,
  side: number,
): Promise<readonly Layer[]> => {
  const colors = plainColors(style);
  if (colors) return drawPlain(matrix, style.margin, side, colors);
  const { image, ...look } = style;
  return drawLook(matrix, look, side);
};

/** Draws a matrix. The result depends only on the arguments. */
export const draw = async (matrix: ModuleMatrix, style: ModuleStyle): Promise<Drawing> => {
  const modules = matrix.size + 2 * style.margin;
  const side = modules * moduleUnits;
  const crisp = isCrisp(style);
  const { image } = style;
  if (!image) return { side, modules, layers: await drawLayers(matrix, style, side), crisp };
  const layers = await drawLayers(image.hideDots ? withHole(matrix, image) : matrix, style, side);
  const logo = logoLayer(image, matrix.size, symbolPosition(matrix.size, style, side));
  return { side, modules, layers: [...layers, logo], crisp };
};

/** Whether edges lie on whole pixels. @param pixels of the code's side, quiet zone included */
export const isCrispAt = ({ crisp, modules }: Drawing, pixels: number): boolean =>
  crisp && pixels >= modules * crispModulePixelsMin;

/** The same as an SVG attribute. */
export const edgesOf = (drawing: Drawing, pixels: number): string =>
  isCrispAt(drawing, pixels) ? ' shape-rendering="crispEdges"' : '';

/** A complete SVG document. @param size width and height in pixels */
export const toSvg = (drawing: Drawing, size: number): string =>
  writeSvgDocument({
    width: size,
    height: size,
    viewBox: [drawing.side, drawing.side],
    attributes: edgesOf(drawing, size),
    content: toContent(drawing.layers),
  });
