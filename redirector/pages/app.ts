/** Tries to open an app by its own scheme, and offers its store and the destination, see browser/app.js. */
import { html } from 'hono/html';
import type { AppTarget } from '#schemas/code-record.ts';
import { readScript } from '#shared/pages/assets.ts';
import { filled } from '#shared/pages/filled.ts';
import type { Html } from '#shared/pages/html.ts';
import { wordsOf } from '#shared/pages/words.ts';
import { isAppUrl, webUrl } from '#shared/payloads/links.ts';
import { type About, jsonPage, renderScanPage } from './layout.ts';
import type { Page } from './page.ts';
import type { Reader } from './reader.ts';

const script = readScript(new URL('./browser/app.js', import.meta.url));

/** Stores are web pages, or apps themselves: `market:`, `itms-apps:`. */
const linkable = (url: string | undefined): string | undefined => (url && isAppUrl(url) ? url : undefined);

const choice = (id: string, url: string | undefined, label: string, isPrimary: boolean): Html | undefined =>
  url === undefined
    ? undefined
    : html`<a class="button${isPrimary && html` primary`}" id="${id}" href="${url}" rel="noreferrer">${label}</a>
`;

/** @param fallback the destination without an app; undefined if the payload is not a location */
export const renderApp = (
  { url, storeUrl }: AppTarget,
  fallback: string | undefined,
  reader: Reader,
  about: About,
): Page => {
  const app = linkable(url);
  const store = linkable(storeUrl);
  const destination = fallback === undefined ? undefined : webUrl(fallback);
  if (reader === 'program')
    return jsonPage('200 OK', { app: app ?? null, store: store ?? null, destination: destination ?? null });
  const words = wordsOf[reader].app;
  const { title, lead, unopenable, opening, notOpened, notInstalled } = words;
  const onward = destination && filled(words.destination, { host: new URL(destination).host });
  const choices = html`<div class="ways">${choice('app', app, words.open, true)}${choice(
    'store',
    store,
    words.store,
    app === undefined,
  )}${onward && choice('destination', destination, onward, app === undefined && store === undefined)}</div>`;
  const content = { icon: 'app', title: { text: title } } as const;
  return app === undefined
    ? renderScanPage(
        '200 OK',
        { ...content, lead: { text: unopenable }, body: choices },
        { language: reader, about },
      )
    : renderScanPage(
        '200 OK',
        { ...content, lead: { text: lead }, body: html`${choices}<p class="status" role="status"></p>` },
        { language: reader, about, script, data: { opening, notOpened, notInstalled } },
      );
};
