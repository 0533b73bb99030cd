/** Verification pages in a real browser, under their real policy. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page as Tab } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../../../deploy/testing/browser.ts';
import type { Page } from '../page.ts';
import { type PageServer, servePages } from '../testing/page-server.ts';
import { sampleHost, sampleVerificationPages } from './testing/samples.ts';

const browser = await launchBrowser();
afterAll(() => browser?.close());

const samples = sampleVerificationPages();

const findViolations = `axe.run().then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`;
const overflows = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
/** Whether the verdict is seen without scrolling. */
const verdictBottom = 'document.querySelector(".lead").getBoundingClientRect().bottom';

describe.skipIf(!browser)('a verification page', () => {
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
    tab.on('console', (message) => {
      if (/Content Security Policy|Trusted/.test(message.text())) problems.push(message.text());
    });
    tab.on('pageerror', (error) => problems.push(error.message));
    tab.on('request', (request) => {
      if (!request.url().startsWith(server.origin)) problems.push(request.url());
    });
  });
  afterAll(() => server?.close());

  const open = async (page: Page, width = 390): Promise<void> => {
    shown = page;
    await tab.setViewportSize({ width, height: 844 });
    await tab.goto(`${server.origin}/v/abcdefghijkl/x`);
  };

  test.each(Object.entries(samples))('%s: axe finds nothing, light or dark', async (_, page) => {
    await open(page);
    await tab.evaluate(axe);
    expect(await tab.evaluate(findViolations)).toEqual([]);
    await tab.emulateMedia({ colorScheme: 'dark' });
    expect(await tab.evaluate(findViolations)).toEqual([]);
    await tab.emulateMedia({ colorScheme: 'light' });
    expect(problems).toEqual([]);
  });

  test('has its verdict in the first view and nothing beside it, from 320 to 1280 pixels', async () => {
    for (const [name, page] of Object.entries(samples)) {
      for (const width of [320, 768, 1280]) {
        await open(page, width);
        expect([name, width, await tab.evaluate(overflows)]).toEqual([name, width, false]);
        expect(await tab.evaluate<number>(verdictBottom)).toBeLessThan(600);
      }
    }
  });

  test('keeps the texts of an owner inside their card', async () => {
    await open(samples.hostile!, 320);
    const outside = `[...document.querySelectorAll('.card')].filter((card) => card.scrollWidth > card.clientWidth).length`;
    expect(await tab.evaluate(outside)).toBe(0);
    expect(await tab.locator('.product h2').textContent()).toContain('<script>alert(1)</script>');
  });

  test('tells those who hear it the verdict as its first heading, and shows the host', async () => {
    await open(samples.authentic!);
    expect(await tab.getByRole('heading').allTextContents()).toEqual([
      'Authentic',
      'Aurora table lamp, midnight blue',
      'Scans of this code',
      'What to do',
      'Is this page real?',
    ]);
    expect(await tab.getByRole('main').getByRole('heading', { level: 1 }).textContent()).toBe('Authentic');
    expect(await tab.title()).toMatch(/^Authentic: /);
    expect(await tab.getByText(sampleHost).count()).toBe(2);
  });

  test('is read from the right in Arabic, and numbers are not turned', async () => {
    await open(samples['scannedBefore-ar']!);
    expect(await tab.evaluate('getComputedStyle(document.body).direction')).toBe('rtl');
    expect(await tab.evaluate(`getComputedStyle(document.querySelector('.number')).direction`)).toBe('ltr');
  });

  test('has a verdict in black on white on paper', async () => {
    await open(samples.authentic!);
    await tab.emulateMedia({ media: 'print' });
    const colours = `(({ color, backgroundColor }) => [color, backgroundColor])(getComputedStyle(document.querySelector('header')))`;
    expect(await tab.evaluate(colours)).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)']);
    await tab.emulateMedia({ media: 'screen' });
  });
});
