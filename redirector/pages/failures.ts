/** The pages for requests that could not be passed on. Programs get the error itself. */
import type { ErrorCode } from '#shared/errors.ts';
import { type Answer, createAnswer } from './answers.ts';

export type FailureCode = Extract<
  ErrorCode,
  'REQUEST_TIMEOUT' | 'BODY_TOO_LARGE' | 'BAD_GATEWAY' | 'UNAVAILABLE' | 'GATEWAY_TIMEOUT'
>;

const retryAfter = (seconds: number) => [['Retry-After', String(seconds)]] as const;

const away = { message: 'pageAway', icon: 'clock', headers: retryAfter(2) } as const;

/** For programs, if there is no capacity for a request. */
export const fullText = 'Too many requests at once';

/** Cheap: it is sent to thousands. */
export const fullAnswer: Answer = createAnswer({
  code: 'UNAVAILABLE',
  message: 'crowded',
  icon: 'clock',
  error: fullText,
  headers: retryAfter(1),
});

export const failures: Readonly<Record<FailureCode, Pick<Answer, 'page'>>> = {
  REQUEST_TIMEOUT: createAnswer({ code: 'REQUEST_TIMEOUT', message: 'tooSlow', icon: 'clock', error: '' }),
  BODY_TOO_LARGE: createAnswer({ code: 'BODY_TOO_LARGE', message: 'tooLarge', icon: 'lost', error: '' }),
  BAD_GATEWAY: createAnswer({ code: 'BAD_GATEWAY', error: '', ...away }),
  GATEWAY_TIMEOUT: createAnswer({ code: 'GATEWAY_TIMEOUT', error: '', ...away }),
  UNAVAILABLE: fullAnswer,
};
