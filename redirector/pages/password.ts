/** Asks for the password of a code. */
import { html } from 'hono/html';
import { passwordLengthMax } from '#schemas/api/protection.ts';
import { errorBody } from '#shared/errors.ts';
import { type Words, wordsOf } from '#shared/pages/words.ts';
import { inOwnersWords } from './brand.ts';
import { type About, jsonPage, renderScanPage } from './layout.ts';
import type { Page } from './page.ts';
import type { Reader } from './reader.ts';

/**
 * The form is posted to this origin, and the answer to a right password is a redirect to any origin. Chromium and
 * WebKit apply form-action to that redirect as well (https://github.com/w3c/webappsec-csp/issues/8): with only `'self'`
 * they would block it.
 */
const formAction = "'self' https: http:";

const form = (
  path: string,
  failed: boolean,
  words: Words['password'],
) => html`<form method="post" action="${path}">
<label for="password">${words.label}</label>
<input id="password" name="password" type="password" required autofocus maxlength="${passwordLengthMax}"
 autocomplete="off" autocapitalize="none" autocorrect="off" spellcheck="false" enterkeyhint="go"${
   failed && html` aria-invalid="true" aria-describedby="error"`
 }>
${failed && html`<p class="error" id="error" role="alert">${words.wrong}</p>`}
<button class="button primary">${words.open}</button>
</form>`;

export interface PasswordPageOptions {
  /** The code's, with its query: the form posts there. */
  path: string;
  /** Whether a password was given and was wrong. */
  failed: boolean;
  reader: Reader;
  about: About;
}

export const renderPassword = ({ path, failed, reader, about }: PasswordPageOptions): Page => {
  if (reader === 'program') {
    const error = failed
      ? errorBody('PASSWORD_WRONG', 'The password is wrong')
      : errorBody('PASSWORD_REQUIRED', 'This code needs a password');
    return jsonPage('401 Unauthorized', error);
  }
  const words = wordsOf[reader].password;
  return renderScanPage(
    failed ? '401 Unauthorized' : '200 OK',
    {
      icon: 'lock',
      ...inOwnersWords('password', words, about),
      // A screen reader reads it first.
      ...(failed && { windowTitle: words.wrongTitle }),
      body: form(path, failed, words),
    },
    { language: reader, about, formAction },
  );
};
