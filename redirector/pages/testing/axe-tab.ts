/** A tab in which axe checks pages. It records policy violations and requests to other servers. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser, Page as Tab } from 'playwright-core';
import type { Page } from '../page.ts';
import { servePages } from './page-server.ts';

export interface AxeTab {
  readonly tab: Tab;
  /** Violations of the policy, and errors of scripts, of all pages so far. */
  readonly problems: string[];
  /** Requests to any server but the page server; they get empty answers. */
  readonly outside: string[];
  /** Opens a page at a width in pixels. Default: a phone's width. */
  show(page: Page, width?: number): Promise<void>;
  /** The faults that axe finds in the current page, in light and dark colours. */
  findViolations(): Promise<string[]>;
  close(): Promise<void>;
}

const axeFile = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const run = (options: object): string =>
  `axe.run(${JSON.stringify({ resultTypes: ['violations'], selectors: false, ...options })}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`;
/** The rules about colours: in dark mode nothing else of a page differs. */
const colourRules = ['color-contrast', 'link-in-text-block'];

const noIcon: Page = { status: '404 Not Found', headers: [], body: Buffer.alloc(0) };

/** @param target the path at which to show pages */
export const openAxeTab = async (browser: Browser, target: string): Promise<AxeTab> => {
  let shown = noIcon;
  const server = await servePages(({ path }) => (path === '/favicon.ico' ? noIcon : shown));
  // A colour in transition to the other scheme has no contrast yet.
  const tab = await browser.newPage({ colorScheme: 'light', reducedMotion: 'reduce' });
  // A fifth of the work of evaluating it in each page.
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
