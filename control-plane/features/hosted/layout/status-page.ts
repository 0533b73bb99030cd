/** The page that a visitor sees instead of the requested one. */
import { html } from 'hono/html';
import type { Theme } from '#schemas/api/blocks.ts';
import type { ErrorCode } from '#shared/errors.ts';
import type { Language } from '#shared/languages.ts';
import type { Html } from '#shared/pages/html.ts';
import { icons } from '#shared/pages/icons.ts';
import { messageBlock } from '#shared/pages/message.ts';
import type { RenderedPage } from '#shared/pages/shell.ts';
import { renderShell } from '#shared/pages/shell.ts';
import { type Words, wordsOf } from '#shared/pages/words.ts';
import { pageFooter } from './blocks.ts';

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
  if (status === 'paused') return icons.pause;
  return status === 'rateLimited' || status === 'unavailable' ? icons.clock : icons.fault;
};

export interface StatusOptions {
  /** The page's own, or the visitor's. Default: English. */
  language?: Language;
  /** The page's own. Default: both schemes in our colours. */
  theme?: Theme;
}

/** Pure. Never listed by search engines. */
export const statusPage = (
  status: Status,
  { language = 'en', theme = {} }: StatusOptions = {},
): RenderedPage => {
  const message = wordsOf[language].status[status];
  return renderShell({
    language,
    theme,
    title: message.title,
    body: html`${messageBlock(iconOf(status), message)}${pageFooter}`,
  });
};
