/**
 * The second stage: matrix + style → a flat drawing, by qr-code-styling. Its own encoder is bypassed: it corrupts
 * UTF-8, scores masks thirty times slower than `qr`, and knows one mode for the whole text.
 */
import type { CornerDotType, CornerSquareType, DotType, Gradient, Options, QRCode } from 'qr-code-styling';
import qrCodeStyling from 'qr-code-styling';
import type { CorrectionLevel, ModuleMatrix } from '../symbol/matrix.ts';
import { rectangle } from '../vector/figures.ts';
import { type Layer, type Shape, toContent } from '../vector/layers.ts';
import { writeDocument } from '../vector/svg-document.ts';
import { createFlatDocument } from './flat-document.ts';
import { type Logo, logoLayer, withHole } from './logo-place.ts';

/** `#rrggbb` or a gradient; a linear gradient's rotation is in radians, 0 is left to right. */
export type Paint = string | Gradient;

/** How a symbol looks. Sizes are in modules. */
export interface Style {
  shape: 'square' | 'circle';
  /** The quiet zone, in modules. */
  margin: number;
  dots: { type: DotType; paint: Paint };
  /** What is left out is as in `dots`. */
  cornersSquare: { type?: CornerSquareType; paint?: Paint };
  /** What is left out is as in `cornersSquare`, its type as in `dots`. */
  cornersDot: { type?: CornerDotType; paint?: Paint };
  /** `round`: 0 square to 1 fully rounded corners. */
  background: { paint: Paint | 'transparent'; round: number };
  image?: Logo;
}

/** Black squares on white. */
export const plainStyle: Style = {
  shape: 'square',
  margin: 4,
  dots: { type: 'square', paint: '#000000' },
  cornersSquare: {},
  cornersDot: {},
  background: { paint: '#ffffff', round: 0 },
};

export interface Drawing {
  /** Width and height in drawing units. */
  readonly side: number;
  /** The same in modules, quiet zone included. */
  readonly modules: number;
  readonly layers: readonly Layer[];
  /** Whether every edge is horizontal or vertical, so that smoothing could only blur it. */
  readonly crisp: boolean;
}

/**
 * Drawing units along a module. A whole number keeps every coordinate exact; ten leaves the library, which rounds
 * the ends of gradients to whole units and opens rings by a tenth of one, without a visible error.
 */
const moduleUnits = 10;

const paintOptions = (paint: Paint | undefined): { color?: string; gradient?: Gradient } => {
  if (paint === undefined) return {};
  return typeof paint === 'string' ? { color: paint } : { gradient: paint };
};

/** Eyes made of nine separate dots are read by no scanner; the round eye is what looks like them. */
const eyeType = (style: Style): CornerDotType => {
  const type = style.cornersDot.type ?? style.dots.type;
  return type === 'dots' ? 'dot' : type;
};

const isCrisp = ({ shape, dots, cornersSquare, cornersDot, background }: Style): boolean =>
  shape === 'square' &&
  background.round === 0 &&
  [dots.type, cornersSquare.type ?? 'square', cornersDot.type ?? 'square'].every((type) => type === 'square');

const libraryOptions = (style: Style, level: CorrectionLevel, side: number): Partial<Options> => ({
  type: 'svg',
  shape: style.shape,
  width: side,
  height: side,
  margin: style.margin * moduleUnits,
  // Without data the library encodes nothing.
  data: '',
  dotsOptions: { type: style.dots.type, roundSize: true, ...paintOptions(style.dots.paint) },
  cornersSquareOptions: { type: style.cornersSquare.type, ...paintOptions(style.cornersSquare.paint) },
  cornersDotOptions: { type: eyeType(style), ...paintOptions(style.cornersDot.paint) },
  backgroundOptions: { round: style.background.round, ...paintOptions(style.background.paint) },
  qrOptions: { errorCorrectionLevel: level },
});

/** What the package exports is the class itself; its types, written for bundlers, say that it is `default`. */
const QRCodeStyling = qrCodeStyling as unknown as typeof qrCodeStyling.default;

/** The library asks a symbol for these two only; the rest of its type belongs to the encoder that is bypassed. */
const asLibrarySymbol = (matrix: ModuleMatrix): QRCode => {
  const symbol: Pick<QRCode, 'getModuleCount' | 'isDark'> = {
    getModuleCount: () => matrix.size,
    isDark: matrix.isDark,
  };
  return symbol as QRCode;
};

/** What the library draws of squares in one colour, without it: runs of dark modules, row by row. */
const drawSquares = (matrix: ModuleMatrix, margin: number): Shape[] => {
  const shapes: Shape[] = [];
  for (let row = 0; row < matrix.size; row++) {
    for (let column = 0; column < matrix.size; column++) {
      const start = column;
      while (column < matrix.size && matrix.isDark(row, column)) column++;
      if (column === start) continue;
      const [x, y] = [(start + margin) * moduleUnits, (row + margin) * moduleUnits];
      shapes.push(rectangle(x, y, (column - start) * moduleUnits, moduleUnits));
    }
  }
  return shapes;
};

const drawPlain = (
  matrix: ModuleMatrix,
  margin: number,
  side: number,
  { dark, light }: PlainColors,
): Layer[] => {
  const ground: Layer = { kind: 'rectangle', x: 0, y: 0, width: side, height: side, radius: 0, fill: light };
  const squares: Layer = { kind: 'shapes', fill: dark, shapes: drawSquares(matrix, margin) };
  return light === 'transparent' ? [squares] : [ground, squares];
};

interface PlainColors {
  dark: string;
  light: string;
}

/** The colours of a style that is nothing but squares in one of them on another; undefined for any other. */
const plainColors = (style: Style): PlainColors | undefined => {
  const { dots, cornersSquare, cornersDot, background } = style;
  if (!isCrisp(style) || typeof dots.paint !== 'string' || typeof background.paint !== 'string')
    return undefined;
  const others = [cornersSquare.paint, cornersDot.paint];
  if (others.some((paint) => paint !== undefined && paint !== dots.paint)) return undefined;
  return { dark: dots.paint, light: background.paint };
};

const drawLayers = async (matrix: ModuleMatrix, style: Style, side: number): Promise<readonly Layer[]> => {
  const colors = plainColors(style);
  if (colors) return drawPlain(matrix, style.margin, side, colors);
  const { jsdom, drawn } = createFlatDocument();
  const library = new QRCodeStyling({ ...libraryOptions(style, matrix.level, side), jsdom });
  library._qr = asLibrarySymbol(matrix);
  await library.getRawData('svg');
  return drawn();
};

/**
 * Where the library puts a symbol: in a circle it takes what a square inside the circle has, in whole units.
 * @param side of the drawing
 */
const symbolPlace = (size: number, { shape, margin }: Style, side: number) => {
  const room = side - 2 * margin * moduleUnits;
  const unit = Math.floor((shape === 'circle' ? room / Math.SQRT2 : room) / size);
  return { start: Math.floor((side - size * unit) / 2), unit };
};

/** Draws a matrix. The result depends on the arguments alone. */
export const draw = async (matrix: ModuleMatrix, style: Style): Promise<Drawing> => {
  const modules = matrix.size + 2 * style.margin;
  const side = modules * moduleUnits;
  const crisp = isCrisp(style);
  const { image } = style;
  if (!image) return { side, modules, layers: await drawLayers(matrix, style, side), crisp };
  const layers = await drawLayers(image.hideDots ? withHole(matrix, image) : matrix, style, side);
  const logo = logoLayer(image, matrix.size, symbolPlace(matrix.size, style, side));
  return { side, modules, layers: [...layers, logo], crisp };
};

/**
 * From this many pixels to a module on, crisp edges lie on whole pixels. Below, modules would differ in width by half,
 * and readers lose count: of symbols of version 2 at level L in 64 pixels, 93 in 100 were not read, and smoothed all.
 */
const crispModulePixelsMin = 3;

/** Whether its edges lie on whole pixels. @param pixels of the code's side, quiet zone included */
export const isCrispAt = ({ crisp, modules }: Drawing, pixels: number): boolean =>
  crisp && pixels >= modules * crispModulePixelsMin;

/** The same as an attribute. */
export const edgesOf = (drawing: Drawing, pixels: number): string =>
  isCrispAt(drawing, pixels) ? ' shape-rendering="crispEdges"' : '';

/** A complete SVG document. @param size width and height in pixels */
export const toSvg = (drawing: Drawing, size: number): string =>
  writeDocument({
    width: size,
    height: size,
    viewBox: [drawing.side, drawing.side],
    attributes: edgesOf(drawing, size),
    content: toContent(drawing.layers),
  });
