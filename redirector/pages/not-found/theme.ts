/**
 * The colours of a domain's 404 page, from the owner's three optional ones, adjusted if text would be unreadable. An
 * owner's background applies to both schemes; otherwise there is a light one and a dark one.
 */
import type { DomainDocument } from '#schemas/documents.ts';
import { type Color, isLight, legible, mix, poleOf } from '#shared/colors.ts';

type Theme = NonNullable<NonNullable<DomainDocument['notFound']>['theme']>;

interface Defaults {
  ground: Color;
  text: Color;
  accent: Color;
}

const light: Defaults = { ground: '#f5f3ee', text: '#18212c', accent: '#9c3815' };
const dark: Defaults = { ground: '#101419', text: '#edf0f4', accent: '#ffa17c' };

/** Ignores anything that is not a colour, because it goes into the style sheet. */
const colorOf = (text: string | undefined): Color | undefined =>
  text !== undefined && /^#[0-9a-f]{6}$/i.test(text) ? text.toLowerCase() : undefined;

const declarations = (base: Defaults, theme: Theme): string => {
  const ground = colorOf(theme.background) ?? base.ground;
  const pole = poleOf(ground);
  const text = legible(colorOf(theme.text) ?? base.text, [ground], pole);
  const accent = colorOf(theme.accent) ?? base.accent;
  const dim = legible(mix(text, ground, 0.32), [ground], pole);
  const rim = legible(accent, [ground], pole, 1.5);
  return `--ground:${ground};--text:${text};--dim:${dim};--accent:${accent};--on-accent:${poleOf(accent)};--rim:${rim}`;
};

/** The custom properties of the page. */
export const themeStyle = (theme: Theme): string => {
  const ground = colorOf(theme.background);
  if (ground !== undefined) {
    const scheme = isLight(ground) ? 'light' : 'dark';
    return `:root{color-scheme:${scheme};${declarations(scheme === 'light' ? light : dark, theme)}}`;
  }
  return (
    `:root{color-scheme:light dark;${declarations(light, theme)}}` +
    `@media (prefers-color-scheme:dark){:root{${declarations(dark, theme)}}}`
  );
};
