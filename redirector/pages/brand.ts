/** What a page shows of the owner: the bar above, the colours, their own words, and a way on. */
import { html } from 'hono/html';
import type { Theme } from '#schemas/api/blocks.ts';
import type { DomainDocument } from '#schemas/documents.ts';
import type { Html } from '#shared/pages/html.ts';
import type { Message, Words } from '#shared/pages/words.ts';
import { shownText } from './owner-text.ts';

export interface Brand {
  /** Different for different contents. */
  readonly key: string;
  readonly name?: string | undefined;
  readonly logo?: URL | undefined;
  readonly theme: Theme;
  readonly home?: URL | undefined;
  readonly phone?: string | undefined;
  /** Of the texts, ISO 639-1; empty if unknown. */
  readonly language: string;
  readonly texts: Readonly<Partial<Record<OwnText, Partial<Message>>>>;
}

/** The messages that owners may word. */
export type OwnText = 'unknown' | 'inactive' | 'expired' | 'capped' | 'password';

/** In characters; longer texts are cut. */
const titleLengthMax = 120;
const leadLengthMax = 1000;
const urlLengthMax = 2000;

/** @param schemes such as `https:` */
const webUrl = (text: string | undefined, ...schemes: string[]): URL | undefined => {
  const url = text === undefined || text.length > urlLengthMax ? null : URL.parse(text);
  return url && schemes.includes(url.protocol) ? url : undefined;
};

/** Ignores anything that is not a colour, because it goes into the style sheet. */
const colorOf = (text: string | undefined): string | undefined =>
  text !== undefined && /^#[0-9a-f]{6}$/i.test(text) ? text.toLowerCase() : undefined;

const colorsOf = (theme: Theme = {}): Theme =>
  Object.fromEntries(
    (['background', 'text', 'accent'] as const).flatMap((name) => {
      const color = colorOf(theme[name]);
      return color === undefined ? [] : [[name, color]];
    }),
  );

/** Keeps lines, for a style sheet that shows them. */
const linesOf = (text: string | undefined): string | undefined =>
  text
    ?.slice(0, leadLengthMax)
    .split('\n')
    .map((line) => shownText(line) ?? '')
    .join('\n')
    .trim() || undefined;

const givenOf = (message: { [Name in keyof Message]: string | undefined }): Partial<Message> =>
  Object.fromEntries(Object.entries(message).filter(([, text]) => text !== undefined));

/** A domain's, from what its owner has set for its 404 page. Never throws, whatever that is. */
export const brandOfDomain = ({
  id,
  version,
  notFound = {},
}: Pick<DomainDocument, 'id' | 'version' | 'notFound'>): Brand => ({
  key: `${id} ${version}`,
  logo: webUrl(notFound.logoUrl, 'https:'),
  theme: colorsOf(notFound.theme),
  home: webUrl(notFound.homeUrl, 'https:', 'http:'),
  language: /^[a-z]{2}$/.test(notFound.language ?? '') ? notFound.language! : '',
  texts: {
    unknown: givenOf({
      title: shownText(notFound.headline?.slice(0, titleLengthMax)),
      lead: linesOf(notFound.body),
    }),
  },
});

/** A text as shown, and its language if that is not the page's; empty if it is unknown. */
export interface ShownText {
  text: string;
  language?: string | undefined;
}

/** The message in the owner's words, as far as they have given any, and else in ours. */
export const inOwnersWords = (
  name: string,
  { title, lead }: Message,
  brand: Brand | undefined,
): { title: ShownText; lead: ShownText } => {
  const own = brand?.texts[(name === 'nothingHere' ? 'unknown' : name) as OwnText];
  const shown = (text: string | undefined, ours: string): ShownText =>
    text === undefined ? { text: ours } : { text, language: brand?.language };
  return { title: shown(own?.title, title), lead: shown(own?.lead, lead) };
};

/** Above the page. */
export const brandBar = ({ name, logo }: Brand): Html | undefined =>
  name === undefined && logo === undefined
    ? undefined
    : html`<div class="brand">${logo && html`<img src="${logo.href}" alt="" referrerpolicy="no-referrer">`}${
        name && html`<b dir="auto" lang="">${name}</b>`
      }</div>
`;

const way = (href: string, label: Html, isPrimary: boolean): Html =>
  html`<a class="button${isPrimary && html` primary`}" href="${href}" rel="noreferrer">${label}</a>
`;

/** A sentence with a value in another direction. */
const around = (text: string, name: string, value: string): Html => {
  const [before, after] = text.split(`{${name}}`);
  return html`<span>${before}<bdi dir="ltr">${value}</bdi>${after}</span>`;
};

/** The buttons that lead on: to the owner's site, to a call, or to another try. */
export const waysOn = (brand: Brand | undefined, words: Words): Html => {
  const { home, phone } = brand ?? {};
  if (home === undefined && phone === undefined)
    return html`<div class="ways">${way('', html`${words.scan.again}`, false)}</div>`;
  return html`<div class="ways">${home && way(home.href, around(words.scan.home, 'host', home.host), true)}${
    phone && way(`tel:${phone}`, around(words.scan.call, 'phone', phone), home === undefined)
  }</div>`;
};

/** Below the page: what a person can name to the owner. */
export const codeName = (codeId: string, words: Words): Html =>
  html`${around(words.scan.code, 'id', codeId)}`;
