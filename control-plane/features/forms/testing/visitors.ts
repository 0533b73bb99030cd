/** For tests: visitors of forms, both browsers and programs. */

import { formTokens } from '#shared/form-token.ts';
import { secretKey } from '../../../testing/control-plane.ts';

export const tokens = formTokens(secretKey);

/** The token of a page shown a while ago. */
export const shownToken = (formId: string, agoMs = 60_000, referrer = ''): string =>
  tokens.create(formId, { shownAt: new Date(Date.now() - agoMs), referrer });

export const inBrowser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
export const inScript = { accept: 'application/json' };

let addresses = 0;
/** A new address each time: one may send 30 forms a minute. */
export const anyAddress = (): string => `198.51.${100 + Math.floor(++addresses / 250)}.${addresses % 250}`;

export type Values = Readonly<Record<string, string>>;

/** A form as a page sends it. @param values by field id */
export const encoded = (values: Values, more: Values = {}): URLSearchParams =>
  new URLSearchParams({
    ...Object.fromEntries(Object.entries(values).map(([id, value]) => [`f.${id}`, value])),
    ...more,
  });

/** Submits it, from its own address unless the headers set one. */
export const post = (
  planeUrl: string,
  formId: string,
  body: URLSearchParams | string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> =>
  fetch(`${planeUrl}/f/${formId}`, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-forwarded-for': anyAddress(),
      ...headers,
    },
    body,
  });
