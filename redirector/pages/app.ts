/** Tries to open an app by its own scheme, and offers its store and the destination, see browser/app.js. */
import { html } from 'hono/html';
import type { AppTarget } from '#schemas/code-record.ts';
import { isAppUrl, webUrl } from '#shared/payloads/links.ts';
import { readScript } from './assets.ts';
import { createPages, type Html, jsonPage } from './layout.ts';
import type { Page } from './page.ts';

const render = createPages({ script: readScript('app.js') });
const renderWithoutApp = createPages();

/** Stores are web pages, or apps themselves: `market:`, `itms-apps:`. */
const linkable = (url: string | undefined): string | undefined => (url && isAppUrl(url) ? url : undefined);

const choice = (id: string, url: string | undefined, label: string, second: boolean): Html | undefined =>
  url === undefined
    ? undefined
    : html`<a class="button${second && html` second`}" id="${id}" href="${url}" rel="noreferrer">${label}</a>
`;

/** @param fallback the destination without an app; undefined if the payload is not a location */
export const renderApp = (
  { url, storeUrl }: AppTarget,
  fallback: string | undefined,
  wantsPage: boolean,
): Page => {
  const app = linkable(url);
  const store = linkable(storeUrl);
  const destination = fallback === undefined ? undefined : webUrl(fallback);
  if (!wantsPage) {
    return jsonPage('200 OK', { app: app ?? null, store: store ?? null, destination: destination ?? null });
  }
  const host = destination && new URL(destination).host;
  const choices = html`${choice('app', app, 'Open the app', false)}${choice('store', store, 'Get the app', true)}${choice(
    'destination',
    destination,
    `Continue to ${host}`,
    true,
  )}`;
  if (app === undefined) {
    const lead = 'The app that this code names cannot be opened from here.';
    return renderWithoutApp('200 OK', { icon: 'app', title: 'This code opens an app', lead, body: choices });
  }
  return render('200 OK', {
    icon: 'app',
    title: 'This code opens an app',
    lead: 'If nothing happens, choose how to go on.',
    body: html`${choices}<p class="status" role="status"></p>`,
  });
};
