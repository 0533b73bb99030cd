/** The proof of a picture: a reader reads it, on every paper and at every size that its look requires. */

import { type Paper, weakColors } from '../look/contrast.ts';
import type { Pixels } from '../output/raster.ts';
import { compose } from '../scene/composition.ts';
import { type Scene, scaled } from '../scene/scene.ts';
import { drawScene, pixelsOf } from '../scene/scene-pixels.ts';
import { modulePixels, proofScale } from '../scene/size.ts';
import { proofModulePixels, weakModulePixels } from '../symbol/module-pixels.ts';
import { isRead } from './reader.ts';

const white: Paper = { name: 'white', color: '#ffffff' };
const dark: Paper = { name: 'dark', color: '#000000' };

const greyOf = ({ name }: Paper): number => (name === 'white' ? 255 : 0);

/** Whether the paper is visible around the code or behind its modules. */
const showsPaper = ({ background, frame }: Scene['look']): boolean =>
  (!frame || frame.background === 'transparent') &&
  (background.paint === 'transparent' || background.round > 0);

/** @param fillsWhite whether the format has white instead of transparency */
const papersOf = ({ look }: Scene, fillsWhite: boolean): readonly Paper[] =>
  showsPaper(look) && !fillsWhite ? [white, dark] : [white];

/** The pixels of a scene at the size of its proof. @param isVector whether the picture has no pixels of its own */
const proofPixels = async (scene: Scene, isVector: boolean): Promise<Pixels> => {
  const drawing = await drawScene(scene);
  return pixelsOf(drawing, scaled(scene, proofScale(scene, compose(drawing, scene), isVector)));
};

/** The pixels of a scene at requested sizes, in pixels per module. Each size is drawn once. */
const createSizes = (scene: Scene): ((modulePx: number) => Promise<Pixels>) => {
  const known = new Map<number, Promise<Pixels>>();
  let drawing: ReturnType<typeof drawScene> | undefined;
  const pixelsAt = async (modulePx: number): Promise<Pixels> => {
    drawing ??= drawScene(scene);
    const drawn = await drawing;
    return pixelsOf(drawn, scaled(scene, modulePx / modulePixels(scene, compose(drawn, scene))));
  };
  return (modulePx) => known.get(modulePx) ?? known.set(modulePx, pixelsAt(modulePx)).get(modulePx)!;
};

type ReadsOn = (paper: Paper) => Promise<boolean>;

/**
 * On paper on which its colours are weak, a scene must be read at all sizes. @param pixels of the picture as a reader
 * sees it
 */
const createReader = (scene: Scene, pixels: Pixels, inSize = createSizes(scene)): ReadsOn => {
  const isReadInAllSizes = async (paper: Paper): Promise<boolean> => {
    for (const modulePx of weakModulePixels)
      if (!(await isRead(await inSize(modulePx), scene.payload, greyOf(paper)))) return false;
    return true;
  };
  return async (paper) =>
    (await isRead(pixels, scene.payload, greyOf(paper))) &&
    (weakColors(scene.look, paper).length === 0 || isReadInAllSizes(paper));
};

export interface Proof {
  /** `yes`: on any paper. `on white only`, `on dark only`: on that paper, if the picture is transparent. */
  decoded: string;
  /** Faults of a picture that is read nevertheless. */
  warnings: readonly string[];
}

/**
 * @param pixels of the picture as a reader sees it
 * @returns undefined if no reader reads it
 */
export const proofOf = async (
  scene: Scene,
  pixels: Pixels,
  { fillsWhite }: { fillsWhite: boolean },
): Promise<Proof | undefined> => {
  const papers = papersOf(scene, fillsWhite);
  const readsOn = createReader(scene, pixels);
  const readOn: Paper[] = [];
  for (const paper of papers) if (await readsOn(paper)) readOn.push(paper);
  const [first] = readOn;
  if (!first) return undefined;
  return {
    decoded: readOn.length === papers.length ? 'yes' : `on ${first.name} only`,
    warnings: weakColors(scene.look, first),
  };
};

const isReadOnSome = async (scene: Scene, readsOn: ReadsOn): Promise<boolean> => {
  for (const paper of papersOf(scene, false)) if (await readsOn(paper)) return true;
  return false;
};

/** Whether a scene is read on some paper, at one size of its modules, whatever the size of the picture. */
export const isReadableAsProof = async (scene: Scene): Promise<boolean> => {
  const inSize = createSizes(scene);
  return isReadOnSome(scene, createReader(scene, await inSize(proofModulePixels), inSize));
};

/**
 * Whether a scene is read on some paper, at the size of its proof. @param isVector whether the picture has no pixels of
 * its own
 */
export const isReadable = async (scene: Scene, isVector: boolean): Promise<boolean> =>
  isReadOnSome(scene, createReader(scene, await proofPixels(scene, isVector)));
