/**
 * The colours of a page, from the three that an owner may give, and those of the named theme. Every text is legible on every ground that it can be
 * on: owners' colours are moved if their contrast is too low.
 */
import type { Theme } from '#schemas/api/blocks.ts';
import {
  type Color,
  contrast,
  edgeContrastMin,
  isLight,
  legible,
  mix,
  poleOf,
  textContrastMin,
  weakestContrast,
} from '#shared/colors.ts';
import { type Defaults, namedThemes } from './themes/named-themes.ts';

/** Grounds, texts for all grounds, and the accent with the text on it. Custom properties have the same names. */
export interface Palette {
  /** The page. */
  ground: Color;
  /** Cards, fields, second buttons. */
  surface: Color;
  /** A soft ground in the accent's hue. */
  tint: Color;
  text: Color;
  /** Secondary text. */
  dim: Color;
  /** Links, icons, the focus ring. */
  link: Color;
  /** Errors. */
  bad: Color;
  /** A decorative hairline. */
  line: Color;
  /** Edges of fields. */
  edge: Color;
  /** The first button. */
  accent: Color;
  onAccent: Color;
  /** The edge of the first button, visible even if the accent is like the page. */
  rim: Color;
}

/** Warm paper and ink. */
const lightDefaults: Defaults = {
  ground: '#f6f4f0',
  surface: '#ffffff',
  text: '#191c20',
  accent: '#23272e',
  bad: '#b3261e',
};
const darkDefaults: Defaults = {
  ground: '#121417',
  surface: '#1d2025',
  text: '#f1efeb',
  accent: '#f1efeb',
  bad: '#ff9d94',
};

/** With less contrast, an accent is not distinct from the page. */
const accentContrastMin = 1.5;

/**
 * Cards are lighter than the page, as if they lay on it. If that would make text illegible, they are like the page.
 */
const surfaceOf = (ground: Color): Color => {
  const pole = poleOf(ground);
  const surface = mix(ground, '#ffffff', isLight(ground) ? 0.72 : 0.08);
  return contrast(surface, pole) >= Math.min(7, contrast(ground, pole)) ? surface : ground;
};

const tintOf = (ground: Color, accent: Color): Color => {
  const tint = mix(ground, accent, 0.12);
  return contrast(tint, poleOf(ground)) >= textContrastMin ? tint : ground;
};

/** WCAG 2's strictest contrast for text (success criterion 1.4.6). */
const strongContrast = 7;

/**
 * A text that must be moved is moved further than necessary: at the minimum contrast a headline looks like secondary
 * text.
 */
const textOn = (given: Color, grounds: readonly Color[], pole: Color): Color =>
  weakestContrast(given, grounds) >= textContrastMin ? given : legible(given, grounds, pole, strongContrast);

const paletteOf = (base: Defaults, theme: Theme): Palette => {
  const { ground, surface } = base;
  const pole = poleOf(ground);
  const accent = theme.accent ?? base.accent;
  const tint = tintOf(ground, accent);
  const grounds = [ground, surface, tint];
  const text = textOn(theme.text ?? base.text, grounds, pole);
  const edge = legible(mix(text, ground, 0.45), grounds, pole, edgeContrastMin);
  const onAccent = isLight(accent) ? '#16181c' : '#ffffff';
  return {
    ground,
    surface,
    tint,
    text,
    dim: legible(mix(text, ground, 0.32), grounds, pole),
    link: legible(accent, grounds, pole),
    bad: legible(base.bad, grounds, pole),
    line: mix(ground, text, 0.13),
    edge,
    accent,
    rim: contrast(accent, ground) >= accentContrastMin ? accent : edge,
    onAccent: contrast(onAccent, accent) >= textContrastMin ? onAccent : poleOf(accent),
  };
};

interface Schemes {
  light?: Defaults;
  dark: Defaults;
}

const schemesOf = ({ name }: Theme): Schemes =>
  name === undefined ? { light: lightDefaults, dark: darkDefaults } : namedThemes[name];

/** The default colours for an owner's ground. */
const defaultsOn = (ground: Color, { light = lightDefaults, dark }: Schemes): Defaults => {
  const base = isLight(ground) ? light : dark;
  return { ...base, ground, surface: surfaceOf(ground) };
};

export interface Scheme {
  light?: Palette;
  dark?: Palette;
}

/** Both schemes, or the only one of the named theme, or the one that the owner's background belongs to. */
export const resolveTheme = (theme: Theme): Scheme => {
  const schemes = schemesOf(theme);
  if (theme.background === undefined) {
    const { light, dark } = schemes;
    return { ...(light && { light: paletteOf(light, theme) }), dark: paletteOf(dark, theme) };
  }
  const palette = paletteOf(defaultsOn(theme.background, schemes), theme);
  return isLight(theme.background) ? { light: palette } : { dark: palette };
};

/** The weakest contrast between any text and a ground that it can be on. */
export const weakestTextOf = (palette: Palette): number => {
  const { ground, surface, tint, text, dim, link, bad, accent, onAccent } = palette;
  const onGrounds = [text, dim, link, bad].map((color) => weakestContrast(color, [ground, surface, tint]));
  return Math.min(...onGrounds, contrast(onAccent, accent));
};

const propertyOf = (name: string): string =>
  `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

const declarations = (palette: Palette): string =>
  Object.entries(palette)
    .map(([name, color]) => `${propertyOf(name)}:${color}`)
    .join(';');

/** Ink on paper, whatever the page's colours: browsers print no backgrounds. */
const printed =
  '@media print{:root{color-scheme:light;--ground:#fff;--surface:#fff;--tint:#fff;--text:#000;--dim:#333;--link:#000;--line:#bbb;' +
  '--edge:#666;--accent:#fff;--on-accent:#000;--rim:#666}}';

/** The custom properties of a page. */
export const themeStyle = ({ light, dark }: Scheme): string => {
  if (light && dark)
    return (
      `:root{color-scheme:light dark;${declarations(light)}}` +
      `@media screen and (prefers-color-scheme:dark){:root{${declarations(dark)}}}${printed}`
    );
  return `:root{color-scheme:${light ? 'light' : 'dark'};${declarations((light ?? dark)!)}}${printed}`;
};

/** The colour of the browser's own bar. @param role what is at the top of the page */
export const themeColors = (
  { light, dark }: Scheme,
  role: 'ground' | 'tint' = 'ground',
): { color: Color; media?: string }[] => {
  if (light && dark)
    return [
      { color: light[role], media: '(prefers-color-scheme:light)' },
      { color: dark[role], media: '(prefers-color-scheme:dark)' },
    ];
  return [{ color: (light ?? dark)![role] }];
};
