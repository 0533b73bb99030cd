/**
 * A matrix and its style → layers, by qr-code-styling. The library's own encoder is bypassed: it corrupts UTF-8, scores
 * masks thirty times slower than `qr`, and uses one mode for the whole text.
 */
import type { Gradient, Options, QRCode } from 'qr-code-styling';
import qrCodeStyling from 'qr-code-styling';
import type { Paint } from '../look/look.ts';
import type { CorrectionLevel, ModuleMatrix } from '../symbol/matrix.ts';
import type { Layer } from '../vector/layers.ts';
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
  return { layers: drawn(), dots: dots() };
};
