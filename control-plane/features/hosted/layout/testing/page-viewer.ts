/** Shows pages in a browser as they are served: with their policy. Nothing leaves the browser. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page as Tab } from 'playwright-core';
import type { RenderedPage } from '#shared/pages/shell.ts';
import { fontType } from '#shared/pages/themes/fonts.ts';
import { themeFonts } from '#shared/pages/themes/named-themes.ts';

const origin = 'https://pages.example';

/** A grey pixel, PNG in base64. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
  'base64',
);

export interface PageViewer {
  tab: Tab;
  /** The browser's complaints since the page was opened: policy violations, script errors, dialogs. */
  faults: string[];
  /** Hosts of all requests except those for the page itself and for its fonts. */
  hosts: Set<string>;
  /** Paths of the fonts that it loaded from its own host. */
  fonts: Set<string>;
  open(page: RenderedPage): Promise<void>;
  /** Findings of axe-core: `rule: element`. */
  findBarriers(): Promise<string[]>;
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** `incomplete` holds what axe cannot decide: the contrast rule must not be left undecided. */
const runAxe = `axe.run({ resultTypes: ['violations', 'incomplete'] }).then(({ violations, incomplete }) =>
  [...violations, ...incomplete.filter(({ id }) => id === 'color-contrast')].flatMap(({ id, nodes }) =>
    nodes.map(({ html }) => id + ': ' + html)))`;

/** One tab for all pages: a new tab takes half a second. */
export const createPageViewer = async (browser: Browser): Promise<PageViewer> => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, colorScheme: 'light' });
  const tab = await context.newPage();
  const faults: string[] = [];
  const hosts = new Set<string>();
  const fonts = new Set<string>();
  let shown: RenderedPage = { html: '', contentSecurityPolicy: '' };
  await context.route('**/*', (route) => {
    const url = new URL(route.request().url());
    if (url.origin === origin && url.pathname === '/page')
      return route.fulfill({
        contentType: 'text/html; charset=utf-8',
        headers: { 'content-security-policy': shown.contentSecurityPolicy },
        body: shown.html,
      });
    const font = url.origin === origin ? themeFonts.at(url.pathname) : undefined;
    if (font) {
      fonts.add(url.pathname);
      return route.fulfill({ contentType: fontType, body: font.bytes });
    }
    if (url.pathname === '/favicon.ico') return route.fulfill({ contentType: 'image/png', body: pixel });
    hosts.add(url.host);
    return route.fulfill({ contentType: 'image/png', body: pixel });
  });
  tab.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text());
  });
  tab.on('pageerror', (error) => faults.push(error.message));
  tab.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    return dialog.dismiss();
  });
  return {
    tab,
    faults,
    hosts,
    fonts,
    async open(page) {
      shown = page;
      faults.length = 0;
      hosts.clear();
      fonts.clear();
      await tab.goto(`${origin}/page`);
    },
    async findBarriers() {
      // Playwright evaluates outside the page's policy.
      await tab.evaluate(axe);
      return tab.evaluate<string[]>(runAxe);
    },
  };
};
