/** The cost of a request, in pixels, by which tenants share the threads; and the size of its logo. */
import { sizeMax } from '#schemas/api/style.ts';
import { isVectorFormat, type RenderRequest } from './request.ts';
import { sizeDefault } from './scene/size.ts';

/**
 * The cost of a millisecond, at 13 ns for each pixel. What a picture costs depends on its symbol and style as well: one that takes
 * longer than its pixels say, which may be a thousand times as long, is charged for its time when it is drawn.
 */
export const pixelsPerMs = 75_000;
/** The cost of any picture, in pixels that could be drawn meanwhile: 2 ms. */
const fixedPixels = 2 * pixelsPerMs;
/** The pixels in which a picture without pixels of its own is read as a proof. */
const vectorPixels = 512 ** 2;

/** Width and height, as far as they were asked for. */
const sidesOf = ({ width, height }: Pick<RenderRequest, 'width' | 'height'>): [number, number] => [
  width ?? height ?? sizeDefault,
  height ?? width ?? sizeDefault,
];

/** A size out of range costs no pixels: it is refused elsewhere. */
export const costOf = (request: RenderRequest): number => {
  const [width, height] = sidesOf(request);
  const pixels = isVectorFormat(request.format) ? vectorPixels : width * height;
  return fixedPixels + (pixels > 0 && pixels <= sizeMax ** 2 ? pixels : 0);
};

/** The cost of a series, and of a part of a sheet: it is charged for its time when it is drawn. */
export const seriesCost = fixedPixels;

/** The longest side of a logo in a picture that can be shown and printed in any size, in pixels. */
const vectorLogoPixels = 1024;

/** The longest side of a request's logo in its picture, in pixels. */
export const logoPixels = (request: Omit<RenderRequest, 'payload'>): number =>
  isVectorFormat(request.format)
    ? vectorLogoPixels
    : Math.min(...sidesOf(request)) * (request.look.logo?.size ?? 0);
