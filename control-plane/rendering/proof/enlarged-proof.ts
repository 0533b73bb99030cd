/** The proof of a picture that is too small to be read: it is enlarged until it is read. */
import type { Pixels } from '../output/raster.ts';
import { type Scene, type Size, scaledSize } from '../scene/scene.ts';
import { drawScene, pixelsOf } from '../scene/scene-pixels.ts';
import { proofSideMax } from '../scene/size.ts';
import { type Proof, proofOf } from './proof.ts';

export interface EnlargedProof extends Proof {
  /** The size at which the picture is read. */
  sizeNeeded: Size;
}

/** The result for a picture that is handed out although no reader reads it. */
const tooSmall = 'no: too small';

const pixelsIn = async (scene: Scene): Promise<Pixels> => pixelsOf(await drawScene(scene), scene);

/**
 * @param from the first size to try; by default twice the scene's
 * @returns undefined if no size up to {@link proofSideMax} is read
 */
export const enlargedProof = async (
  scene: Scene,
  { fillsWhite }: { fillsWhite: boolean },
  from: Size = scaledSize(scene, 2),
): Promise<EnlargedProof | undefined> => {
  for (let size = from; Math.max(size.width, size.height) <= proofSideMax; size = scaledSize(size, 2)) {
    const larger = { ...scene, ...size };
    const proof = await proofOf(larger, await pixelsIn(larger), { fillsWhite });
    if (proof) return { ...proof, decoded: tooSmall, sizeNeeded: size };
  }
  return undefined;
};
