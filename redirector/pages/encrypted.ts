/** Opens a sealed code in the browser: see browser/encrypted.js. The key is never sent anywhere. */
import { html } from 'hono/html';
import { type DataType, dataTypes } from '#schemas/api/data-types.ts';
import type { Decision } from '#shared/decide/decide.ts';
import type { Language } from '#shared/languages.ts';
import type { Html } from '#shared/pages/html.ts';
import { type Words, wordsOf } from '#shared/pages/words.ts';
import { type About, jsonPage, renderScanPage } from './layout.ts';
import type { Page } from './page.ts';
import type { Reader } from './reader.ts';
import { readSealedScript } from './sealed-scripts.ts';

export type Sealed = Pick<Extract<Decision, { kind: 'encrypted' }>, 'jwe' | 'by' | 'dataType'>;

type SealedWords = Words['sealed'];

/** The words of each type's view, so that a page has only those of its own type. */
const viewWords: Record<DataType, keyof Words['data']> = {
  url: 'website',
  gs1: 'website',
  text: 'text',
  email: 'email',
  wifi: 'wifi',
  vcard: 'contact',
  mecard: 'contact',
  sms: 'message',
  phone: 'phone',
  geo: 'place',
  vcalendar: 'event',
};

// The fields have no names, so that even a submitted form would send nothing.
const fieldOf = (by: Sealed['by'], words: SealedWords): Html =>
  by === 'AES'
    ? html`<label for="secret">${words.passphrase}</label>
<input id="secret" type="password" required autocomplete="off" autocapitalize="none" autocorrect="off"
 spellcheck="false" enterkeyhint="go" aria-describedby="error">`
    : html`<label for="secret">${words.key}</label>
<textarea id="secret" rows="6" required autocomplete="off" autocapitalize="none" autocorrect="off" spellcheck="false"
 placeholder="-----BEGIN PRIVATE KEY-----" aria-describedby="error" dir="ltr"></textarea>
<label class="second" for="file">${words.file}</label>
<input id="file" type="file">`;

const formOf = ({ jwe, by }: Sealed, words: SealedWords): Html =>
  html`<form id="form" data-jwe="${jwe}" data-by="${by}">
${fieldOf(by, words)}
<p class="error" id="error" role="alert"></p>
<button class="button primary" id="open">${words.open}</button>
<p class="hint">${words.hint}</p>
<noscript><p class="error">${words.needsScript}</p></noscript>
</form>
<section id="result" hidden></section>`;

/** What the script says, in the page's language. */
const dataOf = ({ by, dataType }: Sealed, language: Language) => {
  const { data, sealed } = wordsOf[language];
  const { needsHttps, damaged, unknownSeal } = sealed;
  const own =
    by === 'AES'
      ? { tooMuchWork: sealed.tooMuchWork, wrong: sealed.wrongPassphrase }
      : {
          protectedKey: sealed.protectedKey,
          oldKey: sealed.oldKey,
          noKey: sealed.noKey,
          largeFile: sealed.largeFile,
          wrong: sealed.wrongKey,
        };
  const view = viewWords[dataType];
  return {
    language,
    copied: data.copied,
    copyFailed: data.copyFailed,
    sealed: { needsHttps, damaged, unknownSeal, ...own },
    words: { text: data.text, [view]: data[view] },
  };
};

/** Each page has only the script of its own type. */
const scripts = Object.fromEntries(
  dataTypes.map((dataType) => [dataType, readSealedScript(dataType)]),
) as Record<DataType, string>;

/** @param sealed its `dataType` is the type of the sealed content */
export const renderEncrypted = (sealed: Sealed, reader: Reader, about: About): Page => {
  const { jwe, by, dataType } = sealed;
  if (reader === 'program') return jsonPage('200 OK', { encrypted: by, dataType, jwe });
  const words = wordsOf[reader].sealed;
  return renderScanPage(
    '200 OK',
    {
      icon: 'key',
      title: { text: words.title },
      lead: { text: by === 'AES' ? words.leadPassphrase : words.leadKey },
      body: formOf(sealed, words),
    },
    { language: reader, about, script: scripts[dataType], data: dataOf(sealed, reader) },
  );
};
