/** What is to be seen on a picture, before anybody asked for a format. */
import { ClientError } from '#shared/errors.ts';
import type { Caption } from './captions/index.ts';
import { type Composition, compose, fillsPicture } from './composition.ts';
import { type Drawing, draw, isCrispAt } from './drawing.ts';
import type { PreparedLogo } from './logo/index.ts';
import type { ModuleMatrix } from './matrix.ts';
import { type Pixels, rasterise } from './raster.ts';
import { canRasterise, rasteriseLayers } from './rasteriser/index.ts';
import type { ResolvedStyle } from './style.ts';

export interface Scene {
  matrix: ModuleMatrix;
  style: ResolvedStyle;
  logo: PreparedLogo | undefined;
  /** Of the style's frame. */
  caption: Caption | undefined;
  /** Pixels. */
  width: number;
  height: number;
}

const imageOf = ({ style, logo }: Scene) =>
  style.logo && logo && { ...style.logo, href: logo.href, width: logo.width, height: logo.height };

/** Free space round a logo is taken from the logo's own place. */
const checkLogoLeft = ({ layers }: Drawing): void => {
  const image = layers.find((layer) => layer.kind === 'image');
  if (!image || (image.width > 0 && image.height > 0)) return;
  throw new ClientError(
    'UNPROCESSABLE',
    'imageOptions.margin leaves no room for the logo: make it smaller, or imageOptions.imageSize larger',
  );
};

/** A gradient that runs over the whole frame is drawn there, and not a second time behind the code. */
const continuesInFrame = ({ background, frame }: ResolvedStyle): boolean =>
  frame !== undefined && frame.background === background.paint;

/** @throws {ClientError} UNPROCESSABLE naming `imageOptions.margin` */
export const drawScene = async (scene: Scene): Promise<Drawing> => {
  const { matrix, style, width, height } = scene;
  const background =
    fillsPicture(style, width, height) || continuesInFrame(style)
      ? { ...style.background, paint: 'transparent' as const }
      : style.background;
  const image = imageOf(scene);
  const drawing = await draw(matrix, { ...style, background, ...(image && { image }) });
  checkLogoLeft(drawing);
  return drawing;
};

export const composeScene = (drawing: Drawing, { style, caption, width, height }: Scene): Composition =>
  compose(drawing, style, caption, width, height);

/** So many times as wide and high, in whole pixels. */
export const scaledSize = ({ width, height }: Pick<Scene, 'width' | 'height'>, scale: number) => ({
  width: Math.round(width * scale),
  height: Math.round(height * scale),
});

/** The same scene in another size. */
export const scaled = (scene: Scene, scale: number): Scene => ({ ...scene, ...scaledSize(scene, scale) });

/** Whether nothing is on the picture but a code that fills it, with no logo, and not too large. */
export const isBare = ({ layers }: Drawing, { style, width, height }: Scene): boolean =>
  !style.frame && width === height && canRasterise(layers, width);

/** The pixels of a scene that was drawn; those of a bare code at once, without librsvg. */
export const pixelsOf = (drawing: Drawing, scene: Scene): Pixels | Promise<Pixels> => {
  const { width } = scene;
  if (!isBare(drawing, scene)) return rasterise(composeScene(drawing, scene).svg());
  return rasteriseLayers(drawing.layers, {
    units: drawing.side,
    side: width,
    crisp: isCrispAt(drawing, width),
  });
};

export const rasteriseScene = async (scene: Scene): Promise<Pixels> =>
  pixelsOf(await drawScene(scene), scene);
