/** All stages in their order, without a pool: what a worker runs. */
import { LRUCache } from 'lru-cache';
import { marginMax, sizeMax, sizeMin } from '#schemas/api/style.ts';
import { ClientError } from '#shared/errors.ts';
import type { Caption } from './captions/index.ts';
import type { Drawing } from './drawing/drawing.ts';
import type { PreparedLogo } from './logo/index.ts';
import { captionColorFault, checkCaptionColor } from './look/caption-color.ts';
import type { FrameLook, Look } from './look/look.ts';
import { marginOf } from './look/quiet-zone.ts';
import { drawFlat, encodeFlatPng, flatColors, flatPixels } from './output/flat-png.ts';
import { encodePng } from './output/png.ts';
import { encodePicture, type Pixels, type RasterFormat } from './output/raster.ts';
import { type Evidence, gatherEvidence } from './proof/evidence.ts';
import { explainUnreadable, largestLogo } from './proof/unreadable.ts';
import { fillsPicture, proportionOf } from './scene/composition.ts';
import {
  composeScene,
  drawScene,
  isBare,
  nameOf,
  pixelsOf,
  type Scene,
  scaled,
  scaledSize,
} from './scene/scene.ts';
import {
  pictureSize,
  proofScale,
  proofSideMax,
  refuseTooSmall,
  type Size,
  sizeNeeded,
} from './scene/size.ts';
import { type CorrectionLevel, correctionLevels, encodeMatrix } from './symbol/matrix.ts';

export const pictureFormats = ['png', 'svg', 'webp', 'jpg', 'pdf'] as const;
export type PictureFormat = (typeof pictureFormats)[number];
type VectorFormat = Extract<PictureFormat, 'svg' | 'pdf'>;

export interface RenderRequest {
  /** The text that a scanner shows. */
  payload: string;
  /** A GS1 element string: the symbol begins with FNC1, and U+001D in the payload separates its elements. */
  fnc1?: boolean;
  look: Look;
  format: PictureFormat;
  /**
   * Pixels (points in a PDF), 64 to 4096. Where one is missing it follows from the other, as the frame's proportions are;
   * where both are, the picture is a square. What is not of these proportions lies in the middle.
   */
  width?: number | undefined;
  height?: number | undefined;
  /**
   * `picture` (default): this very picture is read before it is handed out. `style`: the first of each look, symbol size
   * and picture size is, for those that follow, unless it has a logo; for runs of thousands.
   */
  proof?: 'picture' | 'style';
  /**
   * What becomes of a picture that would be read if it were larger, or its logo smaller, or whose caption is hard to read.
   * Default: it is refused.
   */
  unreadable?: 'refuse' | 'draw';
}

/** A request as a thread gets it: with its logo prepared, so that no file of a stranger is read here. */
export interface RenderTask extends RenderRequest {
  logo?: PreparedLogo | undefined;
}

export interface Rendered {
  body: Buffer;
  contentType: string;
  /**
   * `yes`: this picture was read and says its payload, on white and, where it is transparent, on dark; `on white only`, `on dark only`:
   * there. `one of its kind`: another was, see {@link RenderRequest.proof}.
   * `no: too small`: it would be read in the size that is needed.
   */
  decoded: string;
  /** Of a picture that is too small to be read: the size that would do. */
  sizeNeeded?: Size;
  /** What is read, and yet is not good, in the words of the request's fields. */
  warnings: readonly string[];
  /** Set where it is drawn only because of {@link RenderRequest.unreadable}. */
  isRefusedByDefault?: true;
}

const checkRange = (field: string, value: number, min: number, max: number): void => {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw new ClientError('UNPROCESSABLE', `${field} must be a whole number from ${min} to ${max}`);
};

/** Fonts and their shaper are loaded when the first caption is to be set. */
const prepareCaption = async (frame: FrameLook): Promise<Caption | undefined> => {
  if (frame.text.trim() === '') return undefined;
  const { setCaption } = await import('./captions/index.ts');
  return setCaption(frame);
};

/** What may be refused before anything is drawn. */
const check = ({ look, logo, width, height, unreadable }: RenderTask): void => {
  if (width !== undefined) checkRange('width', width, sizeMin, sizeMax);
  if (height !== undefined) checkRange('height', height, sizeMin, sizeMax);
  checkRange('margin', look.margin, 0, marginMax);
  if (look.frame && unreadable !== 'draw') checkCaptionColor(look.frame);
  if (look.logo && !logo) throw new Error('the logo of the look has not been prepared');
};

/** @param level to correct errors with, in place of the look's */
const setScene = async (task: RenderTask, level: CorrectionLevel): Promise<Scene> => {
  const { payload, fnc1, logo } = task;
  const { version, mode, frame } = task.look;
  const matrix = encodeMatrix(payload, level, { version, mode, fnc1 });
  const look = { ...task.look, margin: marginOf(task.look, matrix.size) };
  const caption = frame && (await prepareCaption(frame));
  const proportion = proportionOf(look, caption, matrix.size + 2 * look.margin);
  return { payload, matrix, look, logo, caption, ...pictureSize(task, proportion) };
};

interface Picture {
  /** Set where the picture has too few pixels for its modules. */
  needed?: Size | undefined;
  /** The picture as a reader sees it. */
  pixels(): Pixels | Promise<Pixels>;
  encode(): Buffer | Promise<Buffer>;
}

const contentTypes: Record<PictureFormat, string> = {
  png: 'image/png',
  svg: 'image/svg+xml',
  webp: 'image/webp',
  jpg: 'image/jpeg',
  pdf: 'application/pdf',
};

/** Plain squares as a PNG need no drawing; undefined for all else. */
const makeFlat = ({ matrix, look, width, height }: Scene, format: PictureFormat): Picture | undefined => {
  const colors = format === 'png' ? flatColors(look) : undefined;
  const flat = colors && drawFlat(matrix, look.margin, colors, width, height);
  return flat && { pixels: () => flatPixels(flat), encode: () => encodeFlatPng(flat) };
};

const makeVectors = (scene: Scene, drawing: Drawing, format: VectorFormat): Picture => {
  const composition = composeScene(drawing, scene);
  const { file, width, height } = composition;
  const scale = proofScale(scene, composition, true);
  return {
    pixels: () => pixelsOf(drawing, scaled(scene, scale)),
    async encode() {
      if (format === 'svg') return Buffer.from(file());
      // A third of what a thread loads, and few pictures need it.
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

const makePixels = (scene: Scene, drawing: Drawing, format: RasterFormat): Picture => {
  const composition = composeScene(drawing, scene);
  const scale = proofScale(scene, composition, false);
  let pixels: Pixels | undefined;
  return {
    needed: sizeNeeded(scene, composition),
    async pixels() {
      if (scale !== 1) return pixelsOf(drawing, scaled(scene, scale));
      pixels = await pixelsOf(drawing, scene);
      return pixels;
    },
    async encode() {
      const opaque = isOpaque(scene);
      if (!isBare(drawing, scene)) return encodePicture(pixels ?? composition.svg(), format, { opaque });
      pixels ??= await pixelsOf(drawing, scene);
      return format === 'png' ? encodePng(pixels, { opaque }) : encodePicture(pixels, format, { opaque });
    },
  };
};

const isVector = (format: PictureFormat): format is VectorFormat => format === 'svg' || format === 'pdf';

const makePicture = async (scene: Scene, format: PictureFormat): Promise<Picture> => {
  const flat = makeFlat(scene, format);
  if (flat) return flat;
  const drawing = await drawScene(scene);
  return isVector(format) ? makeVectors(scene, drawing, format) : makePixels(scene, drawing, format);
};

/** What pictures have in common that are read alike. */
const kindOf = (scene: Scene, format: PictureFormat): string => {
  const { matrix, width, height } = scene;
  return JSON.stringify([matrix.size, matrix.level, width, height, format, ...nameOf(scene)]);
};

/** What came of the kinds of which a picture was read. */
const readKinds = new LRUCache<string, Evidence>({ max: 5_000 });

/** What a picture says of itself that is handed out although nothing reads it. */
const tooSmall = 'no: too small';

const ofItsKind = 'one of its kind';

/** @returns undefined when nothing reads it. @throws {ClientError} UNPROCESSABLE for a picture that is too small, unless it is drawn all the same */
const prove = async (scene: Scene, picture: Picture, task: RenderTask): Promise<Evidence | undefined> => {
  const { format, proof } = task;
  if (picture.needed && task.unreadable !== 'draw') refuseTooSmall(scene, picture.needed);
  if (picture.needed) return undefined;
  const kind = kindOf(scene, format);
  // What a logo hides differs from payload to payload.
  const known = proof === 'style' && !scene.logo ? readKinds.get(kind) : undefined;
  if (known)
    return { ...known, decoded: known.decoded === 'yes' ? ofItsKind : `${ofItsKind}, ${known.decoded}` };
  const evidence = await gatherEvidence(scene, await picture.pixels(), { fillsWhite: format === 'jpg' });
  if (evidence) readKinds.set(kind, evidence);
  return evidence;
};

type Proof = Evidence & Pick<Rendered, 'sizeNeeded'>;

/** Makes a picture larger until it is read. @param from undefined: twice as large as it is */
const proveLarger = async (
  scene: Scene,
  format: PictureFormat,
  from: Size = scaledSize(scene, 2),
): Promise<Proof | undefined> => {
  for (let size = from; Math.max(size.width, size.height) <= proofSideMax; size = scaledSize(size, 2)) {
    const larger = { ...scene, ...size };
    const pixels = await pixelsOf(await drawScene(larger), larger);
    const evidence = await gatherEvidence(larger, pixels, { fillsWhite: format === 'jpg' });
    if (evidence) return { ...evidence, decoded: tooSmall, sizeNeeded: size };
  }
  return undefined;
};

/** The level that was asked for and, where a logo hides modules, those that give back more. */
const levelsFrom = ({ level, logo }: Look): readonly CorrectionLevel[] =>
  logo ? correctionLevels.slice(correctionLevels.indexOf(level)) : [level];

/** As {@link setScene}; undefined when what is more than was asked for does not fit. */
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

const handOut = async ({ picture }: Attempt, format: PictureFormat, proof: Proof): Promise<Rendered> => ({
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
 * A logo of a size that nobody asked for is drawn as large as it can be read; so is any where a picture is better than none: the
 * same look hides more of one symbol than of another.
 */
const renderSmallerLogo = async ({ scene }: Attempt, task: RenderTask): Promise<Rendered | undefined> => {
  const { logo } = task.look;
  if (!logo || (logo.isSizeGiven && task.unreadable !== 'draw')) return undefined;
  const size = await largestLogo(scene, isVector(task.format));
  if (size === undefined) return undefined;
  const rendered = await draw({ ...task, look: { ...task.look, logo: { ...logo, size } } });
  if (!logo.isSizeGiven) return rendered;
  const warning = `imageOptions.imageSize ${logo.size} hides too much of this code: its logo has ${size}`;
  return tolerated(rendered, warning);
};

/** What becomes of a picture that is read at no level. */
const handOutUnreadable = async (attempts: readonly Attempt[], task: RenderTask): Promise<Rendered> => {
  const { format } = task;
  const last = attempts.at(-1)!;
  const smaller = last.picture.needed ? undefined : await renderSmallerLogo(last, task);
  if (smaller) return smaller;
  for (const attempt of task.unreadable === 'draw' && !isVector(format) ? attempts : []) {
    const proof = await proveLarger(attempt.scene, format, attempt.picture.needed);
    if (proof) return handOut(attempt, format, proof);
  }
  throw new ClientError('UNPROCESSABLE', await explainUnreadable(last.scene, isVector(format)));
};

const draw = async (task: RenderTask): Promise<Rendered> => {
  const { format, look } = task;
  const attempts: Attempt[] = [];
  for (const level of levelsFrom(look)) {
    const scene = await setSceneIfItFits(task, level);
    if (!scene) break;
    const attempt = { scene, picture: await makePicture(scene, format) };
    const evidence = await prove(scene, attempt.picture, task);
    if (evidence) return handOut(attempt, format, evidence);
    attempts.push(attempt);
  }
  return handOutUnreadable(attempts, task);
};

/** @throws {ClientError} UNPROCESSABLE naming what cannot be drawn, or what keeps readers from reading it */
export const render = async (task: RenderTask): Promise<Rendered> => {
  check(task);
  const rendered = await draw(task);
  const { frame } = task.look;
  // Of a code that is printed already: it was saved before captions were held against their ground.
  const fault = frame && captionColorFault(frame);
  return fault === undefined ? rendered : tolerated(rendered, fault);
};
