/** The answers to a submitted form: a page, or JSON for the page's script and for programs. */
import { type ErrorCode, errorStatus } from '#shared/errors.ts';
import { acceptedLanguage } from '#shared/languages.ts';
import type { RenderedPage } from '#shared/pages/shell.ts';
import { wordsOf } from '#shared/pages/words.ts';
import { wantsPage } from '#shared/wants-page.ts';
import type { FormPairs } from '../../../api/http/form-body.ts';
import type { Reply } from '../../../api/http/operation.ts';
import { statusPage } from '../../hosted/layout/index.ts';
import { sentParameter } from '../page/form-kind.ts';
import { languageOfForm, renderForm, renderKept } from '../page/render-form.ts';
import { type Form, faultTexts, type Returned } from '../page/shown-form.ts';

/** Seconds after which the database may be back. */
const unavailableRetryAfterSeconds = 5;

/** The sender of a form. */
export interface Visitor {
  header(name: string): string;
}

const isForPage = ({ header }: Visitor): boolean => wantsPage(header('accept'));

/** Headers that prevent caching are on every answer. */
const common = { vary: 'Accept, Accept-Language' };

const pageReply = (status: number, { html, contentSecurityPolicy }: RenderedPage, headers = {}): Reply => ({
  status,
  headers: {
    ...common,
    ...headers,
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': contentSecurityPolicy,
    // Browsers send `Origin: null` from a page with a stricter policy.
    'referrer-policy': 'strict-origin-when-cross-origin',
  },
  body: Buffer.from(html),
});

/** Redirects the sender of a form. Reloading the target page sends nothing. */
export const sentReply = ({ id, content }: Form, visitor: Visitor): Reply => {
  const { redirectAfterSubmit } = content;
  const location =
    redirectAfterSubmit === undefined ? `/f/${id}?${sentParameter}=1` : new URL(redirectAfterSubmit).href;
  if (isForPage(visitor)) return { status: 303, headers: { ...common, location } };
  return { headers: common, body: { location } };
};

/** For programs: why nothing was stored. Visitors get it in the form's language. */
const messages = {
  faulty: 'Some values are refused: see faults',
  tooFast: 'The form was sent less than 2 seconds after it was shown; send it again',
  trap: 'The field that nobody sees must be empty',
  expired:
    '_token must be that of a page that was shown in the last 24 hours; send the form again with the one given here',
  changed:
    'The form has changed since its page was shown: it has no unknownFields; send its fields, with the token given here',
  used: 'The page of this _token has stored other values; send the form again with the one given here',
  closed: 'The form takes no more answers now: its owner has to make room; send the form again later',
  unavailable: 'The service is temporarily unavailable; send the form again',
} as const;

const codes: Readonly<Record<keyof typeof messages, ErrorCode>> = {
  faulty: 'UNPROCESSABLE',
  tooFast: 'UNPROCESSABLE',
  trap: 'UNPROCESSABLE',
  expired: 'UNPROCESSABLE',
  changed: 'CONFLICT',
  used: 'CONFLICT',
  closed: 'UNAVAILABLE',
  unavailable: 'UNAVAILABLE',
};

const retryHeaders = (code: ErrorCode): Record<string, string> =>
  code === 'UNAVAILABLE' ? { 'retry-after': String(unavailableRetryAfterSeconds) } : {};

/** The form again, with the input and the reason why it was not stored. */
export const returnedReply = async (
  form: Form,
  url: string,
  returned: Returned & { retryAfterMs?: number },
  visitor: Visitor,
): Promise<Reply> => {
  const why = returned.notice ?? 'faulty';
  const code = codes[why];
  const visitorLanguage = acceptedLanguage(visitor.header('accept-language'));
  const headers = retryHeaders(code);
  if (isForPage(visitor))
    return pageReply(
      errorStatus[code],
      await renderForm(form, { url, images: new Map(), visitorLanguage }, returned),
      headers,
    );
  const { retryAfterMs, faults, notice, token, gone } = returned;
  const language = languageOfForm(form) ?? visitorLanguage;
  const body = {
    error: messages[why],
    code,
    token,
    ...(notice && { notice: wordsOf[language].form.notices[notice] }),
    ...(faults.size > 0 && { faults: faultTexts(form.content.fields, faults, language) }),
    ...(notice === 'changed' && gone && { unknownFields: [...gone.keys()] }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
  return { status: errorStatus[code], headers: { ...common, ...headers }, body };
};

/** All 50 fields of a form, each with more than people type. Longer input is kept only in the browser. */
const keptLengthMax = 500_000;

const isMuch = (sent: FormPairs): boolean => {
  let length = 0;
  for (const [name, values] of sent) for (const value of values) length += name.length + value.length;
  return length > keptLengthMax;
};

/** Keeps all input for a retry if the form itself cannot be read. */
export const keptReply = (url: string, sent: FormPairs, visitor: Visitor): Reply => {
  const headers = retryHeaders('UNAVAILABLE');
  const status = errorStatus.UNAVAILABLE;
  if (isForPage(visitor)) {
    const language = acceptedLanguage(visitor.header('accept-language'));
    const page = isMuch(sent) ? statusPage('unavailable', { language }) : renderKept(url, sent, language);
    return pageReply(status, page, headers);
  }
  return {
    status,
    headers: { ...common, ...headers },
    body: { error: messages.unavailable, code: 'UNAVAILABLE' },
  };
};
