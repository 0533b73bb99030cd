/**
 * The shell of every page for people, on both planes: its head, its style sheet in the owner's colours, and a policy
 * under which only its own scripts and styles run.
 */
import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import type { Theme } from '#schemas/api/blocks.ts';
import { directionOf, type Language } from '../languages.ts';
import { readStyle } from './assets.ts';
import type { Html } from './html.ts';
import { type Palette, resolveTheme, type Scheme, themeColors, themeStyle } from './theme.ts';
import { namedStyle, type StyledKind } from './themes/named-themes.ts';

export const firstLetter = (title: string): string => title.match(/[\p{L}\p{N}]/u)?.[0].toUpperCase() ?? '';

/**
 * The icon of a page in a tab: a letter on the accent.
 * @returns a data: URL of an SVG, which needs no second request
 */
const tabIcon = (letter: string, { accent, onAccent }: Palette): string => {
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="9" fill="${accent}"/>` +
    `<text x="16" y="22.5" font-family="system-ui,sans-serif" font-size="19" font-weight="700" text-anchor="middle" fill="${onAccent}">${letter}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
};

/** The data that search engines and messengers show of a page. */
export interface Listing {
  /** The page's URL. */
  url: string;
  description?: string | undefined;
  /** An absolute URL. */
  imageUrl?: string | undefined;
  /** Whether the image is as wide as the page, rather than a portrait. Default: true. */
  isLargeImage?: boolean;
  /** schema.org, without `@context`. */
  structuredData?: Readonly<Record<string, unknown>>;
}

/** A rendered page, and the policy that belongs only to it. */
export interface RenderedPage {
  html: string;
  contentSecurityPolicy: string;
}

export interface ShellParts {
  language: Language;
  /**
   * Whether the texts in the body are in this language. Default: true. If not, it is the visitor's, and the body's
   * texts get an empty `lang`.
   */
  isOwnersLanguage?: boolean;
  theme: Theme;
  /** Of whose parts a named theme has a style sheet. Default: only of the parts that all kinds share. */
  styledKind?: StyledKind;
  /** In the head, and in a tab. */
  title: string;
  /** Of the title, if it is not the page's; empty if unknown. */
  titleLanguage?: string | undefined;
  /** On the tab's icon. Default: the title's first. */
  tabLetter?: string;
  /** Classes of the body. */
  bodyClass?: string;
  /** The colour of the browser's own bar, if it is not of the theme. */
  barColor?: string;
  /** The theme's colour at the top of the page. Default: its ground. */
  topColor?: 'tint';
  /** `<main>` and everything around it. */
  body: Html;
  /** Style sheets after the shell's: for the kind of page, and for its pictures. */
  styles?: readonly string[];
  /** A script that runs once the document is loaded. */
  script?: string | undefined;
  /** For the script, as JSON in the element with the id `data`. */
  data?: unknown;
  /** Sources of CSP's img-src besides `data:`. Default: none. */
  images?: string;
  /** Sources of CSP's form-action. Default: no form may be submitted. */
  formAction?: string;
  /** Whether the script may fetch from the page's own origin. */
  connects?: boolean;
  /** Undefined: the page must not be listed anywhere. */
  listing?: Listing | undefined;
}

/** The tokens and the text of every page. */
export const foundationStyle = readStyle(new URL('./styles/foundation.css', import.meta.url));
const baseStyle = readStyle(new URL('./styles/base.css', import.meta.url));

const hashSource = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The rules that load a page's fonts are for print until everything else has loaded. */
const fontScript = "onload=()=>{document.getElementById('fonts').media='all'}";

/** What the document has inline. */
interface Inline {
  styles: readonly string[];
  scripts: readonly string[];
}

/** Forbids everything except these texts, which are allowed by their hashes (CSP level 3, section 2.3.1). */
const policyOf = (
  { styles, scripts }: Inline,
  { theme, images, formAction = "'none'", connects = false }: ShellParts,
): string =>
  [
    "default-src 'none'",
    `style-src ${styles.map(hashSource).join(' ')}`,
    `script-src ${scripts.length === 0 ? "'none'" : scripts.map(hashSource).join(' ')}`,
    // The tab icon is one.
    `img-src data:${images === undefined ? '' : ` ${images}`}`,
    ...(theme.name === undefined ? [] : ["font-src 'self'"]),
    `connect-src ${connects ? "'self'" : "'none'"}`,
    "base-uri 'none'",
    `form-action ${formAction}`,
    "frame-ancestors 'none'",
    // Text cannot become markup in the browser either.
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');

/**
 * Text in the head is not isolated: a direction control would also turn the text next to it in a tab or a preview.
 */
const bidiControls = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const withoutBidi = (text: string): string => text.replace(bidiControls, '');

/** JSON that cannot close its script element, or begin a comment in it. */
const scriptJson = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

const listingTags = (
  { url, description, imageUrl, isLargeImage = true, structuredData }: Listing,
  title: string,
): Html =>
  html`<link rel="canonical" href="${url}">
${
  description &&
  html`<meta name="description" content="${description}">
<meta property="og:description" content="${description}">
`
}<meta property="og:title" content="${title}">
<meta property="og:type" content="website">
<meta property="og:url" content="${url}">
${
  imageUrl &&
  html`<meta property="og:image" content="${imageUrl}">
`
}<meta name="twitter:card" content="${imageUrl && isLargeImage ? 'summary_large_image' : 'summary'}">
${
  structuredData &&
  html`<script type="application/ld+json">${raw(scriptJson({ '@context': 'https://schema.org', ...structuredData }))}</script>
`
}`;

const colorTags = (scheme: Scheme, { barColor, topColor }: ShellParts): Html[] =>
  (barColor === undefined ? themeColors(scheme, topColor) : [{ color: barColor, media: undefined }]).map(
    ({ color, media }) =>
      html`<meta name="theme-color" content="${color}"${media && html` media="${media}"`}>
`,
  );

const headOf = (parts: ShellParts, title: string, [style, fonts]: readonly string[]): Html => {
  const { listing } = parts;
  const scheme = resolveTheme(parts.theme);
  return html`<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="format-detection" content="telephone=no">
<title${parts.titleLanguage !== undefined && html` lang="${parts.titleLanguage}"`}>${title}</title>
<link rel="icon" href="${tabIcon(parts.tabLetter ?? firstLetter(title), (scheme.light ?? scheme.dark)!)}">
${colorTags(scheme, parts)}${
  listing
    ? listingTags({ ...listing, description: listing.description && withoutBidi(listing.description) }, title)
    : html`<meta name="robots" content="noindex">
`
}<style>${raw(style!)}</style>
${
  fonts !== undefined &&
  html`<style id="fonts" media="print">${raw(fonts)}</style>
`
}</head>`;
};

/** A whole document. Texts in the parts are already escaped; the body has a `fillMarker` if its kind uses one. */
export const renderShell = (parts: ShellParts): RenderedPage => {
  const { language, isOwnersLanguage = true, bodyClass, body, styles = [], script, data } = parts;
  const { theme, styledKind: kind, title } = parts;
  const named = theme.name && namedStyle(theme.name, { kind, language, title, body: String(body) });
  const style = [
    themeStyle(resolveTheme(theme)),
    foundationStyle,
    baseStyle,
    ...styles,
    named?.forms ?? '',
  ].join('');
  const fonts = named?.fonts || undefined;
  const inline: Inline = {
    styles: fonts === undefined ? [style] : [style, fonts],
    scripts: [fonts && fontScript, script].filter((each) => each !== undefined),
  };
  const document = html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
${headOf(parts, withoutBidi(parts.title), inline.styles)}
<body${bodyClass && html` class="${bodyClass}"`}${!isOwnersLanguage && html` lang=""`}>
${body}${data !== undefined && html`<script type="application/json" id="data">${raw(scriptJson(data))}</script>`}${inline.scripts.map((each) => html`<script>${raw(each)}</script>`)}
</body>
</html>
`;
  return { html: String(document), contentSecurityPolicy: policyOf(inline, parts) };
};
