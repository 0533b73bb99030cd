/**
 * Keeps programs out before anything is stored: the page must have been shown for long enough, and a hidden field
 * must be empty.
 */

import { formTokenName, type ReadToken, type ShownForm, type Tokens } from '#shared/form-token.ts';
import type { FormPairs } from '../../../api/http/form-body.ts';
import { trapName } from '../page/render-form.ts';

/** No person reads and fills in a form faster. */
export const shownMsMin = 2_000;

export type Guarded =
  | { pass: true; shown: ShownForm; token: string }
  | {
      pass: false;
      notice: 'tooFast' | 'trap' | 'expired';
      /** Of the page that is shown now. */
      token: string;
      /** After this time the page's own script retries. Undefined if the visitor should check the page. */
      retryAfterMs?: number;
    };

/** A page sends the token once; several count as none. */
const tokenOf = (sent: FormPairs): string => {
  const [token = '', ...more] = sent.get(formTokenName) ?? [];
  return more.length > 0 ? '' : token;
};

const isTrapped = (sent: FormPairs): boolean => (sent.get(trapName) ?? []).join('&') !== '';

/** A new token for the page, whose time starts now. */
const shownAnew = (tokens: Tokens, formId: string, { shown }: ReadToken, now: Date): string =>
  tokens.create(formId, { shownAt: now, referrer: shown?.referrer ?? '' });

export const guard = (tokens: Tokens, formId: string, sent: FormPairs, now: Date): Guarded => {
  const token = tokenOf(sent);
  const read = tokens.read(formId, token, now);
  if (read.state !== 'valid') {
    const anew = shownAnew(tokens, formId, read, now);
    return { pass: false, notice: 'expired', token: anew, retryAfterMs: shownMsMin };
  }
  if (isTrapped(sent)) return { pass: false, notice: 'trap', token };
  const shownMs = now.getTime() - read.shown.shownAt.getTime();
  if (shownMs < shownMsMin)
    return { pass: false, notice: 'tooFast', token, retryAfterMs: shownMsMin - shownMs };
  return { pass: true, shown: read.shown, token };
};
