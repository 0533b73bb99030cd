/** What a page shows of the owner: the bar above, the colours, their own words, and a way on. */
import { html } from 'hono/html';
import type { Theme } from '#schemas/api/blocks.ts';
import { whyNoLink } from '#schemas/api/links.ts';
import { type CodeRecord, endNames, type OwnMessage } from '#schemas/code-record.ts';
import { type OwnTextName, ownTextNames, type PublishedBrand } from '#schemas/documents.ts';
import type { Html } from '#shared/pages/html.ts';
import type { Message, Words } from '#shared/pages/words.ts';
import { shownText } from './owner-text.ts';

interface Logo {
  dataUrl: string;
  /** CSS pixels. */
  width: number;
  height: number;
}

/** A published brand, checked again: whatever it contains, a page of it is safe. */
export interface Brand {
  /** Different for different contents. */
  readonly key: string;
  readonly name?: string | undefined;
  readonly logo?: Logo | undefined;
  readonly theme: Theme;
  /** `https:` or `http:`. */
  readonly home?: URL | undefined;
  /** `tel:` */
  readonly call?: string | undefined;
  readonly phone?: string | undefined;
  /** `mailto:` */
  readonly write?: string | undefined;
  readonly email?: string | undefined;
  /** Of the texts, ISO 639-1; empty if unknown. */
  readonly language: string;
  readonly texts: Readonly<Partial<Record<OwnTextName, Partial<Message>>>>;
}

/** In characters; longer texts are cut. */
const nameLengthMax = 80;
const titleLengthMax = 120;
const leadLengthMax = 1000;
/** Of a website: one of 2,000 characters has at most twice as many once it is percent-encoded. */
const urlLengthMax = 4000;
/** RFC 5321, section 4.5.3.1. */
const emailLengthMax = 254;
const logoLengthMax = 12_000;
/** CSS pixels. */
const logoWidthMax = 192;
const logoHeightMax = 40;

/** @returns undefined for anything but an http or https URL of ordinary length */
export const webUrl = (text: string | undefined): URL | undefined => {
  const url = text === undefined || text.length > urlLengthMax ? null : URL.parse(text);
  return url && /^https?:$/.test(url.protocol) ? url : undefined;
};

/** RFC 3966, without the characters that people write between digits. */
const callLink = (phone: string | undefined): string | undefined => {
  const digits = phone?.replace(/[\s()./-]+/g, '') ?? '';
  return /^\+?\d{3,20}$/.test(digits) ? `tel:${digits}` : undefined;
};

/** To one person, without the fields that a `mailto:` link may fill in. */
const writeLink = (email: string | undefined): string | undefined =>
  email !== undefined && email.length <= emailLengthMax && /^[^\s?&#"<>,:]+@[^\s?&#"<>,:@]+$/.test(email)
    ? `mailto:${email}`
    : undefined;

/** Ignores anything that is not a colour, because it goes into the style sheet. */
const colorOf = (text: string | undefined): string | undefined =>
  text !== undefined && /^#[0-9a-f]{6}$/i.test(text) ? text.toLowerCase() : undefined;

const themeOf = ({ background, accent }: PublishedBrand): Theme => {
  const colors = { background: colorOf(background), accent: colorOf(accent) };
  return {
    ...(colors.background !== undefined && { background: colors.background }),
    ...(colors.accent !== undefined && { accent: colors.accent }),
  };
};

const logoOf = ({ logo }: PublishedBrand): Logo | undefined =>
  logo &&
  logo.dataUrl.length <= logoLengthMax &&
  /^data:image\/(?:webp|png);base64,[\w+/]+=*$/.test(logo.dataUrl) &&
  logo.width <= logoWidthMax &&
  logo.height <= logoHeightMax
    ? logo
    : undefined;

/** Keeps lines, for a style sheet that shows them. */
const linesOf = (text: string | undefined): string | undefined =>
  text
    ?.slice(0, leadLengthMax)
    .split('\n')
    .map((line) => shownText(line) ?? '')
    .join('\n')
    .trim() || undefined;

const textsOf = ({ texts = {} }: PublishedBrand): Brand['texts'] =>
  Object.fromEntries(
    ownTextNames.map((name) => {
      const title = shownText(texts[name]?.title?.slice(0, titleLengthMax));
      const lead = linesOf(texts[name]?.text);
      return [name, { ...(title !== undefined && { title }), ...(lead !== undefined && { lead }) }];
    }),
  );

/** Never throws, whatever the brand contains. @param key differs for different contents: an id with a version */
export const brandOf = (key: string, published: PublishedBrand): Brand => {
  const { name, url, phone, email, language = '' } = published;
  return {
    key,
    name: shownText(name?.slice(0, nameLengthMax)),
    logo: logoOf(published),
    theme: themeOf(published),
    home: webUrl(url),
    call: callLink(phone),
    phone: shownText(phone),
    write: writeLink(email),
    email: shownText(email),
    language: /^[a-z]{2}$/.test(language) ? language : '',
    texts: textsOf(published),
  };
};

/** What a page knows of the owner of a code. */
export interface Owner {
  brand?: Brand | undefined;
  messages?: CodeRecord['messages'] | undefined;
}

/** The owner's words for this code, in place of those of the brand. */
export const ownMessageOf = (name: string, { messages }: Owner): OwnMessage | undefined =>
  endNames.some((end) => end === name) ? messages?.[name as (typeof endNames)[number]] : undefined;

/** A text as shown, and its language if that is not the page's; empty if it is unknown. */
export interface ShownText {
  text: string;
  language?: string | undefined;
}

/** The message in the owner's words, as far as they have given any, and else in ours. */
export const inOwnersWords = (
  name: string,
  { title, lead }: Message,
  about: Owner,
): { title: ShownText; lead: ShownText } => {
  const own = about.brand?.texts[(name === 'nothingHere' ? 'unknown' : name) as OwnTextName];
  const ofCode = ownMessageOf(name, about);
  const shown = (code: string | undefined, brand: string | undefined, ours: string): ShownText => {
    if (code !== undefined) return { text: code, language: '' };
    return brand === undefined ? { text: ours } : { text: brand, language: about.brand?.language };
  };
  return {
    title: shown(shownText(ofCode?.title?.slice(0, titleLengthMax)), own?.title, title),
    lead: shown(linesOf(ofCode?.text), own?.lead, lead),
  };
};

const logoImage = ({ dataUrl, width, height }: Logo, alt: string): Html =>
  html`<img src="${dataUrl}" width="${width}" height="${height}" alt="${alt}">`;

/** Above the page. */
export const brandBar = ({ name, logo }: Brand): Html | undefined => {
  if (name === undefined && logo === undefined) return undefined;
  const monogram = name?.match(/[\p{L}\p{N}]/u)?.[0].toUpperCase();
  const picture = logo
    ? logoImage(logo, '')
    : monogram && html`<span class="monogram" aria-hidden="true">${monogram}</span>`;
  return html`<header class="brand">${picture}${name && html`<b dir="auto" lang="">${name}</b>`}</header>
`;
};

const way = (href: string, label: Html, isPrimary: boolean): Html =>
  html`<a class="button${isPrimary && html` primary`}" href="${href}" rel="noreferrer">${label}</a>
`;

/** A sentence with a value in another direction. */
export const around = (text: string, name: string, value: string): Html => {
  const [before, after] = text.split(`{${name}}`);
  return html`<span>${before}<bdi dir="ltr">${value}</bdi>${after}</span>`;
};

/** Two are enough: more would be a menu in place of a way. */
const waysMax = 2;

/**
 * The buttons that lead on: the code's own, to the owner's site, to a call or a letter, or to another try.
 * @param isFinal whether another try is in vain @returns undefined if there is no button
 */
export const waysOn = (
  { brand }: Owner,
  words: Words,
  button?: OwnMessage['button'],
  isFinal = false,
): Html | undefined => {
  const { home, call, phone, write, email } = brand ?? {};
  const own: [href: string, label: Html][] = [];
  const label = shownText(button?.label.slice(0, nameLengthMax));
  if (
    button &&
    label !== undefined &&
    button.url.length <= urlLengthMax &&
    whyNoLink(button.url) === undefined
  )
    own.push([button.url, html`<span dir="auto" lang="">${label}</span>`]);
  if (home) own.push([home.href, around(words.scan.home, 'host', home.host)]);
  if (call && phone) own.push([call, around(words.scan.call, 'phone', phone)]);
  if (write && email) own.push([write, around(words.scan.write, 'email', email)]);
  if (own.length === 0 && isFinal) return undefined;
  const ways = own.length > 0 ? own : [['', html`${words.scan.again}`] as const];
  return html`<div class="ways">${ways
    .slice(0, waysMax)
    .map(([href, label], index) => way(href, label, own.length > 0 && index === 0))}</div>`;
};

/** Below the page: what a person can name to the owner. */
export const codeName = (codeId: string, words: Words): Html =>
  html`${around(words.scan.code, 'id', codeId)}`;
