/**
 * `node deploy/page-sheet/readme-picture.ts`: draws the two pictures at the top of README.md, for light and dark
 * readers. The codes come from the renderer, the pages from the samples that `npm run page-sheet` shows.
 */
import path from 'node:path';
import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import type { Style } from '#schemas/api/style.ts';
import { createRenderer, resolveStyle } from '../../control-plane/rendering/index.ts';
import { launchBrowser } from '../testing/browser.ts';
import { openPhone } from './phone.ts';
import { samplePages } from './samples.ts';

/** CSS pixels. Each is drawn with two device pixels. */
const phone = { width: 360, height: 740 };
const codeSide = 216;

const payload = 'https://qr.example.com/r/abc123XYZ';
const styles: readonly Style[] = [
  { preset: 'boutique', frame: { id: 'border', text: 'See the collection' } },
  { preset: 'ocean', frame: { id: 'none' } },
  { preset: 'sunset', frame: { id: 'none' } },
  { preset: 'cafe', frame: { id: 'banner', text: 'Menu' } },
];
const pages = ['p-musician', 'm-usual', 'v-authentic'];
const grounds = { light: '#f3efe8', dark: '#12161f' } as const;

const dataUri = (type: string, bytes: Buffer): string => `data:${type};base64,${bytes.toString('base64')}`;

const drawCodes = async (): Promise<string[]> => {
  const renderer = createRenderer();
  const drawn = styles.map((style) =>
    renderer.render({
      payload,
      look: resolveStyle(style),
      format: 'png',
      width: 2 * codeSide,
    }),
  );
  const codes = (await Promise.all(drawn)).map(({ body }) => dataUri('image/png', body));
  await renderer.close();
  return codes;
};

const shootPages = async (browser: Browser, colorScheme: 'light' | 'dark'): Promise<string[]> => {
  const tab = await openPhone(browser, { viewport: phone, colorScheme, deviceScaleFactor: 2 });
  const shots: string[] = [];
  for (const name of pages) {
    await tab.show(samplePages.get(name)!.html);
    shots.push(dataUri('image/png', await tab.page.screenshot({ animations: 'disabled' })));
  }
  await tab.page.context().close();
  return shots;
};

const styleOf = (ground: string): string => `
  * { box-sizing: border-box; margin: 0 }
  body { width: 1600px; height: 720px; background: ${ground}; overflow: hidden; border-radius: 28px }
  main { display: flex; align-items: center; gap: 64px; padding: 0 72px; height: 100% }
  .codes { display: grid; grid-template-columns: ${codeSide}px ${codeSide}px; gap: 28px; align-items: center }
  .codes img { width: 100%; display: block; border-radius: 14px; box-shadow: 0 6px 24px #0002 }
  .phones { display: flex; gap: 28px; align-items: flex-start }
  .phones img { width: 288px; border-radius: 34px; border: 8px solid #2b313d;
    box-shadow: 0 18px 50px #0004; display: block }
  .phones img:nth-child(2) { margin-top: 32px }
`;

const images = (uris: readonly string[]): string => uris.map((uri) => `<img src="${uri}" alt="">`).join('');

const compose = async (browser: Browser, colorScheme: 'light' | 'dark', codes: string[]): Promise<void> => {
  const shots = await shootPages(browser, colorScheme);
  const context = await browser.newContext({ viewport: { width: 1600, height: 720 }, deviceScaleFactor: 1 });
  const tab = await context.newPage();
  await tab.setContent(
    `<style>${styleOf(grounds[colorScheme])}</style><main><div class="codes">${images(codes)}</div>` +
      `<div class="phones">${images(shots)}</div></main>`,
  );
  await tab.evaluate('Promise.all([...document.images].map((image) => image.decode()))');
  const picture = await tab.screenshot({ omitBackground: true });
  const file = path.join(import.meta.dirname, `readme-${colorScheme}.webp`);
  await sharp(picture).webp({ quality: 86 }).toFile(file);
  await context.close();
  console.log(file);
};

const browser = await launchBrowser();
if (browser === undefined)
  throw new Error('No Chromium or Chrome is installed: install one and run this again');
const codes = await drawCodes();
for (const colorScheme of ['light', 'dark'] as const) await compose(browser, colorScheme, codes);
await browser.close();
