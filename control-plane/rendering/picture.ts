/** A scene in a format: its file, and its pixels for the reader. */

import type { Drawing } from './drawing/drawing.ts';
import { drawPlain, encodePlainPng, plainColors, plainPixels } from './output/plain-png.ts';
import { encodePng } from './output/png.ts';
import { encodePicture, type Pixels, type RasterFormat } from './output/raster.ts';
import { isVectorFormat, type PictureFormat, type VectorFormat } from './request.ts';
import { compose, fillsPicture } from './scene/composition.ts';
import { type Scene, type Size, scaled } from './scene/scene.ts';
import { drawScene, isCodeAlone, pixelsOf } from './scene/scene-pixels.ts';
import { proofScale, sizeNeeded } from './scene/size.ts';

export interface Picture {
  /** Set if the picture has too few pixels for its modules. */
  needed?: Size | undefined;
  /** The picture as a reader sees it. */
  pixels(): Pixels | Promise<Pixels>;
  encode(): Buffer | Promise<Buffer>;
}

export const contentTypes: Record<PictureFormat, string> = {
  png: 'image/png',
  svg: 'image/svg+xml',
  webp: 'image/webp',
  jpg: 'image/jpeg',
  pdf: 'application/pdf',
};

/** A PNG of plain squares needs no drawing; undefined for any other picture. */
const makePlain = ({ matrix, look, width, height }: Scene, format: PictureFormat): Picture | undefined => {
  const colors = format === 'png' ? plainColors(look) : undefined;
  const plain = colors && drawPlain(matrix, look.margin, colors, width, height);
  return plain && { pixels: () => plainPixels(plain), encode: () => encodePlainPng(plain) };
};

const makeVectors = (scene: Scene, drawing: Drawing, format: VectorFormat): Picture => {
  const composition = compose(drawing, scene);
  const { file, width, height } = composition;
  const scale = proofScale(scene, composition, true);
  return {
    pixels: () => pixelsOf(drawing, scaled(scene, scale)),
    async encode() {
      if (format === 'svg') return Buffer.from(file());
      // A third of the modules that a thread loads, and few pictures need it.
      const { toPdf } = await import('./output/pdf.ts');
      return toPdf(file(), width, height);
    },
  };
};

/** Whether the background covers every pixel. */
const isOpaque = ({ look, width, height }: Scene): boolean =>
  look.background.paint !== 'transparent' &&
  look.background.round === 0 &&
  !look.frame &&
  (width === height || fillsPicture(look, width, height));

const makeRaster = (scene: Scene, drawing: Drawing, format: RasterFormat): Picture => {
  const composition = compose(drawing, scene);
  const scale = proofScale(scene, composition, false);
  let own: Pixels | undefined;
  return {
    needed: sizeNeeded(scene, composition),
    async pixels() {
      if (scale !== 1) return pixelsOf(drawing, scaled(scene, scale));
      own = await pixelsOf(drawing, scene);
      return own;
    },
    async encode() {
      const opaque = isOpaque(scene);
      if (!isCodeAlone(drawing, scene)) return encodePicture(own ?? composition.svg(), format, { opaque });
      const pixels = own ?? (await pixelsOf(drawing, scene));
      if (format !== 'png') return encodePicture(pixels, format, { opaque });
      own = undefined;
      return encodePng(pixels, { opaque });
    },
  };
};

export const makePicture = async (scene: Scene, format: PictureFormat): Promise<Picture> => {
  const plain = makePlain(scene, format);
  if (plain) return plain;
  const drawing = await drawScene(scene);
  return isVectorFormat(format) ? makeVectors(scene, drawing, format) : makeRaster(scene, drawing, format);
};
