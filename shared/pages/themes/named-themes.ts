/** Themes that have a name: each sets colours, a pair of fonts, and the forms of a page. */
import { type ThemeName, themeNames } from '#schemas/api/blocks.ts';
import type { Color } from '#shared/colors.ts';
import { directionOf, type Language } from '../../languages.ts';
import { readStyle } from '../assets.ts';
import { capitals, createFonts, type Face, faceStack, sans, serif, standInRules } from './fonts.ts';

/** Colours where the owner gives none. */
export interface Defaults {
  ground: Color;
  surface: Color;
  text: Color;
  accent: Color;
  bad: Color;
}

/** The kinds of pages that have rules of their own: landing pages without a picture and with one, menus, forms. */
export type StyledKind = 'plain' | 'picture' | 'menu' | 'form';

interface NamedTheme {
  /** Undefined: it is dark by day, too. */
  light?: Defaults;
  dark: Defaults;
  /** For headlines, names, buttons. */
  title: Face;
  text: Face;
  /** After the pair, for scripts that it does not have: fonts of the device. */
  titleRest: string;
  textRest: string;
}

const systemSans = 'system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif';
const systemSerif = '"Noto Serif",serif';
const bad = { light: '#b3261e', dark: '#ff9d94' };

const playfair: Face = {
  family: 'playfair-display',
  weight: 600,
  width: 0.4844,
  ascent: 1.082,
  descent: 0.251,
  standIns: serif,
};
const sourceSerif: Face = {
  family: 'source-serif-4',
  weight: 400,
  width: 0.5041,
  ascent: 1.036,
  descent: 0.335,
  standIns: serif,
};
const inter: Face = {
  family: 'inter',
  weight: 800,
  width: 0.5204,
  ascent: 0.9688,
  descent: 0.2412,
  standIns: sans,
};
const jetBrainsMono: Face = {
  family: 'jetbrains-mono',
  weight: 400,
  width: 0.6,
  ascent: 1.02,
  descent: 0.3,
  standIns: sans,
};
const rubikHeavy: Face = {
  family: 'rubik',
  weight: 800,
  width: 0.5366,
  ascent: 0.935,
  descent: 0.25,
  standIns: sans,
};
const nunito: Face = {
  family: 'nunito',
  weight: 600,
  width: 0.4838,
  ascent: 1.011,
  descent: 0.353,
  standIns: sans,
};
/** It has capitals only; the style sheet sets its stand-ins in capitals, too. */
const bebas: Face = {
  family: 'bebas-neue',
  weight: 400,
  width: 0.3502,
  ascent: 0.9,
  descent: 0.3,
  standIns: capitals,
};
const rubikLight: Face = {
  family: 'rubik',
  weight: 300,
  width: 0.4755,
  ascent: 0.935,
  descent: 0.25,
  standIns: sans,
};

export const namedThemes: Readonly<Record<ThemeName, NamedTheme>> = {
  paper: {
    light: { ground: '#f7f1e4', surface: '#fffaf0', text: '#2b2118', accent: '#8a2d22', bad: bad.light },
    dark: { ground: '#1b1712', surface: '#262019', text: '#f0e7d6', accent: '#d9917c', bad: bad.dark },
    title: playfair,
    text: sourceSerif,
    titleRest: systemSerif,
    textRest: systemSerif,
  },
  ink: {
    light: { ground: '#fbfaf6', surface: '#ffffff', text: '#12195a', accent: '#1f2fd0', bad: bad.light },
    dark: { ground: '#0d1138', surface: '#171c4a', text: '#eef0ff', accent: '#c5cdff', bad: bad.dark },
    title: inter,
    text: jetBrainsMono,
    titleRest: systemSans,
    textRest: systemSans,
  },
  market: {
    light: { ground: '#fff4d2', surface: '#fffdf4', text: '#1d3a2a', accent: '#cb3a22', bad: '#a5140f' },
    dark: { ground: '#14251b', surface: '#1f3527', text: '#fff1cf', accent: '#ffb547', bad: bad.dark },
    title: rubikHeavy,
    text: nunito,
    titleRest: systemSans,
    textRest: systemSans,
  },
  noir: {
    dark: { ground: '#0b0a09', surface: '#181614', text: '#f4eee2', accent: '#d8b06a', bad: bad.dark },
    title: bebas,
    text: rubikLight,
    titleRest: systemSans,
    textRest: systemSans,
  },
};

/** What a theme has no file for needs no rules. */
const filesOf: Readonly<Record<ThemeName, readonly ('base' | StyledKind)[]>> = {
  paper: ['base', 'plain', 'picture', 'menu', 'form'],
  ink: ['base', 'plain', 'menu', 'form'],
  market: ['base', 'plain', 'menu', 'form'],
  noir: ['base', 'plain', 'picture', 'menu', 'form'],
};

const styles = new Map(
  themeNames.flatMap((name) =>
    filesOf[name].map((part) => [
      `${name}/${part}`,
      readStyle(new URL(`./${name}/${part}.css`, import.meta.url)),
    ]),
  ),
);

/** Of all themes: redirectors answer from memory. */
export const themeFonts = createFonts(Object.values(namedThemes).flatMap(({ title, text }) => [title, text]));

export interface NamedPage {
  kind: StyledKind | undefined;
  language: Language;
  title: string;
  body: string;
}

/** A page in another script loads no font for a number or for our name at its foot. */
const needsFonts = ({ language, title }: NamedPage): boolean =>
  directionOf(language) === 'ltr' || /[a-z]/i.test(title);

/** Of Arabic, letters are joined; Hebrew is set closely. */
const joined = '*{letter-spacing:0!important}';

export interface NamedStyle {
  /** After all other rules of a page. */
  forms: string;
  /** Rules that load fonts; empty if the page needs none. */
  fonts: string;
}

/** The style sheets of a page in a named theme. */
export const namedStyle = (name: ThemeName, page: NamedPage): NamedStyle => {
  const { title, text, titleRest, textRest } = namedThemes[name];
  const isRightToLeft = directionOf(page.language) === 'rtl';
  const texts = page.title + page.body;
  // Arial has Arabic and Hebrew letters, which are better in the device's own font.
  const standIns = isRightToLeft ? '' : standInRules('Title', title) + standInRules('Text', text);
  const families =
    `:root{--display:${faceStack('Title', title)},${titleRest};` +
    `--reading:${faceStack('Text', text)},${textRest}}`;
  const parts = `${styles.get(`${name}/base`)!}${styles.get(`${name}/${page.kind}`) ?? ''}`;
  return {
    forms: `${standIns}${families}${parts}${isRightToLeft ? joined : ''}`,
    fonts: needsFonts(page)
      ? themeFonts.rules('Title', title, texts) + themeFonts.rules('Text', text, texts)
      : '',
  };
};
