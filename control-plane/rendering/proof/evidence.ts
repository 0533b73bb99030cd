/** What is looked at before a picture is handed out: on which paper, in which sizes; and what came of it. */
import { type Paper, weakColors } from '../look/contrast.ts';
import type { Pixels } from '../output/raster.ts';
import { composeScene, drawScene, pixelsOf, type Scene, scaled } from '../scene/scene.ts';
import { modulePixels, proofScale } from '../scene/size.ts';
import { isRead } from './proof.ts';

const white: Paper = { name: 'white', color: '#ffffff' };
const dark: Paper = { name: 'dark', color: '#000000' };

const greyOf = ({ name }: Paper): number => (name === 'white' ? 255 : 0);

/** Whether what lies behind the picture is next to the code, or behind its modules. */
const showsPaper = ({ background, frame }: Scene['look']): boolean =>
  (!frame || frame.background === 'transparent') &&
  (background.paint === 'transparent' || background.round > 0);

/** @param fillsWhite whether the format has no transparency, and is white instead */
const papersOf = ({ look }: Scene, fillsWhite: boolean): readonly Paper[] =>
  showsPaper(look) && !fillsWhite ? [white, dark] : [white];

/** Pixels along a module of the pictures in which weak colours must be read: from far away, as usual, from near by. */
const weakModulePixels = [3, 5, 8] as const;

/** The pixels of a scene as large as the proof needs it. @param scales whether the picture has no pixels of its own */
export const proofPixels = async (scene: Scene, scales: boolean): Promise<Pixels> => {
  const drawing = await drawScene(scene);
  return pixelsOf(drawing, scaled(scene, proofScale(scene, composeScene(drawing, scene), scales)));
};

/** @param modulePx pixels along a module */
const pixelsAt = async (scene: Scene, modulePx: number): Promise<Pixels> => {
  const drawing = await drawScene(scene);
  return pixelsOf(drawing, scaled(scene, modulePx / modulePixels(scene, composeScene(drawing, scene))));
};

const isReadInAllSizes = async (scene: Scene, paper: Paper): Promise<boolean> => {
  for (const modulePx of weakModulePixels)
    if (!(await isRead(await pixelsAt(scene, modulePx), scene.payload, greyOf(paper)))) return false;
  return true;
};

export interface Evidence {
  /** `yes`: wherever the picture may lie. `on white only`, `on dark only`: where it is transparent, the paper decides. */
  decoded: string;
  /** What is read, and yet is not good. */
  warnings: readonly string[];
}

/**
 * @param pixels of the picture as a reader sees it
 * @returns undefined when nothing reads it
 */
export const gatherEvidence = async (
  scene: Scene,
  pixels: Pixels,
  { fillsWhite }: { fillsWhite: boolean },
): Promise<Evidence | undefined> => {
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

/** Whether a scene is read somewhere, in the size that its proof has. */
export const isReadable = async (scene: Scene, scales = true): Promise<boolean> =>
  (await gatherEvidence(scene, await proofPixels(scene, scales), { fillsWhite: false })) !== undefined;
