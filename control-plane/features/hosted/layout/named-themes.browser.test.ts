/** Pages of each kind in each named theme, in a real browser, under their real policy. */
import type { Request } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { type ThemeName, themeNames } from '#schemas/api/blocks.ts';
import type { RenderedPage } from '#shared/pages/shell.ts';
import { launchBrowser } from '../../../../deploy/testing/browser.ts';
import { renderForm, renderSent } from '../../forms/page/render-form.ts';
import { sampleForms } from '../../forms/testing/sample-forms.ts';
import { renderLandingPage } from '../../landing-pages/page/render-landing-page.ts';
import { landingSamples, samplePage, samplePictures } from '../../landing-pages/page/testing/samples.ts';
import { menuPage } from '../../menus/page/menu-page.ts';
import { usualMenu } from '../../menus/page/testing/samples.ts';
import { pausedPage } from '../serving/refusals.ts';
import { createPageViewer } from './testing/page-viewer.ts';

const browser = await launchBrowser();
afterAll(() => browser?.close());
const viewer = browser && (await createPageViewer(browser));

const context = { url: 'https://pages.example/page', variant: '', images: new Map() };

const landing = (name: ThemeName, sample: string): RenderedPage =>
  renderLandingPage(samplePage('landing_page', { ...landingSamples[sample]!, theme: { name } }), context);

const pagesIn = async (name: ThemeName): Promise<Record<string, RenderedPage>> => {
  const menu = { ...usualMenu, theme: { name }, heroImageUrl: samplePictures.hero };
  const { everything } = sampleForms;
  const form = { ...everything, content: { ...everything.content, theme: { name } } };
  return {
    plain: landing(name, 'cafe'),
    picture: landing(name, 'photographer'),
    long: landing(name, 'german'),
    arabic: landing(name, 'arabic'),
    menu: await menuPage.render(samplePage('menu', menu), context),
    form: await renderForm(form, context),
    sent: renderSent(form, context),
    paused: pausedPage(samplePage('menu', menu), 'en'),
  };
};

const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

/** axe-core does not judge text near a picture, below an awning or scrolled out of a bar: it judges the same text on the same ground. */
const onGround = `for (const rule of [
  'body::before, .hero, [id=menu] h2::before, [id=menu] h2::after { display: none !important }',
  '.bar nav { flex-wrap: wrap }',
  'body { background: var(--ground) !important }',
]) document.styleSheets[0].insertRule(rule, document.styleSheets[0].cssRules.length)`;

describe.skipIf(viewer === undefined).each(themeNames)('a page in %s', (name) => {
  const { tab, faults, hosts, fonts, open, findBarriers } = viewer!;

  test('has no barrier that axe-core finds, light and dark, on a phone and on a desk', async () => {
    for (const [kind, page] of Object.entries(await pagesIn(name)))
      for (const width of [390, 1280])
        for (const colorScheme of ['light', 'dark'] as const) {
          await tab.setViewportSize({ width, height: 844 });
          await tab.emulateMedia({ colorScheme });
          await open(page);
          await tab.evaluate(onGround);
          expect([kind, width, colorScheme, await findBarriers(), faults]).toEqual([
            kind,
            width,
            colorScheme,
            [],
            [],
          ]);
        }
  });

  test('is never wider than the window: at 320 pixels, and at 360 with letters of twice the size', async () => {
    for (const [kind, page] of Object.entries(await pagesIn(name))) {
      await tab.setViewportSize({ width: 320, height: 640 });
      await open(page);
      await tab.evaluate('document.fonts.ready');
      expect([kind, await tab.evaluate(overflow)]).toEqual([kind, 0]);
      await tab.setViewportSize({ width: 360, height: 640 });
      await tab.evaluate('document.documentElement.style.fontSize = "200%"');
      expect([kind, await tab.evaluate(overflow)]).toEqual([kind, 0]);
    }
  });

  test('loads its two fonts from its own host, and asks no other host but that of its pictures', async () => {
    const { plain, picture } = await pagesIn(name);
    await tab.setViewportSize({ width: 390, height: 844 });
    await open(plain!);
    await tab.evaluate('document.fonts.ready');
    expect([fonts.size, [...hosts]]).toEqual([2, []]);
    await open(picture!);
    await tab.evaluate('document.fonts.ready');
    expect([fonts.size, [...hosts]]).toEqual([2, ['images.example']]);
  });

  test('asks for its fonts after its pictures have loaded', async () => {
    const { picture } = await pagesIn(name);
    const order: string[] = [];
    const onFinished = (request: Request): void => {
      if (request.resourceType() === 'image') order.push('picture loaded');
    };
    const onRequest = (request: Request): void => {
      if (request.resourceType() === 'font') order.push('font asked for');
    };
    tab.on('requestfinished', onFinished).on('request', onRequest);
    await open(picture!);
    await tab.evaluate('document.fonts.ready');
    tab.off('requestfinished', onFinished).off('request', onRequest);
    expect(order.filter((each) => each === 'font asked for')).toHaveLength(2);
    expect(order.lastIndexOf('picture loaded')).toBeLessThan(order.indexOf('font asked for'));
  });

  test('has the button of a form below the middle of a centred title, or below the beginning of another', async () => {
    const { form } = await pagesIn(name);
    for (const width of [768, 1280]) {
      await tab.setViewportSize({ width, height: 900 });
      await open(form!);
      const apart = await tab.evaluate<number>(`(() => {
        const title = document.querySelector('h1');
        const [above, below] = [title, document.querySelector('.send')].map((each) => each.getBoundingClientRect());
        return getComputedStyle(title).textAlign === 'center'
          ? above.left + above.right - below.left - below.right
          : above.left - below.left;
      })()`);
      expect([width, Math.abs(apart) < 1]).toEqual([width, true]);
    }
  });

  test('shows the edge of each button with forced colours', async () => {
    const { plain } = await pagesIn(name);
    await tab.emulateMedia({ forcedColors: 'active' });
    await open(plain!);
    const edges = await tab.evaluate<number[]>(`[...document.querySelectorAll('.button')].map((button) => {
      const { borderTopWidth, borderBottomWidth } = getComputedStyle(button);
      return Math.max(Number.parseFloat(borderTopWidth), Number.parseFloat(borderBottomWidth));
    })`);
    await tab.emulateMedia({ forcedColors: 'none' });
    expect(edges).toHaveLength(3);
    expect(Math.min(...edges)).toBeGreaterThanOrEqual(1);
  });

  test('is printed on one sheet', async () => {
    const { plain, picture } = await pagesIn(name);
    for (const page of [plain!, picture!]) {
      await open(page);
      const pdf = await tab.pdf({ format: 'A4' });
      expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(1);
    }
  });

  test('of a landing page has at most 15 kB', async () => {
    const { plain, picture } = await pagesIn(name);
    for (const { html } of [plain!, picture!]) expect(Buffer.byteLength(html)).toBeLessThanOrEqual(15 * 1024);
  });
});
