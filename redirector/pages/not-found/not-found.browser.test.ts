/** 404 pages of domains in a real browser, under their real policy. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page as Tab } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../../../deploy/testing/browser.ts';
import type { Page } from '../page.ts';
import { type PageServer, servePages } from '../testing/page-server.ts';
import { sampleNotFoundPages } from './testing/samples.ts';

const browser = await launchBrowser();
afterAll(() => browser?.close());

const samples = sampleNotFoundPages();
const findViolations = `axe.run().then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`;
const overflows = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="60"><rect width="200" height="60" rx="12"/></svg>';

describe.skipIf(!browser)('the 404 page of a domain', () => {
  let axe = '';
  let server: PageServer;
  let tab: Tab;
  let shown: Page;
  const problems: string[] = [];

  beforeAll(async () => {
    axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    const noIcon: Page = { status: '404 Not Found', headers: [], body: Buffer.alloc(0) };
    server = await servePages(({ path }) => (path === '/favicon.ico' ? noIcon : shown));
    tab = await browser!.newPage({ colorScheme: 'light' });
    await tab.route('https://images.example/**', (route) =>
      route.fulfill({ body: logo, contentType: 'image/svg+xml' }),
    );
    tab.on('console', (message) => {
      if (/Content Security Policy|Trusted/.test(message.text())) problems.push(message.text());
    });
    tab.on('pageerror', (error) => problems.push(error.message));
  });
  afterAll(() => server?.close());

  const open = async (page: Page, width = 390): Promise<void> => {
    shown = page;
    await tab.setViewportSize({ width, height: 844 });
    await tab.goto(`${server.origin}/nothing`);
  };

  test.each(Object.entries(samples))(
    '%s: axe finds nothing, light or dark, and nothing is wider than a phone',
    async (_, page) => {
      await open(page, 320);
      await tab.evaluate(axe);
      for (const colorScheme of ['dark', 'light'] as const) {
        await tab.emulateMedia({ colorScheme });
        expect(await tab.evaluate(findViolations)).toEqual([]);
      }
      expect(await tab.evaluate(overflows)).toBe(false);
      expect(problems).toEqual([]);
    },
  );

  test('shows the logo of the owner, and leads to his site', async () => {
    await open(samples.branded!);
    await tab.evaluate('document.images[0].decode()');
    expect(await tab.evaluate('document.images[0].naturalWidth')).toBe(200);
    expect(await tab.getByRole('link').getAttribute('href')).toBe('https://norrsken.example/collection');
    expect(await tab.getByRole('heading').allTextContents()).toEqual(['We cannot find that']);
    expect(problems).toEqual([]);
  });
});
