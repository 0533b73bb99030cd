/** What is to be seen on a picture, before anybody asked for a format. */
import { createHash } from 'node:crypto';
import type { Caption } from '../captions/index.ts';
import { type Drawing, draw, isCrispAt } from '../drawing/drawing.ts';
import type { PreparedLogo } from '../logo/index.ts';
import type { Look } from '../look/look.ts';
import { type Pixels, rasterise } from '../output/raster.ts';
import { canRasterise, rasteriseLayers } from '../output/rasteriser/index.ts';
import type { ModuleMatrix } from '../symbol/matrix.ts';
import { type Composition, compose, continuesInFrame, fillsPicture } from './composition.ts';

export interface Scene {
  payload: string;
  matrix: ModuleMatrix;
  look: Look;
  logo: PreparedLogo | undefined;
  /** Of the look's frame. */
  caption: Caption | undefined;
  /** Pixels. */
  width: number;
  height: number;
}

const imageOf = ({ look, logo }: Scene) => {
  if (!look.logo || !logo) return undefined;
  const { href, drawing, width, height } = logo;
  return { ...look.logo, href, drawing, width, height };
};

export const drawScene = (scene: Scene): Promise<Drawing> => {
  const { matrix, look, width, height } = scene;
  const background =
    fillsPicture(look, width, height) || continuesInFrame(look)
      ? { ...look.background, paint: 'transparent' as const }
      : look.background;
  const image = imageOf(scene);
  return draw(matrix, { ...look, background, ...(image && { image }) });
};

/** A look without the file of its logo, which is long and which the logo's id stands for. */
export const nameOf = ({ look, logo }: Scene): unknown[] => [
  logo?.id,
  { ...look, logo: { ...look.logo, image: '' } },
];

/** The same for the same picture, and another for any other: two codes in one page must not share ids. */
const idPrefixOf = (scene: Scene): string => {
  const { payload, matrix, width, height } = scene;
  const content = JSON.stringify([payload, matrix.size, matrix.level, width, height, ...nameOf(scene)]);
  return `q${createHash('sha1').update(content).digest('hex').slice(0, 10)}`;
};

/** A caption says what the code is for; nobody needs to hear what the pattern says. */
const titleOf = ({ frame }: Look): string =>
  frame && frame.text.trim() !== '' ? `QR code: ${frame.text.trim()}` : 'QR code';

export const composeScene = (drawing: Drawing, scene: Scene): Composition => {
  const { look, caption, width, height } = scene;
  const idPrefix = idPrefixOf(scene);
  return compose(drawing, look, { caption, width, height, idPrefix, title: titleOf(look) });
};

/** So many times as wide and high, in whole pixels. */
export const scaledSize = ({ width, height }: Pick<Scene, 'width' | 'height'>, scale: number) => ({
  width: Math.round(width * scale),
  height: Math.round(height * scale),
});

/** The same scene in another size. */
export const scaled = (scene: Scene, scale: number): Scene => ({ ...scene, ...scaledSize(scene, scale) });

/** Whether nothing is on the picture but a code that fills it, with no logo, and not too large. */
export const isBare = ({ layers }: Drawing, { look, width, height }: Scene): boolean =>
  !look.frame && width === height && canRasterise(layers, width);

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
