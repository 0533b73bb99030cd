/** What keeps programs out, before anything is stored: a page that was shown, and long enough; and a field that nobody sees. */
import type { FormPairs } from '../../../http/form-body.ts';
import { tokenName, trapName } from '../page/render-form.ts';
import type { ReadToken, ShownForm, Tokens } from './token.ts';

/** Nobody reads and fills in a form faster. */
export const shownMsMin = 2_000;

export type Guarded =
  | { pass: true; shown: ShownForm; token: string }
  | {
      pass: false;
      notice: 'tooFast' | 'trap' | 'expired';
      /** Of the page that is shown now. */
      token: string;
      /** After this time the page's own script sends again by itself. Undefined where a person is to look. */
      retryAfterMs?: number;
    };

/** A page sends each of these once: several are none. */
const tokenOf = (sent: FormPairs): string => {
  const [token = '', ...more] = sent.get(tokenName) ?? [];
  return more.length > 0 ? '' : token;
};

const isTrapped = (sent: FormPairs): boolean => (sent.get(trapName) ?? []).join('&') !== '';

/** A page that is shown anew counts from now on. */
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
