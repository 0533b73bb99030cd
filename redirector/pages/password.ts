/** Asks for the password of a code. */
import { html } from 'hono/html';
import { passwordLengthMax } from '#schemas/api/protection.ts';
import { errorBody } from '#shared/errors.ts';
import { createPages, jsonPage } from './layout.ts';
import type { Page } from './page.ts';

/**
 * The form is posted to this origin, and the answer to a right password is a redirect to any origin. Chromium and
 * WebKit apply form-action to that redirect as well (https://github.com/w3c/webappsec-csp/issues/8): with only `'self'`
 * they would block it.
 */
const render = createPages({ formAction: "'self' https: http:" });

const form = (path: string, failed: boolean) => html`<form method="post" action="${path}">
<label for="password">Password</label>
<input id="password" name="password" type="password" required autofocus maxlength="${passwordLengthMax}"
 autocomplete="off" autocapitalize="none" autocorrect="off" spellcheck="false" enterkeyhint="go"${
   failed && html` aria-invalid="true" aria-describedby="error"`
 }>
${failed && html`<p class="error" id="error" role="alert">This password is not right. Please try again.</p>`}
<button class="button">Open</button>
</form>`;

/** @param path of the code, with its query: the form posts there */
export const renderPassword = (path: string, failed: boolean, wantsPage: boolean): Page => {
  if (!wantsPage) {
    const error = failed
      ? errorBody('PASSWORD_WRONG', 'The password is wrong')
      : errorBody('PASSWORD_REQUIRED', 'This code needs a password');
    return jsonPage('401 Unauthorized', error);
  }
  return render(failed ? '401 Unauthorized' : '200 OK', {
    icon: 'lock',
    title: 'This code is protected',
    // A screen reader reads it first.
    ...(failed && { windowTitle: 'Wrong password – This code is protected' }),
    lead: 'Enter the password that you were given with it.',
    body: form(path, failed),
  });
};
