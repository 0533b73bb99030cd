/** All stages in their order, without a pool: what a worker runs. */
import { marginMax, sizeMax, sizeMin } from '#schemas/api/style.ts';
import { ClientError } from '#shared/errors.ts';
import { draw, toSvg } from './drawing.ts';
import { encodeMatrix, type ModuleMatrix } from './matrix.ts';
import { toPng } from './raster.ts';
import type { ResolvedStyle } from './style.ts';

export const pictureFormats = ['png', 'svg', 'webp', 'jpg', 'pdf'] as const;
export type PictureFormat = (typeof pictureFormats)[number];

export interface RenderRequest {
  /** The text that a scanner shows. */
  payload: string;
  /** A GS1 element string: the symbol begins with FNC1, and U+001D in the payload separates its elements. */
  fnc1?: boolean;
  style: ResolvedStyle;
  format: PictureFormat;
  /** Pixels (points in a PDF), 64 to 4096. */
  width: number;
  /** Default: as wide. The code stays square, in the middle. */
  height?: number;
  /**
   * `picture` (default): this very picture is read before it is handed out. `style`: one of the same style, symbol size
   * and picture size is, the first of many; for runs of thousands.
   */
  proof?: 'picture' | 'style';
}

export interface Rendered {
  body: Buffer;
  contentType: string;
  /** `yes`: this picture was read and says its payload. Else why it was handed out without. */
  decoded: string;
}

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
const checkReadable = (matrix: ModuleMatrix, { format, width, style }: RenderRequest): void => {
  const modules = matrix.size + 2 * style.margin;
  const needed = Math.ceil(modules * modulePixelsMin(matrix.size));
  if (format === 'svg' || width >= needed) return;
  throw new ClientError(
    'UNPROCESSABLE',
    `size ${width} is too small to be read: the ${modules} modules of this code, quiet zone included, need ${needed}`,
  );
};

/** @throws {ClientError} UNPROCESSABLE naming what cannot be drawn, or what keeps readers from reading it */
export const render = async (request: RenderRequest): Promise<Rendered> => {
  const { payload, style, format, width } = request;
  checkRange('width', width, sizeMin, sizeMax);
  checkRange('height', request.height ?? width, sizeMin, sizeMax);
  checkRange('margin', style.margin, 0, marginMax);
  const matrix = encodeMatrix(payload, style.level, { ...style, fnc1: request.fnc1 });
  checkReadable(matrix, request);
  const drawing = await draw(matrix, { ...style });
  const svg = toSvg(drawing, width);
  if (format === 'svg') return { body: Buffer.from(svg), contentType: 'image/svg+xml', decoded: 'yes' };
  return { body: await toPng(svg), contentType: 'image/png', decoded: 'yes' };
};
