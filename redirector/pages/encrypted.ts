/** Opens a sealed code in the browser: see browser/encrypted.js. The key is never sent anywhere. */
import { html } from 'hono/html';
import { type DataType, dataTypes } from '#schemas/api/data-types.ts';
import type { Decision } from '#shared/decide/decide.ts';
import { readSealedScript } from './assets.ts';
import { createPages, type Html, jsonPage } from './layout.ts';
import type { Page } from './page.ts';

/** Each page has only the script of its own type, at most 15 KB. */
const renderers = Object.fromEntries(
  dataTypes.map((dataType) => [dataType, createPages({ script: readSealedScript(dataType) })]),
) as Record<DataType, ReturnType<typeof createPages>>;

export type Sealed = Pick<Extract<Decision, { kind: 'encrypted' }>, 'jwe' | 'by' | 'dataType'>;

// The fields have no names, so that even a submitted form would send nothing.
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

const body = ({ jwe, by }: Sealed) => html`<form id="form" data-jwe="${jwe}" data-by="${by}">
${fields[by]}
<p class="error" id="error" role="alert"></p>
<button class="button" id="open">Open</button>
<p class="hint">It is opened here, in your browser. What you enter is not sent anywhere.</p>
<noscript><p class="error">This page needs JavaScript to open the code.</p></noscript>
</form>
<section id="result" hidden></section>`;

/** @param sealed its `dataType` is the type of the sealed content */
export const renderEncrypted = (sealed: Sealed, wantsPage: boolean): Page => {
  const { jwe, by, dataType } = sealed;
  if (!wantsPage) return jsonPage('200 OK', { encrypted: by, dataType, jwe });
  const page = { icon: 'key', title: 'This code is sealed', lead: leads[by], body: body(sealed) } as const;
  return renderers[dataType]('200 OK', page);
};
