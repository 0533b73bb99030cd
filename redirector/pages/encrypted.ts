/** Opens a sealed code in the browser: see browser/encrypted.js. The key is never sent anywhere. */
import { html } from 'hono/html';
import type { Page } from '../reply.ts';
import { createPages, type Html, jsonPage } from './layout.ts';

const render = createPages({ script: 'encrypted.js' });

// No field has a name: nothing could be sent even by a form that were.
const fields: Record<'AES' | 'RSA', Html> = {
  AES: html`<label for="secret">Passphrase</label>
<input id="secret" type="password" required autocomplete="off" autocapitalize="none" autocorrect="off"
 spellcheck="false" enterkeyhint="go" aria-describedby="error">`,
  RSA: html`<label for="secret">Private key</label>
<textarea id="secret" rows="6" required autocomplete="off" autocapitalize="none" autocorrect="off" spellcheck="false"
 placeholder="-----BEGIN PRIVATE KEY-----" aria-describedby="error"></textarea>
<input id="file" type="file" aria-label="Or choose the key file">`,
};

const leads = {
  AES: 'Enter its passphrase to open it on this phone.',
  RSA: 'Open it on this phone with the private key that it was made for.',
} as const;

const body = (jwe: string, by: 'AES' | 'RSA') => html`<form id="form" data-jwe="${jwe}" data-by="${by}">
${fields[by]}
<p class="error" id="error" role="alert"></p>
<button class="button" id="open">Open</button>
<p class="hint">It is opened here, in your browser. What you enter is not sent anywhere.</p>
<noscript><p class="error">This page needs JavaScript to open the code.</p></noscript>
</form>
<section id="result" hidden>
<h2 id="opened" tabindex="-1">What the code says</h2>
<div class="card"><p class="text" id="text" dir="auto"></p></div>
<a class="button" id="go" rel="noreferrer" hidden>Open</a>
</section>`;

export const renderEncrypted = (jwe: string, by: 'AES' | 'RSA', page: boolean): Page =>
  page
    ? render('200 OK', { icon: 'key', title: 'This code is sealed', lead: leads[by], body: body(jwe, by) })
    : jsonPage('200 OK', { encrypted: by, jwe });
