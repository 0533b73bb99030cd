/**
 * `npm run page-sheet -- [folder] [--only part-of-a-name]`: pictures of hosted pages and of the verification page.
 * Every sample on a phone, a tablet and a desktop, side by side, as `name-light.png` and `name-dark.png`.
 */
import { mkdir } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Page as Tab } from 'playwright-core';
import sharp from 'sharp';
import { launchBrowser } from '../testing/browser.ts';
import { openPhone } from './phone.ts';
import { samplePages } from './samples.ts';

const widths = [360, 768, 1280];
const schemes = ['light', 'dark'] as const;
const gap = 24;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string', default: '' } },
});
const folder = path.resolve(positionals[0] ?? path.join(os.tmpdir(), 'waymark-page-sheet'));

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

const shown = [...samplePages.keys()].filter((name) => name.includes(values.only));
if (shown.length === 0)
  throw new Error(`No page has "${values.only}" in its name: ${[...samplePages.keys()].join(', ')}`);
const browser = await launchBrowser();
if (browser === undefined)
  throw new Error('No Chromium or Chrome is installed: install one and run this again');
await mkdir(folder, { recursive: true });
const phone = await openPhone(browser);
const tab = phone.page;
for (const name of shown) {
  const { html } = samplePages.get(name)!;
  for (const colorScheme of schemes) {
    await tab.emulateMedia({ colorScheme });
    await phone.show(html);
    const pictures: Buffer[] = [];
    for (const width of widths) pictures.push(await shoot(tab, width));
    await arrange(`${name}-${colorScheme}`, pictures);
  }
}
await browser.close();
console.log(folder);
