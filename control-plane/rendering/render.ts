/**
 * All stages in order, without a pool: the work of one thread. A request is checked, its scene is set and turned into a
 * picture, and the picture is handed out with its proof. If no reader reads it, a higher level of error correction is
 * tried, then a smaller logo, then a larger size.
 */
import { errorCorrectionLevels } from '#schemas/api/style.ts';
import { ClientError } from '#shared/errors.ts';
import { captionColorFault } from './look/caption-color.ts';
import type { Look } from './look/look.ts';
import { contentTypes, makePicture, type Picture } from './picture.ts';
import { enlargedProof } from './proof/enlarged-proof.ts';
import type { Proof } from './proof/proof.ts';
import { roundLogoSize, smallerLogo } from './proof/smaller-logo.ts';
import { explainUnreadable, largestLogo } from './proof/unreadable.ts';
import { proveByKind } from './proofs-by-kind.ts';
import { checkTask, isVectorFormat, type PictureFormat, type Rendered, type RenderTask } from './request.ts';
import type { Scene, Size } from './scene/scene.ts';
import { setScene } from './scene/set-scene.ts';
import type { CorrectionLevel } from './symbol/matrix.ts';

/** The requested level and, if a logo hides modules, the levels that restore more. */
const levelsFrom = ({ level, logo }: Look): readonly CorrectionLevel[] =>
  logo ? errorCorrectionLevels.slice(errorCorrectionLevels.indexOf(level)) : [level];

/** Like {@link setScene}; undefined if the payload does not fit at a level above the requested one. */
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

/** Whether the symbol of a higher level has too many modules for the picture, while the requested level's fits. */
const isOutgrown = ({ picture }: Attempt, [first]: readonly Attempt[]): boolean =>
  first !== undefined && picture.needed !== undefined && first.picture.needed === undefined;

/** Attempts at the levels that the look allows, up to the first that is read. */
const attemptLevels = async (
  task: RenderTask,
): Promise<{ read?: Rendered; attempts: readonly Attempt[] }> => {
  const { format, look } = task;
  const attempts: Attempt[] = [];
  for (const level of levelsFrom(look)) {
    const scene = await setSceneIfItFits(task, level);
    if (!scene) break;
    const attempt = { scene, picture: await makePicture(scene, format) };
    if (isOutgrown(attempt, attempts)) break;
    const proof = await proveByKind(scene, attempt.picture, task);
    attempts.push(attempt);
    if (proof) return { read: await handOut(attempt, format, proof), attempts };
  }
  return { attempts };
};

/**
 * Hands out a picture that would be read if it were larger; undefined if a larger one would not be read, or it must not
 * be drawn.
 */
const drawTooSmall = async (
  attempts: readonly Attempt[],
  { format, unreadable }: RenderTask,
): Promise<Rendered | undefined> => {
  if (unreadable !== 'draw' || isVectorFormat(format)) return undefined;
  for (const attempt of attempts) {
    const { scene, picture } = attempt;
    const proof = await enlargedProof(scene, { fillsWhite: format === 'jpg' }, picture.needed);
    if (proof) return handOut(attempt, format, proof);
  }
  return undefined;
};

/** If a picture is not read with its code's largest logo, these shares of that size are tried. */
const lesserShares = [1, 0.9, 0.75, 0.5] as const;

/**
 * Draws a logo as large as it is readable, at the highest level: the same look hides more of one symbol than of
 * another. If its size was given, a warning says so. The attempts are few: an untrusted picture may be unreadable with
 * any logo.
 */
const drawSmallerLogo = async ({ scene }: Attempt, task: RenderTask): Promise<Rendered | undefined> => {
  const { logo } = task.look;
  const largest = logo && (await largestLogo(scene));
  if (!largest) return undefined;
  const withLogo = (size: number): RenderTask => ({
    ...task,
    look: { ...task.look, level: scene.matrix.level, logo: { ...logo, size } },
  });
  const withWarning = (rendered: Rendered, size: number): Rendered =>
    logo.isSizeGiven
      ? { ...rendered, warnings: [...rendered.warnings, smallerLogo(logo.size, size)] }
      : rendered;
  let tooSmall: Rendered | undefined;
  for (const size of lesserShares.map((share) => roundLogoSize(largest * share))) {
    const { read, attempts } = await attemptLevels(withLogo(size));
    if (read) return withWarning(read, size);
    tooSmall ??= await drawTooSmall(attempts, withLogo(size));
    // With too few pixels no logo is small enough.
    if (attempts[0]!.picture.needed) break;
  }
  return tooSmall && withWarning(tooSmall, largest);
};

const draw = async (task: RenderTask): Promise<Rendered> => {
  const { read, attempts } = await attemptLevels(task);
  if (read) return read;
  const last = attempts.at(-1)!;
  const larger = () => drawTooSmall(attempts, task);
  const smaller = () => drawSmallerLogo(last, task);
  // A picture with too few pixels may be read with its whole logo once it is larger.
  for (const next of last.picture.needed ? [larger, smaller] : [smaller, larger]) {
    const rendered = await next();
    if (rendered) return rendered;
  }
  throw new ClientError('UNPROCESSABLE', await explainUnreadable(last.scene, isVectorFormat(task.format)));
};

/**
 * @throws {ClientError} UNPROCESSABLE naming the part that cannot be drawn, or the reason why no reader reads the
 * picture
 */
export const render = async (task: RenderTask): Promise<Rendered> => {
  checkTask(task);
  const rendered = await draw(task);
  const { frame } = task.look;
  // The fault of an already printed code, which was saved without this check.
  const fault = frame && captionColorFault(frame);
  return fault === undefined ? rendered : tolerated(rendered, fault);
};
