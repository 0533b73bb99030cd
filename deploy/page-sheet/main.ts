/**
 * `npm run page-sheet -- [folder] [--only part-of-a-name]`: pictures of hosted pages and of the verification page.
 * Every sample on a phone, a tablet and a desktop, side by side, as `name-light.png` and `name-dark.png`.
 */
import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser, Page as Tab } from 'playwright-core';
import sharp from 'sharp';
import { launchBrowser } from '../testing/browser.ts';
import { picturesFolder, samplePages } from './samples.ts';

const widths = [360, 768, 1280];
const schemes = ['light', 'dark'] as const;
const gap = 24;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string', default: '' } },
});
const folder = path.resolve(positionals[0] ?? path.join(os.tmpdir(), 'waymark-page-sheet'));

/** Stands in for the system fonts of phones, which a server lacks: Inter resembles all of them. */
const fontOf = async (): Promise<string> => {
  const require = createRequire(import.meta.url);
  const faces = [400, 600, 700].map(async (weight) => {
    const file = require.resolve(`@fontsource/inter/files/inter-latin-${weight}-normal.woff2`);
    const font = (await readFile(file)).toString('base64');
    return `@font-face{font-family:Inter;font-weight:${weight};src:url(data:font/woff2;base64,${font})}`;
  });
  return `${(await Promise.all(faces)).join('')}body{font-family:Inter,"Noto Sans",sans-serif!important}`;
};

const openTab = async (browser: Browser): Promise<Tab> => {
  // The page's policy would refuse the font, which is not its own.
  const context = await browser.newContext({ bypassCSP: true });
  await context.route('https://images.example/**', (route) => {
    const isHero = route.request().url().includes('hero');
    return route.fulfill({ path: path.join(picturesFolder, isHero ? 'bakery.webp' : 'sign.webp') });
  });
  return context.newPage();
};

const shoot = async (tab: Tab, width: number): Promise<Buffer> => {
  await tab.setViewportSize({ width, height: width < 600 ? 780 : 900 });
  // Another width may need another file of a picture. Pictures further down load when scrolled to.
  await tab.evaluate(
    `Promise.allSettled([...document.images].filter(({ loading }) => loading !== 'lazy').map((image) => image.decode()))`,
  );
  return tab.screenshot({ fullPage: true, animations: 'disabled' });
};

const arrange = async (name: string, pictures: Buffer[]): Promise<void> => {
  const sizes = await Promise.all(pictures.map((each) => sharp(each).metadata()));
  const left = (index: number) => widths.slice(0, index).reduce((sum, width) => sum + width + gap, gap);
  await sharp({
    create: {
      width: left(widths.length),
      height: Math.max(...sizes.map(({ height }) => height)) + 2 * gap,
      channels: 3,
      background: '#9a9a9a',
    },
  })
    .composite(pictures.map((input, index) => ({ input, top: gap, left: left(index) })))
    .png()
    .toFile(path.join(folder, `${name}.png`));
};

const browser = await launchBrowser();
if (browser === undefined)
  throw new Error('No Chromium or Chrome is installed: install one and run this again');
await mkdir(folder, { recursive: true });
const tab = await openTab(browser);
const font = await fontOf();
for (const [name, { html }] of samplePages) {
  if (!name.includes(values.only)) continue;
  for (const colorScheme of schemes) {
    await tab.emulateMedia({ colorScheme });
    await tab.setContent(html);
    await tab.addStyleTag({ content: font });
    await tab.evaluate('document.fonts.ready');
    const pictures: Buffer[] = [];
    for (const width of widths) pictures.push(await shoot(tab, width));
    await arrange(`${name}-${colorScheme}`, pictures);
  }
}
await browser.close();
console.log(folder);
