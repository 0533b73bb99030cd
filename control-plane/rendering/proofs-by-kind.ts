/** The proof of a picture before it is handed out: its own, or another picture's of its kind. */
import { LRUCache } from 'lru-cache';
import type { Picture } from './picture.ts';
import { type Proof, proofOf } from './proof/proof.ts';
import { createTallies } from './proof/tally.ts';
import type { PictureFormat, RenderTask } from './request.ts';
import { lookKey, type Scene } from './scene/scene.ts';
import { refuseTooSmall } from './scene/size.ts';

/** Everything that pictures of one kind have in common. */
const kindOf = (scene: Scene, format: PictureFormat): string => {
  const { matrix, width, height } = scene;
  return JSON.stringify([matrix.size, matrix.level, width, height, format, ...lookKey(scene)]);
};

/** The proofs of kinds, each from the last picture that had to be read. */
const knownProofs = new LRUCache<string, Proof>({ max: 5_000 });
/** Of kinds with a logo. */
const tallies = createTallies();

const ofItsKind = 'one of its kind';

/** Whether the kind needs no further proofs for now. A single picture may be drawn again and again. */
const holds = (kind: string, { logo, payload }: Scene, { proof: extent }: RenderTask): boolean =>
  !logo || (extent === 'style' && tallies.read(kind, payload));

/**
 * @returns undefined if no reader reads it @throws {ClientError} UNPROCESSABLE if the picture is too small and must not
 * be drawn
 */
export const proveByKind = async (
  scene: Scene,
  picture: Picture,
  task: RenderTask,
): Promise<Proof | undefined> => {
  const { format, proof: proofExtent } = task;
  if (picture.needed && task.unreadable !== 'draw') refuseTooSmall(scene, picture.needed);
  if (picture.needed) return undefined;
  const kind = kindOf(scene, format);
  const known = proofExtent === 'style' ? knownProofs.get(kind) : undefined;
  if (known)
    return { ...known, decoded: known.decoded === 'yes' ? ofItsKind : `${ofItsKind}, ${known.decoded}` };
  const proof = await proofOf(scene, await picture.pixels(), { fillsWhite: format === 'jpg' });
  if (!proof) {
    knownProofs.delete(kind);
    tallies.refused(kind);
  } else if (holds(kind, scene, task)) knownProofs.set(kind, proof);
  return proof;
};
