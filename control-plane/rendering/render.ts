/** All stages in their order, without a pool: what a worker runs. */
import { ClientError } from '#shared/errors.ts';
import { type Drawing, draw, plainStyle, toSvg } from './drawing.ts';
import { encodeMatrix } from './matrix.ts';
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

/** Below this a reader cannot tell the modules of a picture apart. */
const modulePixelsMin = 2;

const checkRange = (field: string, value: number, min: number, max: number): void => {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw new ClientError('UNPROCESSABLE', `${field} must be a whole number from ${min} to ${max}`);
};

/** An SVG scales; for a picture of pixels the size must leave enough of them for each module. */
const checkReadable = ({ modules }: Drawing, { format, size }: RenderRequest): void => {
  if (format === 'svg' || size >= modules * modulePixelsMin) return;
  throw new ClientError(
    'UNPROCESSABLE',
    `size ${size} is too small for this code: its ${modules} modules (quiet zone included) need ` +
      `${modules * modulePixelsMin} pixels or more`,
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
  const drawing = await draw(matrix, { ...plainStyle, margin: request.margin });
  checkReadable(drawing, request);
  const svg = toSvg(drawing, request.size);
  if (request.format === 'svg') return { body: Buffer.from(svg), contentType: 'image/svg+xml' };
  return { body: await toPng(svg), contentType: 'image/png' };
};
