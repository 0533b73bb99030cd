/** The proof of a picture: a reader reads it, on every paper and in every size that its look calls for. */
import { type Paper, weakColors } from '../look/contrast.ts';
import type { Pixels } from '../output/raster.ts';
import { compose } from '../scene/composition.ts';
import { type Scene, scaled } from '../scene/scene.ts';
import { drawScene, pixelsOf } from '../scene/scene-pixels.ts';
import { modulePixels, proofScale } from '../scene/size.ts';
import { weakModulePixels } from '../symbol/module-pixels.ts';
import { isRead } from './reader.ts';

const white: Paper = { name: 'white', color: '#ffffff' };
const dark: Paper = { name: 'dark', color: '#000000' };

const greyOf = ({ name }: Paper): number => (name === 'white' ? 255 : 0);

/** Whether the paper is seen beside the code or behind its modules. */
const showsPaper = ({ background, frame }: Scene['look']): boolean =>
  (!frame || frame.background === 'transparent') &&
  (background.paint === 'transparent' || background.round > 0);

/** @param fillsWhite whether the format has no transparency, and is white in its place */
const papersOf = ({ look }: Scene, fillsWhite: boolean): readonly Paper[] =>
  showsPaper(look) && !fillsWhite ? [white, dark] : [white];

/** The pixels of a scene in the size of its proof. @param isVector whether the picture has no pixels of its own */
const proofPixels = async (scene: Scene, isVector: boolean): Promise<Pixels> => {
  const drawing = await drawScene(scene);
  return pixelsOf(drawing, scaled(scene, proofScale(scene, compose(drawing, scene), isVector)));
};

/** @param modulePx pixels along a module */
const pixelsAt = async (scene: Scene, modulePx: number): Promise<Pixels> => {
  const drawing = await drawScene(scene);
  return pixelsOf(drawing, scaled(scene, modulePx / modulePixels(scene, compose(drawing, scene))));
};

const isReadInAllSizes = async (scene: Scene, paper: Paper): Promise<boolean> => {
  for (const modulePx of weakModulePixels)
    if (!(await isRead(await pixelsAt(scene, modulePx), scene.payload, greyOf(paper)))) return false;
  return true;
};

export interface Proof {
  /** `yes`: on any paper. `on white only`, `on dark only`: on that paper, where the picture is transparent. */
  decoded: string;
  /** Faults of a picture that is read all the same. */
  warnings: readonly string[];
}

/**
 * @param pixels of the picture as a reader sees it
 * @returns undefined when no reader reads it
 */
export const proofOf = async (
  scene: Scene,
  pixels: Pixels,
  { fillsWhite }: { fillsWhite: boolean },
): Promise<Proof | undefined> => {
  const papers = papersOf(scene, fillsWhite);
  const readOn: Paper[] = [];
  for (const paper of papers) {
    if (!(await isRead(pixels, scene.payload, greyOf(paper)))) continue;
    const isGood = weakColors(scene.look, paper).length === 0;
    if (isGood || (await isReadInAllSizes(scene, paper))) readOn.push(paper);
  }
  const [first] = readOn;
  if (!first) return undefined;
  return {
    decoded: readOn.length === papers.length ? 'yes' : `on ${first.name} only`,
    warnings: weakColors(scene.look, first),
  };
};

/** Whether a scene is read on some paper, in the size of its proof. @param isVector whether the picture has no pixels of its own */
export const isReadable = async (scene: Scene, isVector: boolean): Promise<boolean> =>
  (await proofOf(scene, await proofPixels(scene, isVector), { fillsWhite: false })) !== undefined;
