/**
 * A matrix and its style → layers, by qr-code-styling. The library's own encoder is bypassed: it corrupts UTF-8, scores
 * masks thirty times slower than `qr`, and uses one mode for the whole text.
 */
import type { Gradient, Options, QRCode } from 'qr-code-styling';
import qrCodeStyling from 'qr-code-styling';
import type { Paint } from '../look/look.ts';
import type { CorrectionLevel, ModuleMatrix } from '../symbol/matrix.ts';
import { scaledFigure } from '../vector/figures.ts';
import type { Figure, Layer } from '../vector/layers.ts';
import type { ClipElement } from './clip-figures.ts';
import { createLibraryDom } from './library-dom.ts';
import type { ModuleStyle } from './module-style.ts';

/**
 * Drawing units per module. A whole number keeps every coordinate exact. Ten hides the library's own errors: it rounds
 * the ends of gradients to whole units and opens rings by a tenth of one.
 */
export const moduleUnits = 10;

const colorOptions = (paint: Paint | undefined): { color?: string; gradient?: Gradient } => {
  if (paint === undefined) return {};
  return typeof paint === 'string' ? { color: paint } : { gradient: paint };
};

/** No scanner reads an eye of nine separate dots; the round eye looks like it. */
const eyeType = (style: ModuleStyle): NonNullable<ModuleStyle['cornersDot']['type']> => {
  const type = style.cornersDot.type ?? style.dots.type;
  return type === 'dots' ? 'dot' : type;
};

const libraryOptions = (style: ModuleStyle, level: CorrectionLevel, side: number): Partial<Options> => ({
  type: 'svg',
  shape: style.shape,
  width: side,
  height: side,
  margin: style.margin * moduleUnits,
  // Without data the library encodes nothing.
  data: '',
  dotsOptions: { type: style.dots.type, roundSize: true, ...colorOptions(style.dots.paint) },
  cornersSquareOptions: { type: style.cornersSquare.type, ...colorOptions(style.cornersSquare.paint) },
  cornersDotOptions: { type: eyeType(style), ...colorOptions(style.cornersDot.paint) },
  backgroundOptions: { round: style.background.round, ...colorOptions(style.background.paint) },
  qrOptions: { errorCorrectionLevel: level },
});

/** The package exports the class itself; its types, written for bundlers, claim that the class is `default`. */
const QRCodeStyling = qrCodeStyling as unknown as typeof qrCodeStyling.default;

/** The library calls only these two functions of a symbol; the rest of the type belongs to the bypassed encoder. */
const asLibrarySymbol = (matrix: ModuleMatrix): QRCode => {
  const symbol: Pick<QRCode, 'getModuleCount' | 'isDark'> = {
    getModuleCount: () => matrix.size,
    isDark: matrix.isDark,
  };
  return symbol as QRCode;
};

/**
 * The library's position of a symbol. In a circle it uses the square inside the circle, in whole units.
 * @param side of the drawing
 */
export const symbolPosition = (
  size: number,
  { shape, margin }: Pick<ModuleStyle, 'shape' | 'margin'>,
  side: number,
): { start: number; unit: number } => {
  const available = side - 2 * margin * moduleUnits;
  const unit = Math.floor((shape === 'circle' ? available / Math.SQRT2 : available) / size);
  return { start: Math.floor((side - size * unit) / 2), unit };
};

/** The middles with corners; those of the types `dot` and `extra-rounded` keep their distance from any ring. */
const hasCorners = (style: ModuleStyle): boolean => !['dot', 'extra-rounded'].includes(eyeType(style));

/**
 * The size of a middle with corners in a round ring, as a share of its size in a square one. Whole, its corners come
 * within 0.4 modules of the ring, and ZXing took the two for one figure at 6 of 55 sizes from 112 to 598 pixels; at
 * this share, with 0.6 modules between them, it read all of these sizes, also blurred, turned and compressed.
 */
const middleShare = 0.9;

/** Layers in which the middles of the eyes are smaller. */
const withSmallMiddles = (
  layers: readonly Layer[],
  { start, unit }: ReturnType<typeof symbolPosition>,
  size: number,
): Layer[] => {
  const [near, far] = [start + 3.5 * unit, start + (size - 3.5) * unit];
  const centres = [
    [near, near],
    [far, near],
    [near, far],
  ] as const;
  const reach = 1.5 * unit + 1e-6;
  const shrunk = (figure: Figure): Figure => {
    const centre = centres.find(
      ([x, y]) => Math.abs(figure.x - x) <= reach && Math.abs(figure.y - y) <= reach,
    );
    return centre ? scaledFigure(figure, centre, middleShare) : figure;
  };
  return layers.map((layer) =>
    layer.kind === 'figures' ? { ...layer, figures: layer.figures.map(shrunk) } : layer,
  );
};

export interface LibraryDrawing {
  layers: readonly Layer[];
  /** The element of each dark module outside the eyes, row by row. */
  dots: readonly ClipElement[];
}

/** @param side of the drawing, in drawing units */
export const drawByLibrary = async (
  matrix: ModuleMatrix,
  style: Omit<ModuleStyle, 'image'>,
  side: number,
): Promise<LibraryDrawing> => {
  const { jsdom, drawn, dots } = createLibraryDom();
  const library = new QRCodeStyling({ ...libraryOptions(style, matrix.level, side), jsdom });
  library._qr = asLibrarySymbol(matrix);
  await library.getRawData('svg');
  const isClose = style.cornersSquare.type === 'dot' && hasCorners(style);
  const layers = isClose
    ? withSmallMiddles(drawn(), symbolPosition(matrix.size, style, side), matrix.size)
    : drawn();
  return { layers, dots: dots() };
};
