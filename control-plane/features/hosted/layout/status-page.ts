/** The page that a visitor sees instead of the requested one. */
import { html } from 'hono/html';
import type { Social, Theme } from '#schemas/api/blocks.ts';
import type { ErrorCode } from '#shared/errors.ts';
import type { Language } from '#shared/languages.ts';
import type { Html } from '#shared/pages/html.ts';
import { icons } from '#shared/pages/icons.ts';
import { messageBlock } from '#shared/pages/message.ts';
import type { RenderedPage } from '#shared/pages/shell.ts';
import { type Words, wordsOf } from '#shared/pages/words.ts';
import { monogram, pageFooter, socialRow } from './blocks.ts';
import { ownerStyle, renderHosted } from './hosted-shell.ts';
import { createPictures, type Pictures } from './pictures.ts';

export type Status = keyof Words['status'];

/** The texts that visitors get for each refusal. Any other code is an internal error. */
const statusByCode: Readonly<Partial<Record<ErrorCode, Status>>> = {
  INVALID_REQUEST: 'badRequest',
  REQUEST_TIMEOUT: 'badRequest',
  UNPROCESSABLE: 'badRequest',
  CONFLICT: 'badRequest',
  FORBIDDEN: 'forbidden',
  NOT_FOUND: 'unknown',
  METHOD_NOT_ALLOWED: 'methodNotAllowed',
  BODY_TOO_LARGE: 'tooLarge',
  LIMIT_FILE_SIZE: 'tooLarge',
  UNSUPPORTED_MEDIA_TYPE: 'unsupported',
  RATE_LIMITED: 'rateLimited',
  PLAN_LIMIT_REACHED: 'rateLimited',
  UNAVAILABLE: 'unavailable',
  BAD_GATEWAY: 'unavailable',
  GATEWAY_TIMEOUT: 'unavailable',
};

export const statusOfError = (code: ErrorCode): Status => statusByCode[code] ?? 'failed';

const iconOf = (status: Status): Html => {
  if (status === 'unknown') return icons.lost;
  if (status === 'pausedMenu') return icons.meal;
  if (status === 'paused' || status === 'pausedForm') return icons.pause;
  return status === 'rateLimited' || status === 'unavailable' ? icons.clock : icons.fault;
};

/** What a page that is not shown still says of its owner. */
export interface StatusOwner {
  /** The page's name. */
  name: string;
  logoUrl?: string | undefined;
  avatarUrl?: string | undefined;
  socials?: readonly Social[] | undefined;
  /** Whether a page without a picture has a monogram. Default: the icon of the message. */
  hasMonogram?: boolean;
}

export interface StatusOptions {
  /** The page's own, or the visitor's. Default: English. */
  language?: Language;
  /** The page's own. Default: both schemes in our colours. */
  theme?: Theme;
  /** Default: unknown. */
  owner?: StatusOwner | undefined;
}

/** Uploads come as the JPEG that the owner gave the URL of: the page is shown seldom, and needs no look-up. */
const ownerPicture = (
  { logoUrl, avatarUrl, name, hasMonogram = false }: StatusOwner,
  pictures: Pictures,
): Html | undefined => {
  if (logoUrl !== undefined)
    return pictures.picture(logoUrl, { box: 'logo', sizes: '192px', alt: '', order: 'first' });
  if (avatarUrl !== undefined)
    return pictures.picture(avatarUrl, { box: 'avatar', sizes: '112px', alt: '', order: 'first' });
  return hasMonogram ? monogram(name) : undefined;
};

/** The message below the name of the page. */
const ownedMessage = (status: Status, language: Language, owner: StatusOwner): Html => {
  const { status: messages, page } = wordsOf[language];
  const { title, lead } = messages[status];
  const pictures = createPictures(new Map());
  const picture = ownerPicture(owner, pictures) ?? html`<span class="mark">${iconOf(status)}</span>`;
  return html`<main class="page message">
${picture}<p class="owner" dir="auto" lang="">${owner.name}</p>
<h1>${title}</h1>
<p class="sub">${lead}</p>
${socialRow(owner.socials ?? [], page, pictures)}</main>
`;
};

/** Pure. Never listed by search engines. */
export const statusPage = (
  status: Status,
  { language = 'en', theme = {}, owner }: StatusOptions = {},
): RenderedPage => {
  const message = wordsOf[language].status[status];
  const block = owner ? ownedMessage(status, language, owner) : messageBlock(iconOf(status), message);
  return renderHosted({
    language,
    theme,
    title: owner ? `${message.title} – ${owner.name}` : message.title,
    body: html`${block}${pageFooter}`,
    styles: owner ? [ownerStyle] : [],
  });
};
