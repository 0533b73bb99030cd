/** A scene → its drawing and its pixels. */
import { type Drawing, draw, isCrispAt } from '../drawing/drawing.ts';
import type { LogoImage } from '../drawing/logo-layer.ts';
import { type Pixels, rasterise } from '../output/raster.ts';
import { canRasterise, rasteriseLayers } from '../output/rasteriser/rasterise-layers.ts';
import { compose, continuesInFrame, fillsPicture } from './composition.ts';
import type { Scene } from './scene.ts';

const logoImageOf = ({ look, logo }: Scene): LogoImage | undefined => {
  if (!look.logo || !logo) return undefined;
  const { href, svg, width, height } = logo;
  return { ...look.logo, href, svg, width, height };
};

/** Draws the code, with its background unless the frame or the whole picture has the same one. */
export const drawScene = (scene: Scene): Promise<Drawing> => {
  const { matrix, look, width, height } = scene;
  const background =
    fillsPicture(look, width, height) || continuesInFrame(look)
      ? { ...look.background, paint: 'transparent' as const }
      : look.background;
  const image = logoImageOf(scene);
  return draw(matrix, { ...look, background, ...(image && { image }) });
};

/** Whether our own rasteriser can draw the picture: a code that fills it, without frame and logo, not too large. */
export const isCodeAlone = ({ layers }: Drawing, { look, width, height }: Scene): boolean =>
  !look.frame && width === height && canRasterise(layers, width);

/** The pixels of a drawn scene; librsvg makes them only if {@link isCodeAlone} is false. */
export const pixelsOf = (drawing: Drawing, scene: Scene): Pixels | Promise<Pixels> => {
  const { width } = scene;
  if (!isCodeAlone(drawing, scene)) return rasterise(compose(drawing, scene).svg());
  return rasteriseLayers(drawing.layers, {
    units: drawing.side,
    side: width,
    crisp: isCrispAt(drawing, width),
  });
};
