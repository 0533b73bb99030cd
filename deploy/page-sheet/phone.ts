/** A tab that shows sample pages as a phone does, with the font and the pictures that a server lacks. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Browser, BrowserContextOptions, Page as Tab } from 'playwright-core';
import { fontType } from '#shared/pages/themes/fonts.ts';
import { themeFonts } from '#shared/pages/themes/named-themes.ts';
import { picturesFolder } from './samples.ts';

/** Stands in for the system fonts of phones: Inter resembles all of them. In a theme, it has a name of its own. */
const standIn = 'Phone';

const fontOf = async (): Promise<string> => {
  const require = createRequire(import.meta.url);
  const faces = [400, 600, 700].map(async (weight) => {
    const file = require.resolve(`@fontsource/inter/files/inter-latin-${weight}-normal.woff2`);
    const font = (await readFile(file)).toString('base64');
    return `@font-face{font-family:${standIn};font-weight:${weight};src:url(data:font/woff2;base64,${font})}`;
  });
  return (await Promise.all(faces)).join('');
};

const address = 'https://pages.example/page';

/** @returns the tab, and a function that shows a page's HTML in it */
export const openPhone = async (
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<{ page: Tab; show(html: string): Promise<void> }> => {
  // The page's policy would refuse the font, which is not its own.
  const context = await browser.newContext({ ...options, bypassCSP: true });
  await context.route('https://images.example/**', (route) => {
    const isHero = route.request().url().includes('hero');
    return route.fulfill({ path: path.join(picturesFolder, isHero ? 'bakery.webp' : 'sign.webp') });
  });
  const page = await context.newPage();
  const font = await fontOf();
  let shown = '';
  await context.route('https://pages.example/**', (route) => {
    const { href, pathname } = new URL(route.request().url());
    if (href === address) return route.fulfill({ contentType: 'text/html; charset=utf-8', body: shown });
    const file = themeFonts.at(pathname);
    return file ? route.fulfill({ contentType: fontType, body: file.bytes }) : route.abort();
  });
  return {
    page,
    async show(html) {
      shown = html.replaceAll('system-ui', standIn);
      await page.goto(address);
      await page.addStyleTag({ content: font });
      await page.evaluate('document.fonts.ready');
    },
  };
};
