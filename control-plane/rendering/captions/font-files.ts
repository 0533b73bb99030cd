/**
 * Files of @fontsource packages. A face is split into many files, one per subset of Unicode; the few that a caption
 * needs are loaded on first use.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Blob, Font, Face as FontData, Variation } from 'harfbuzzjs';
import { LRUCache } from 'lru-cache';
import decompress from 'woff2-encoder/decompress';

/** One family in one weight. */
export interface Face {
  /** The name of its package and of its files. */
  family: string;
  weight: number;
  /** Whether one file holds all weights. */
  variable: boolean;
}

const require = createRequire(import.meta.url);

const packageOf = ({ family, variable }: Face): string =>
  `@fontsource${variable ? '-variable' : ''}/${family}`;

const fileOf = (face: Face, subset: string): string => {
  const { family, weight, variable } = face;
  return require.resolve(
    `${packageOf(face)}/files/${family}-${subset}-${variable ? 'wght' : weight}-normal.woff2`,
  );
};

interface Subset {
  name: string;
  /** First and last character of each range. */
  ranges: readonly (readonly [number, number])[];
}

/** Parses `U+0-FF,U+131`. */
const parseRanges = (text: string): [number, number][] =>
  text.split(',').map((range) => {
    const [first, last = first] = range.slice(2).split('-');
    return [Number.parseInt(first!, 16), Number.parseInt(last!, 16)];
  });

const subsets = new Map<string, Subset[]>();

/** The subsets of a family in reverse order: the last one that has a character wins, as in a style sheet. */
const subsetsOf = async (face: Face): Promise<Subset[]> => {
  const known = subsets.get(face.family);
  if (known) return known;
  const file = await readFile(require.resolve(`${packageOf(face)}/unicode.json`), 'utf8');
  const all = Object.entries(JSON.parse(file) as Record<string, string>)
    .map(([name, ranges]) => ({ name: name.replace(/[[\]]/g, ''), ranges: parseRanges(ranges) }))
    .reverse();
  subsets.set(face.family, all);
  return all;
};

/** A Latin file takes 300 kB of memory, a CJK one 150 kB. A caption needs at most one file per character. */
const filesMax = 128;

const loading = new LRUCache<string, Promise<Font>>({ max: filesMax });

const read = async (file: string, weight: number): Promise<Font> => {
  const font = new Font(new FontData(new Blob(await decompress(await readFile(file)))));
  font.setVariations([new Variation('wght', weight)]);
  return font;
};

const load = (face: Face, subset: string): Promise<Font> => {
  const key = `${face.family} ${face.weight} ${subset}`;
  const known = loading.get(key);
  if (known) return known;
  const font = read(fileOf(face, subset), face.weight);
  loading.set(key, font);
  // A file that could not be read is retried.
  font.catch(() => loading.delete(key));
  return font;
};

/** Characters that are never drawn, such as joiners and direction marks. */
const invisible = /^\p{Default_Ignorable_Code_Point}$/u;

const visibleOf = (cluster: string): number[] =>
  [...cluster]
    .filter((character) => !invisible.test(character))
    .map((character) => character.codePointAt(0)!);

const covers = ({ ranges }: Subset, codePoint: number): boolean =>
  ranges.some(([first, last]) => codePoint >= first && codePoint <= last);

/** Whether a font draws every part of a cluster (a letter with its marks). */
export const canDraw = (font: Font, cluster: string): boolean =>
  visibleOf(cluster).every((codePoint) => font.nominalGlyph(codePoint) !== undefined);

/** Clusters whose subsets are remembered: in a face of 30,000 characters there are 4,000 ranges to search. */
const lookupsMax = 5_000;

const lookups = new LRUCache<string, readonly Subset[]>({ max: lookupsMax });

const subsetsWith = async (face: Face, cluster: string): Promise<readonly Subset[]> => {
  const key = `${face.family} ${cluster}`;
  const known = lookups.get(key);
  if (known) return known;
  const codePoints = visibleOf(cluster);
  const found = (await subsetsOf(face)).filter((subset) =>
    codePoints.every((codePoint) => covers(subset, codePoint)),
  );
  lookups.set(key, found);
  return found;
};

/** Whether one file of a face lists every part of a cluster. Loads no file. */
export const promises = async (face: Face, cluster: string): Promise<boolean> =>
  (await subsetsWith(face, cluster)).length > 0;

/** The file of a face that has every part of a cluster; undefined if none has. */
export const fontOf = async (face: Face, cluster: string): Promise<Font | undefined> => {
  for (const subset of await subsetsWith(face, cluster)) {
    const font = await load(face, subset.name);
    if (canDraw(font, cluster)) return font;
  }
  return undefined;
};
