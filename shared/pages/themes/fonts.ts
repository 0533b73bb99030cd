/**
 * The fonts of named themes: files of @fontsource packages as they are, which redirectors serve, and the rules that name them.
 *
 * The text is painted at once in a font of the device that is scaled to the same widths: of the hundreds of lines of a menu,
 * a few break elsewhere when the fonts arrive. A script asks for them after the page and its pictures have loaded, so that the largest paint waits
 * for no byte of them. (At 1.6 Mbit/s: 0.68 s as without a theme; 0.9 s if they are asked for at once, also with `optional`.)
 * `optional` would seldom show them: a scan is nearly always a first visit, and the tenth of a second that it waits is over on a phone
 * before a font arrives.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** A face of a package, and what it measures, in its em. */
export interface Face {
  /** The name of its package and of its files. */
  family: string;
  weight: number;
  /** The mean advance of {@link measuredText}. */
  width: number;
  /** `hhea` of the file. */
  ascent: number;
  descent: number;
  /** The fonts of devices that stand in for it. */
  standIns: Readonly<Record<string, number>>;
}

/** Letters as often as English, German, French and Spanish have them, roughly; some capitals. */
export const measuredText =
  'eeeeeeeeeeeeettttttttaaaaaaaooooooiiiiiinnnnnnnsssssshhhhrrrrrrddddllllluuuccmmmwffggyyppbbvk                 ETASCMBPRDLNHFG,.';

/**
 * Fonts of phones, and their mean advance of {@link measuredText}. Measured in packages of the same metrics: Arimo, Roboto, Gelasio
 * and Noto Serif.
 */
export const sans = { Arial: 0.4714, Roboto: 0.4669 };
export const serif = { Georgia: 0.4701, 'Noto Serif': 0.5033 };
/** In capitals. */
export const capitals = { Arial: 0.6086, Roboto: 0.5626 };

export const fontType = 'font/woff2';

export interface FontFile {
  /** Its place at each host. The bytes there never change. */
  path: string;
  bytes: Buffer;
}

const require = createRequire(import.meta.url);

/** Other scripts are in the fonts of the device. */
const subsets = ['latin', 'latin-ext'] as const;
type Subset = (typeof subsets)[number];

/** A later rule wins: the first one has all letters that the second has not, and those of neither are in the device's fonts. */
const rangeOf: Readonly<Record<Subset, string>> = {
  latin: '',
  'latin-ext': ';unicode-range:U+100-130,U+132-151,U+154-24F,U+1E00-1E9F,U+1EF2-1EFF,U+20A0-20AB,U+20AD-20C0',
};
const extended =
  /[\u0100-\u0130\u0132-\u0151\u0154-\u024f\u1e00-\u1e9f\u1ef2-\u1eff\u20a0-\u20ab\u20ad-\u20c0]/;

const nameOf = ({ family, weight }: Face, subset: Subset): string => `${family}-${subset}-${weight}`;

/** The paths of all fonts begin with it. */
export const fontFolder = '/fonts/';

const read = (face: Face, subset: Subset): FontFile => {
  const name = nameOf(face, subset);
  const bytes = readFileSync(require.resolve(`@fontsource/${face.family}/files/${name}-normal.woff2`));
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 8);
  return { path: `${fontFolder}${name}.${hash}.woff2`, bytes };
};

const fontPath = /^\/fonts\/([a-z0-9-]+)\.[0-9a-f]{8}\.woff2$/;

export interface Fonts {
  /**
   * The rules of a face. One file stands for all weights, so that no browser thickens it.
   * @param name of the family in the page; its stand-ins have the same one with a number
   * @param text of the page: a browser needs the rule of the second subset only if there are letters of it
   */
  rules(name: string, face: Face, text: string): string;
  /**
   * The file at a path, also at one with the hash of another version: pages that were published before an update have it.
   * @returns undefined for a path of no font
   */
  at(path: string): FontFile | undefined;
}

const percent = (share: number): string => `${Math.round(share * 1000) / 10}%`;

/** The rules of the fonts that stand in for a face, scaled to its measures. */
export const standInRules = (name: string, { width, ascent, descent, standIns }: Face): string =>
  Object.entries(standIns)
    .map(([font, fontWidth], index) => {
      const scale = width / fontWidth;
      return (
        `@font-face{font-family:${name}${index};src:local(${font});size-adjust:${percent(scale)};` +
        `ascent-override:${percent(ascent / scale)};descent-override:${percent(descent / scale)}}`
      );
    })
    .join('');

/** Reads the files of faces, and holds them. */
export const createFonts = (faces: readonly Face[]): Fonts => {
  const files = new Map(
    faces.flatMap((face) => subsets.map((subset) => [nameOf(face, subset), read(face, subset)] as const)),
  );
  return {
    rules(name, face, text) {
      return subsets
        .filter((subset) => subset === 'latin' || extended.test(text))
        .map(
          (subset) =>
            `@font-face{font-family:${name};font-weight:1 999;font-display:swap;` +
            `src:url(${files.get(nameOf(face, subset))!.path})${rangeOf[subset]}}`,
        )
        .join('');
    },
    at(path) {
      const [, name] = fontPath.exec(path) ?? [];
      return name === undefined ? undefined : files.get(name);
    },
  };
};

/** The names of a face and of its stand-ins, in their order. */
export const faceStack = (name: string, { standIns: fonts }: Face): string =>
  [name, ...Object.keys(fonts).map((_, index) => `${name}${index}`)].join();
