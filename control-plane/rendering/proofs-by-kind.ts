/** The proof of a picture before it is handed out: its own, or that of another picture of its kind. */
import { LRUCache } from 'lru-cache';
import type { Picture } from './picture.ts';
import { type Proof, proofOf } from './proof/proof.ts';
import type { PictureFormat, RenderTask } from './request.ts';
import { lookKey, type Scene } from './scene/scene.ts';
import { refuseTooSmall } from './scene/size.ts';

/** Everything that pictures of one kind have in common. */
const kindOf = (scene: Scene, format: PictureFormat): string => {
  const { matrix, width, height } = scene;
  return JSON.stringify([matrix.size, matrix.level, width, height, format, ...lookKey(scene)]);
};

/** The proofs of kinds, each from one picture that was read. */
const knownProofs = new LRUCache<string, Proof>({ max: 5_000 });

const ofItsKind = 'one of its kind';

/** @returns undefined when no reader reads it @throws {ClientError} UNPROCESSABLE for a picture that is too small and not to be drawn */
export const proveByKind = async (
  scene: Scene,
  picture: Picture,
  task: RenderTask,
): Promise<Proof | undefined> => {
  const { format, proof: proofExtent } = task;
  if (picture.needed && task.unreadable !== 'draw') refuseTooSmall(scene, picture.needed);
  if (picture.needed) return undefined;
  const kind = kindOf(scene, format);
  // The modules that a logo hides differ from payload to payload.
  const known = proofExtent === 'style' && !scene.logo ? knownProofs.get(kind) : undefined;
  if (known)
    return { ...known, decoded: known.decoded === 'yes' ? ofItsKind : `${ofItsKind}, ${known.decoded}` };
  const proof = await proofOf(scene, await picture.pixels(), { fillsWhite: format === 'jpg' });
  if (proof) knownProofs.set(kind, proof);
  return proof;
};
