/**
 * The faces of a caption. It is set in a single face: the requested one, or the first one below that has all of its
 * characters. If no face has them all, each run of one script takes the first face that has the run. Emoji are pictures
 * and have their own face next to the text's.
 */
import { ClientError } from '#shared/errors.ts';
import type { FrameLook } from '../look/look.ts';
import { type Face, fontOf, promises } from './font-files.ts';

type FontName = FrameLook['font'];

const chosen: Record<FontName, Face> = {
  sans: { family: 'inter', weight: 700, variable: false },
  serif: { family: 'playfair-display', weight: 700, variable: false },
  mono: { family: 'jetbrains-mono', weight: 700, variable: false },
  display: { family: 'bebas-neue', weight: 400, variable: false },
  rounded: { family: 'nunito', weight: 800, variable: false },
};

/** The weight of substitute faces. Bebas Neue has a single weight, which looks as bold as 700. */
const weightBeside = (name: FontName): number => Math.max(700, chosen[name].weight);

const noto = (name: string, weight: number): Face => ({ family: `noto-${name}`, weight, variable: true });

/**
 * The East Asian faces. Han characters take the forms of the caption's language, if its script reveals the language.
 */
const eastAsian = (text: string): string[] => {
  const all = ['sans-sc', 'sans-tc', 'sans-jp', 'sans-kr'];
  const first = /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)
    ? 'sans-jp'
    : /\p{Script=Hangul}/u.test(text)
      ? 'sans-kr'
      : 'sans-sc';
  return [first, ...all.filter((each) => each !== first)];
};

/** In order of preference. */
const facesFor = (text: string, name: FontName): Face[] => {
  const weight = weightBeside(name);
  return [
    chosen[name],
    { family: 'inter', weight, variable: false },
    // Hebrew and Arabic.
    { family: 'rubik', weight, variable: false },
    noto('sans-thai', weight),
    noto('sans-devanagari', weight),
    ...eastAsian(text).map((each) => noto(each, weight)),
  ];
};

/** In its boldest weight. */
const emojiFace = noto('emoji', 700);

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Grapheme clusters, which people perceive as single characters. */
export const clustersOf = (text: string): string[] =>
  Array.from(segmenter.segment(text), ({ segment }) => segment);

/** Clusters that are pictures: emoji by default or through U+FE0F, flags, keycaps. */
const emoji = /\p{Emoji_Presentation}|\ufe0f|\u20e3/u;

const firstFaceOf = async (faces: readonly Face[], cluster: string): Promise<Face | undefined> => {
  for (const face of faces) if (await fontOf(face, cluster)) return face;
  return undefined;
};

const all = async (
  clusters: readonly string[],
  holds: (cluster: string) => Promise<unknown>,
): Promise<boolean> => {
  for (const cluster of clusters) if (!(await holds(cluster))) return false;
  return true;
};

/** The first face that has all clusters. Faces that lack some are not loaded. */
const commonFace = async (faces: readonly Face[], clusters: readonly string[]): Promise<Face | undefined> => {
  for (const face of faces) {
    if (!(await all(clusters, (cluster) => promises(face, cluster)))) continue;
    if (await all(clusters, (cluster) => fontOf(face, cluster))) return face;
  }
  return undefined;
};

/** Scripts of the faces above. Chinese and Japanese characters form one run. */
const scripts = [
  /\p{Script=Latin}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Arabic}/u,
  /\p{Script=Thai}/u,
  /\p{Script=Devanagari}/u,
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}]/u,
  /\p{Script=Hangul}/u,
];

/** Runs of one script; spaces, digits and signs belong to the preceding run. */
const splitByScript = (clusters: readonly string[]): string[][] => {
  const runs: { script: RegExp | undefined; clusters: string[] }[] = [];
  for (const cluster of clusters) {
    const script = scripts.find((each) => each.test(cluster));
    const last = runs.at(-1);
    if (!last || (script && last.script && script !== last.script)) {
      runs.push({ script, clusters: [cluster] });
      continue;
    }
    last.script ??= script;
    last.clusters.push(cluster);
  }
  return runs.map((run) => run.clusters);
};

const describe = (cluster: string): string => {
  const codes = [...cluster].map(
    (each) => `U+${each.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`,
  );
  return `${cluster} (${codes.join(' ')})`;
};

const undrawable = (field: string, clusters: readonly string[]): ClientError =>
  new ClientError(
    'UNPROCESSABLE',
    `${field} has ${[...new Set(clusters)].map(describe).join(', ')}, which no caption font can draw; ` +
      'leave it out, or write it in another way',
  );

/** The face of each cluster. */
export type Faces = ReadonlyMap<string, Face>;

/**
 * Text, and pictures in {@link emojiFace}. @throws {ClientError} UNPROCESSABLE naming every cluster that cannot be
 * drawn
 */
const sortOut = async (clusters: readonly string[], faces: readonly Face[], field: string) => {
  const sorted: { letters: string[]; pictures: string[] } = { letters: [], pictures: [] };
  const missing: string[] = [];
  for (const cluster of clusters) {
    const isPicture = emoji.test(cluster) && (await fontOf(emojiFace, cluster));
    if (!isPicture && (await firstFaceOf(faces, cluster))) sorted.letters.push(cluster);
    else if (await fontOf(emojiFace, cluster)) sorted.pictures.push(cluster);
    else missing.push(cluster);
  }
  if (missing.length > 0) throw undrawable(field, missing);
  return sorted;
};

/** Sets each run of one script in the first face that has the whole run. */
const facesByScript = async (
  letters: readonly string[],
  faces: readonly Face[],
): Promise<[string, Face][]> => {
  const placed: [string, Face][] = [];
  for (const run of splitByScript(letters)) {
    const face = await commonFace(faces, run);
    // If no single face has all clusters of a run, they are set one by one.
    for (const cluster of run) placed.push([cluster, face ?? (await firstFaceOf(faces, cluster))!]);
  }
  return placed;
};

const allIn = (face: Face, clusters: readonly string[]): [string, Face][] =>
  clusters.map((cluster) => [cluster, face]);

/** @param field of the text @throws {ClientError} UNPROCESSABLE naming the field and every undrawable cluster */
export const chooseFaces = async (text: string, name: FontName, field = 'frame.text'): Promise<Faces> => {
  const faces = facesFor(text, name);
  const clusters = clustersOf(text);
  const whole = emoji.test(text) ? undefined : await commonFace(faces, clusters);
  if (whole) return new Map(allIn(whole, clusters));
  const { letters, pictures } = await sortOut(clusters, faces, field);
  const common = await commonFace(faces, letters);
  return new Map([
    ...(common ? allIn(common, letters) : await facesByScript(letters, faces)),
    ...allIn(emojiFace, pictures),
  ]);
};
