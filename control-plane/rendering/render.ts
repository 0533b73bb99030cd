/** All stages in their order, without a pool: what a worker runs. */
import { ClientError } from '#shared/errors.ts';
import { draw, plainStyle, toSvg } from './drawing.ts';
import { encodeMatrix, type ModuleMatrix } from './matrix.ts';
import { toPng } from './raster.ts';

export interface RenderRequest {
  /** The text that a scanner shows. */
  data: string;
  format: 'png' | 'svg';
  /** Width and height in pixels, 64 to 4096. */
  size: number;
  /** Quiet zone in modules, 0 to 40. */
  margin: number;
}

export interface Rendered {
  body: Buffer;
  contentType: string;
}

const sizeMin = 64;
const sizeMax = 4096;
const marginMax = 40;

/**
 * Pixels that a module needs so that readers count the modules right. Measured with ZXing over versions, levels,
 * margins and sizes: up to version 4 (33 modules), the ones that a short URL needs, all was read from 1.5 on but 77
 * pixels of version 4; larger symbols failed at one size in fifty up to 2.3 and at none from 2.4 on.
 */
const modulePixelsMin = (matrixSize: number): number => (matrixSize <= 33 ? 1.5 : 2.5);

const checkRange = (field: string, value: number, min: number, max: number): void => {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw new ClientError('UNPROCESSABLE', `${field} must be a whole number from ${min} to ${max}`);
};

/** An SVG scales; for a picture of pixels the size must leave enough of them for each module. */
const checkReadable = (matrix: ModuleMatrix, { format, size, margin }: RenderRequest): void => {
  const modules = matrix.size + 2 * margin;
  const needed = Math.ceil(modules * modulePixelsMin(matrix.size));
  if (format === 'svg' || size >= needed) return;
  throw new ClientError(
    'UNPROCESSABLE',
    `size ${size} is too small to be read: the ${modules} modules of this code, quiet zone included, need ${needed}`,
  );
};

/**
 * Renders a code in black squares on white.
 * @throws {ClientError} UNPROCESSABLE naming `data`, `size` or `margin`
 */
export const render = async (request: RenderRequest): Promise<Rendered> => {
  checkRange('size', request.size, sizeMin, sizeMax);
  checkRange('margin', request.margin, 0, marginMax);
  const matrix = encodeMatrix(request.data, 'M');
  checkReadable(matrix, request);
  const drawing = await draw(matrix, { ...plainStyle, margin: request.margin });
  const svg = toSvg(drawing, request.size);
  if (request.format === 'svg') return { body: Buffer.from(svg), contentType: 'image/svg+xml' };
  return { body: await toPng(svg), contentType: 'image/png' };
};
