/** The pages for requests that could not be passed on, rendered once at start. Programs get the error itself. */
import { STATUS_CODES } from 'node:http';
import { type ErrorCode, errorBody, errorStatus } from '#shared/errors.ts';
import type { Answer } from './answers.ts';
import { createPages, jsonPage, type PageContent } from './layout.ts';
import type { Page } from './page.ts';

export type FailureCode = Extract<
  ErrorCode,
  'REQUEST_TIMEOUT' | 'BODY_TOO_LARGE' | 'BAD_GATEWAY' | 'UNAVAILABLE' | 'GATEWAY_TIMEOUT'
>;

const createFailure = (
  code: FailureCode,
  content: Pick<PageContent, 'icon' | 'title'> & { lead: string },
  retryAfterSeconds?: number,
): Page => {
  const headers =
    retryAfterSeconds === undefined ? [] : [['Retry-After', String(retryAfterSeconds)] as const];
  return createPages({ headers })(`${errorStatus[code]} ${STATUS_CODES[errorStatus[code]]}`, content);
};

const away = {
  icon: 'clock',
  title: 'One moment, please',
  lead: 'This page cannot be reached just now. Please try again in a few seconds.',
} as const;

export const failurePages: Readonly<Record<FailureCode, Page>> = {
  REQUEST_TIMEOUT: createFailure('REQUEST_TIMEOUT', {
    icon: 'clock',
    title: 'That took too long',
    lead: 'What you sent did not arrive in time. Please go back and send it again.',
  }),
  BODY_TOO_LARGE: createFailure('BODY_TOO_LARGE', {
    icon: 'lost',
    title: 'That was too much',
    lead: 'What you sent is larger than this page takes. Please go back, make it shorter and send it again.',
  }),
  BAD_GATEWAY: createFailure('BAD_GATEWAY', away, 2),
  GATEWAY_TIMEOUT: createFailure('GATEWAY_TIMEOUT', away, 2),
  UNAVAILABLE: createFailure(
    'UNAVAILABLE',
    {
      icon: 'clock',
      title: 'One moment, please',
      lead: 'Many people open this at the same time. Please try again in a few seconds.',
    },
    1,
  ),
};

/** For programs, if there is no capacity for a request. */
export const fullText = 'Too many requests at once';

/** The same for pages and programs, because it is sent to thousands. */
export const fullAnswer: Answer = {
  page: failurePages.UNAVAILABLE,
  json: jsonPage(failurePages.UNAVAILABLE.status, errorBody('UNAVAILABLE', fullText), [['Retry-After', '1']]),
};
