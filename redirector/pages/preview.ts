/** The preview of a code: where it leads, for people who want to know before they go there. Nothing of its owner is shown. */
import { html } from 'hono/html';
import type { Html } from '#shared/pages/html.ts';
import { type Words, wordsOf } from '#shared/pages/words.ts';
import { type About, jsonPage, renderScanPage } from './layout.ts';
import type { Page } from './page.ts';
import type { Reader } from './reader.ts';

export type Preview =
  | { kind: 'password' }
  | { kind: 'encrypted' }
  | {
      kind: 'open';
      /** Undefined: it shows a page with its content. */
      location: string | undefined;
      /** Whether other scans may be led elsewhere. */
      mayDiffer: boolean;
      opensApp: boolean;
      addsParameters: boolean;
    };

export interface PreviewContext {
  reader: Reader;
  about: About;
  /** The path of the code itself. */
  path: string;
  /** Where it is reported. */
  reportUrl: string;
}

/** In place of an address. */
const sentence = (text: string): Html => html`<div class="card"><p>${text}</p></div>`;

const leading = (preview: Extract<Preview, { kind: 'open' }>, words: Words['preview']): Html => {
  const { location, mayDiffer, opensApp, addsParameters } = preview;
  const to =
    location === undefined
      ? sentence(words.content)
      : html`<p class="label">${words.leadsTo}</p>
<div class="card"><p class="text" dir="ltr">${location}</p></div>`;
  return html`${to}
${mayDiffer && html`<p class="hint">${words.mayDiffer}</p>`}
${opensApp && html`<p class="hint">${words.app}</p>`}
${addsParameters && html`<p class="hint">${words.addsParameters}</p>`}`;
};

const bodyOf = (preview: Preview, { path, reportUrl }: PreviewContext, words: Words['preview']): Html =>
  html`${preview.kind === 'open' ? leading(preview, words) : sentence(words[preview.kind])}
<a class="button primary" href="${path}" rel="nofollow noreferrer">${words.open}</a>
<p class="hint"><a href="${reportUrl}" rel="nofollow">${words.report}</a></p>`;

const forPrograms = (preview: Preview) =>
  preview.kind === 'open'
    ? { ...preview, kind: undefined, location: preview.location ?? null }
    : { protectedBy: preview.kind };

/** Never throws. */
export const renderPreview = (preview: Preview, context: PreviewContext): Page => {
  const { reader, about } = context;
  if (reader === 'program') return jsonPage('200 OK', { preview: forPrograms(preview) });
  const words = wordsOf[reader].preview;
  return renderScanPage(
    '200 OK',
    {
      icon: preview.kind === 'open' ? 'arrow' : 'lock',
      title: { text: words.title },
      lead: { text: words.lead },
      body: bodyOf(preview, context, words),
    },
    { language: reader, about },
  );
};
