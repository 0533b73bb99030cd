/** A tab in which axe looks at pages, and which notes what their policy stops and what they load from elsewhere. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser, Page as Tab } from 'playwright-core';
import type { Page } from '../page.ts';
import { servePages } from './page-server.ts';

export interface AxeTab {
  readonly tab: Tab;
  /** Violations of the policy, and errors of scripts, of all pages so far. */
  readonly problems: string[];
  /** Requests to other servers than that of the pages; they are answered with nothing. */
  readonly outside: string[];
  /** Opens a page at a width of so many pixels. Default: that of a phone. */
  show(page: Page, width?: number): Promise<void>;
  /** What axe finds wrong with the page that is shown, in light colours and in dark ones. */
  findViolations(): Promise<string[]>;
  close(): Promise<void>;
}

const axeFile = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const run = (options: object): string =>
  `axe.run(${JSON.stringify({ resultTypes: ['violations'], selectors: false, ...options })}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`;
/** The rules that look at colours: in dark ones nothing else of a page is different. */
const colourRules = ['color-contrast', 'link-in-text-block'];

const noIcon: Page = { status: '404 Not Found', headers: [], body: Buffer.alloc(0) };

/** @param target the path at which pages are shown */
export const openAxeTab = async (browser: Browser, target: string): Promise<AxeTab> => {
  let shown = noIcon;
  const server = await servePages(({ path }) => (path === '/favicon.ico' ? noIcon : shown));
  const tab = await browser.newPage({ colorScheme: 'light' });
  // A fifth of the work that it is to evaluate it in each page.
  await tab.addInitScript(await readFile(axeFile, 'utf8'));
  const problems: string[] = [];
  const outside: string[] = [];
  tab.on('console', (message) => {
    if (/Content Security Policy|Trusted/.test(message.text())) problems.push(message.text());
  });
  tab.on('pageerror', (error) => problems.push(error.message));
  await tab.route(
    (url) => url.origin !== server.origin,
    (route) => {
      outside.push(route.request().url());
      return route.abort();
    },
  );
  return {
    tab,
    problems,
    outside,
    async show(page, width = 390) {
      shown = page;
      await tab.setViewportSize({ width, height: 844 });
      await tab.goto(server.origin + target);
    },
    async findViolations() {
      const light = await tab.evaluate<string[]>(run({}));
      await tab.emulateMedia({ colorScheme: 'dark' });
      const dark = await tab.evaluate<string[]>(run({ runOnly: colourRules }));
      await tab.emulateMedia({ colorScheme: 'light' });
      return [...light, ...dark.map((found) => `dark: ${found}`)];
    },
    async close() {
      await tab.close();
      await server.close();
    },
  };
};
