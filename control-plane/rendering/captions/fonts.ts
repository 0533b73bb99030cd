/** The caption fonts: files of @fontsource, one for each range of Unicode, loaded when a caption first needs them. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { create, type Font } from 'fontkit';
import type { FrameStyle } from '../style.ts';

type FontName = FrameStyle['font'];

interface Family {
  package: string;
  weight: number;
  /** In the order in which they are tried. */
  subsets: readonly string[];
}

const european = ['latin', 'latin-ext', 'cyrillic', 'cyrillic-ext', 'vietnamese'];
const withGreek = [...european, 'greek', 'greek-ext'];

const families: Record<FontName, Family> = {
  sans: { package: 'inter', weight: 700, subsets: withGreek },
  serif: {
    package: 'playfair-display',
    weight: 700,
    subsets: ['latin', 'latin-ext', 'cyrillic', 'vietnamese'],
  },
  mono: { package: 'jetbrains-mono', weight: 700, subsets: [...european, 'greek'] },
  display: { package: 'bebas-neue', weight: 400, subsets: ['latin', 'latin-ext'] },
  rounded: { package: 'nunito', weight: 800, subsets: european },
};

/** For Hebrew and Arabic, which the others lack. */
const rightToLeft: Family = { package: 'rubik', weight: 700, subsets: ['hebrew', 'arabic'] };

const require = createRequire(import.meta.url);

const fileOf = ({ package: name, weight }: Family, subset: string): string =>
  require.resolve(`@fontsource/${name}/files/${name}-${subset}-${weight}-normal.woff2`);

const loaded = new Map<string, Font>();

const load = (file: string): Font => {
  const known = loaded.get(file);
  if (known) return known;
  const font = create(readFileSync(file));
  loaded.set(file, font);
  return font;
};

/** Characters that are never drawn, such as joiners and marks of direction. */
const invisible = /^\p{Default_Ignorable_Code_Point}$/u;

const canDraw = (font: Font, cluster: string): boolean =>
  [...cluster].every(
    (character) => invisible.test(character) || font.hasGlyphForCodePoint(character.codePointAt(0)!),
  );

/**
 * A font's files in the order in which they are asked for a glyph: its own, those of the sans serif, which has the most
 * glyphs, and those of the right-to-left scripts.
 */
const chainOf = (name: FontName): string[] => {
  const chain = [families[name], ...(name === 'sans' ? [] : [families.sans]), rightToLeft];
  return chain.flatMap((family) => family.subsets.map((subset) => fileOf(family, subset)));
};

const chains = new Map<FontName, string[]>();

/** The first font that has every part of a cluster (a letter with its marks); undefined where none has. */
export const fontFor = (name: FontName, cluster: string): Font | undefined => {
  const chain = chains.get(name) ?? chainOf(name);
  chains.set(name, chain);
  for (const file of chain) {
    const font = load(file);
    if (canDraw(font, cluster)) return font;
  }
  return undefined;
};

/** The height of its capitals, of the size. */
export const capHeightOf = (name: FontName): number => {
  const { capHeight, unitsPerEm } = load(fileOf(families[name], 'latin'));
  return capHeight / unitsPerEm;
};
