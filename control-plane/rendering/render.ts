/**
 * All stages in their order, without a pool: the work of one thread. A request is checked, its scene is set and made a picture, and the
 * picture is handed out with its proof. Where no reader reads it, a higher level of error correction is tried, then a
 * smaller logo, then a larger size.
 */
import { errorCorrectionLevels } from '#schemas/api/style.ts';
import { ClientError } from '#shared/errors.ts';
import { captionColorFault } from './look/caption-color.ts';
import type { Look } from './look/look.ts';
import { contentTypes, makePicture, type Picture } from './picture.ts';
import { enlargedProof } from './proof/enlarged-proof.ts';
import type { Proof } from './proof/proof.ts';
import { explainUnreadable, largestLogo } from './proof/unreadable.ts';
import { proveByKind } from './proofs-by-kind.ts';
import { checkTask, isVectorFormat, type PictureFormat, type Rendered, type RenderTask } from './request.ts';
import type { Scene, Size } from './scene/scene.ts';
import { setScene } from './scene/set-scene.ts';
import type { CorrectionLevel } from './symbol/matrix.ts';

/** The level that was asked for and, where a logo hides modules, the levels that restore more. */
const levelsFrom = ({ level, logo }: Look): readonly CorrectionLevel[] =>
  logo ? errorCorrectionLevels.slice(errorCorrectionLevels.indexOf(level)) : [level];

/** As {@link setScene}; undefined when the payload does not fit at a higher level than the one that was asked for. */
const setSceneIfItFits = async (task: RenderTask, level: CorrectionLevel): Promise<Scene | undefined> => {
  try {
    return await setScene(task, level);
  } catch (error) {
    if (error instanceof ClientError && level !== task.look.level) return undefined;
    throw error;
  }
};

interface Attempt {
  scene: Scene;
  picture: Picture;
}

const handOut = async (
  { picture }: Attempt,
  format: PictureFormat,
  proof: Proof & { sizeNeeded?: Size },
): Promise<Rendered> => ({
  body: await picture.encode(),
  contentType: contentTypes[format],
  ...proof,
});

const tolerated = (rendered: Rendered, warning: string): Rendered => ({
  ...rendered,
  warnings: [...rendered.warnings, warning],
  isRefusedByDefault: true,
});

/**
 * Draws a logo as large as it can be read, if its size was not given, or if a picture is better than none: the same look hides
 * more of one symbol than of another.
 */
const renderSmallerLogo = async ({ scene }: Attempt, task: RenderTask): Promise<Rendered | undefined> => {
  const { logo } = task.look;
  if (!logo || (logo.isSizeGiven && task.unreadable !== 'draw')) return undefined;
  const size = await largestLogo(scene, isVectorFormat(task.format));
  if (size === undefined) return undefined;
  const rendered = await draw({ ...task, look: { ...task.look, logo: { ...logo, size } } });
  if (!logo.isSizeGiven) return rendered;
  const warning = `imageOptions.imageSize ${logo.size} hides too much of this code: its logo has ${size}`;
  return tolerated(rendered, warning);
};

/** Hands out the next best of a picture that is read at no level, or refuses it with the reason. */
const handOutUnreadable = async (attempts: readonly Attempt[], task: RenderTask): Promise<Rendered> => {
  const { format } = task;
  const isVector = isVectorFormat(format);
  const last = attempts.at(-1)!;
  const smaller = last.picture.needed ? undefined : await renderSmallerLogo(last, task);
  if (smaller) return smaller;
  for (const attempt of task.unreadable === 'draw' && !isVector ? attempts : []) {
    const { scene, picture } = attempt;
    const proof = await enlargedProof(scene, { fillsWhite: format === 'jpg' }, picture.needed);
    if (proof) return handOut(attempt, format, proof);
  }
  throw new ClientError('UNPROCESSABLE', await explainUnreadable(last.scene, isVector));
};

const draw = async (task: RenderTask): Promise<Rendered> => {
  const { format, look } = task;
  const attempts: Attempt[] = [];
  for (const level of levelsFrom(look)) {
    const scene = await setSceneIfItFits(task, level);
    if (!scene) break;
    const attempt = { scene, picture: await makePicture(scene, format) };
    const proof = await proveByKind(scene, attempt.picture, task);
    if (proof) return handOut(attempt, format, proof);
    attempts.push(attempt);
  }
  return handOutUnreadable(attempts, task);
};

/** @throws {ClientError} UNPROCESSABLE naming the part that cannot be drawn, or the cause for which no reader reads the picture */
export const render = async (task: RenderTask): Promise<Rendered> => {
  checkTask(task);
  const rendered = await draw(task);
  const { frame } = task.look;
  // The fault of a code that is printed already, which was saved without this check.
  const fault = frame && captionColorFault(frame);
  return fault === undefined ? rendered : tolerated(rendered, fault);
};
