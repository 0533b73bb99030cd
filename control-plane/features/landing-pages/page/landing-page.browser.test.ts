/** Landing pages and status pages in a real browser, under their real policy. */

import { afterAll, describe, expect, test } from 'vitest';
import type { RenderedPage } from '#shared/pages/shell.ts';
import { wordsOf } from '#shared/pages/words.ts';
import { launchBrowser } from '../../../../deploy/testing/browser.ts';
import { type Status, statusPage } from '../../hosted/layout/index.ts';
import { createPageViewer } from '../../hosted/layout/testing/page-viewer.ts';
import { pausedPage } from '../../hosted/serving/refusals.ts';
import { renderLandingPage } from './render-landing-page.ts';
import { landingSamples, samplePage } from './testing/samples.ts';

const browser = await launchBrowser();
afterAll(() => browser?.close());
const viewer = browser && (await createPageViewer(browser));

const pageOf = (name: string): RenderedPage =>
  renderLandingPage(samplePage('landing_page', landingSamples[name]!), {
    url: 'https://pages.example/page',
    variant: '',
    images: new Map(),
  });

const samples = Object.keys(landingSamples);
const statuses = Object.keys(wordsOf.en.status) as Status[];

/** how far the page extends beyond the window. */
const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

describe.skipIf(viewer === undefined)('a landing page in a browser', () => {
  const { tab, faults, hosts, open, findBarriers } = viewer!;

  test.each(samples)('%s has no barrier that axe-core finds, light and dark', async (name) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await tab.emulateMedia({ colorScheme });
      await open(pageOf(name));
      // axe-core does not judge text on a gradient: it judges it on both ends.
      for (const ground of ['--tint', '--ground']) {
        await tab.evaluate(`document.body.style.background = 'var(${ground})'`);
        expect(await findBarriers()).toEqual([]);
      }
      expect(faults).toEqual([]);
    }
  });

  test.each(['cafe', 'musician', 'grey'])(
    '%s has no barrier on a desk, where a panel replaces a picture',
    async (name) => {
      await tab.setViewportSize({ width: 1280, height: 800 });
      for (const colorScheme of ['light', 'dark'] as const) {
        await tab.emulateMedia({ colorScheme });
        await open(pageOf(name));
        expect(await findBarriers()).toEqual([]);
        const [panel, text] = await tab.evaluate<[string, number]>(
          `[getComputedStyle(document.querySelector('.head'), '::before').width, document.querySelector('h1').getBoundingClientRect().left]`,
        );
        expect(Number.parseFloat(panel)).toBeLessThan(text);
      }
      await tab.setViewportSize({ width: 390, height: 844 });
    },
  );

  test.each(statuses)(
    'the page of "%s" has no barrier that axe-core finds, light and dark',
    async (status) => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await tab.emulateMedia({ colorScheme });
        // Reopened, since colours change gradually.
        await open(statusPage(status));
        expect(await findBarriers()).toEqual([]);
      }
      expect(faults).toEqual([]);
    },
  );

  test.each(['cafe', 'musician', 'hostile'])(
    'the paused page of %s has no barrier that axe-core finds, light and dark, and is not wider than a phone',
    async (name) => {
      await tab.setViewportSize({ width: 320, height: 640 });
      for (const colorScheme of ['light', 'dark'] as const) {
        await tab.emulateMedia({ colorScheme });
        await open(pausedPage(samplePage('landing_page', landingSamples[name]!), 'en'));
        expect(await findBarriers()).toEqual([]);
        expect(await tab.evaluate(overflow)).toBe(0);
      }
      expect(faults).toEqual([]);
      await tab.setViewportSize({ width: 390, height: 844 });
    },
  );

  test('runs nothing that an owner wrote, and requests only the servers of its pictures', async () => {
    await open(pageOf('hostile'));
    await tab.waitForLoadState('networkidle');
    expect(faults).toEqual([]);
    expect([...hosts]).toEqual(['images.example']);
    const hrefs = await tab.$$eval('a', (links) => links.map((link) => new URL(link.href).protocol));
    expect(hrefs.length).toBeGreaterThan(2);
    expect(new Set(hrefs)).toEqual(new Set(['https:', 'mailto:']));
    expect(await tab.locator('h1').textContent()).toContain('<script>alert(1)</script>');
  });

  test('is never wider than the window: at 320 pixels, and at 360 with letters of twice the size', async () => {
    for (const name of samples) {
      await tab.setViewportSize({ width: 320, height: 640 });
      await open(pageOf(name));
      expect([name, await tab.evaluate(overflow)]).toEqual([name, 0]);
      await tab.setViewportSize({ width: 360, height: 640 });
      await tab.evaluate('document.documentElement.style.fontSize = "200%"');
      expect([name, await tab.evaluate(overflow)]).toEqual([name, 0]);
    }
    await tab.setViewportSize({ width: 390, height: 844 });
  });

  test('has links of at least 44 pixels, in visual order', async () => {
    await open(pageOf('musician'));
    const boxes = await tab.$$eval('a', (links) =>
      links.map((link) => {
        const { width, height, top, left } = link.getBoundingClientRect();
        return { side: Math.min(width, height), place: top * 1000 + left };
      }),
    );
    expect(boxes).toHaveLength(23);
    expect(Math.min(...boxes.map(({ side }) => side))).toBeGreaterThanOrEqual(44);
    const places = boxes.map(({ place }) => place);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  test('is printed on one sheet, also with twelve buttons', async () => {
    for (const name of ['musician', 'photographer', 'german', 'arabic']) {
      await open(pageOf(name));
      for (const format of ['A4', 'Letter']) {
        const pdf = await tab.pdf({ format });
        expect([name, format, pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length]).toEqual([
          name,
          format,
          1,
        ]);
      }
    }
  });

  test('shows where the focus is', async () => {
    await open(pageOf('cafe'));
    await tab.keyboard.press('Tab');
    const outline = await tab.evaluate('getComputedStyle(document.activeElement).outlineStyle');
    expect([await tab.evaluate('document.activeElement.textContent'), outline]).toEqual([
      expect.stringContaining('Book a table'),
      'solid',
    ]);
  });

  test('does not move when its pictures load, or fail to', async () => {
    await open(pageOf('photographer'));
    const headline = () => tab.locator('h1').boundingBox();
    const before = await headline();
    await tab.$$eval('img', (images) => {
      for (const image of images) image.remove();
    });
    expect(await headline()).toEqual(before);
  });

  test('does not animate for visitors who prefer reduced motion', async () => {
    const duration = `getComputedStyle(document.querySelector('.button')).transitionDuration`;
    await open(pageOf('cafe'));
    expect(await tab.evaluate(duration)).toBe('0.15s');
    await tab.emulateMedia({ reducedMotion: 'reduce' });
    expect(await tab.evaluate(duration)).toBe('0s');
    await tab.emulateMedia({ reducedMotion: null });
  });

  test('is printed as ink on paper, even if it is dark', async () => {
    await tab.emulateMedia({ media: 'print', colorScheme: 'dark' });
    for (const name of ['cafe', 'musician']) {
      await open(pageOf(name));
      const colors = await tab.evaluate<string[]>(
        `[...document.querySelectorAll('body, h1, .button, .button small, .foot')].map((one) => getComputedStyle(one).color)`,
      );
      expect(new Set(colors)).toEqual(new Set(['rgb(0, 0, 0)', 'rgb(51, 51, 51)']));
    }
    await tab.emulateMedia({ media: null });
  });

  test('never uses a sheet of paper only for our name', async () => {
    const sheets = async (): Promise<number> =>
      (await tab.pdf({ format: 'A4' })).toString('latin1').split(/\/Type \/Page\b/).length - 1;
    const seen = new Set<number>();
    for (let lines = 28; lines <= 38; lines += 2) {
      await open(
        renderLandingPage(
          samplePage('landing_page', { ...landingSamples.bare!, body: 'A line\n'.repeat(lines) }),
          { url: 'https://pages.example/page', variant: '', images: new Map() },
        ),
      );
      const whole = await sheets();
      await tab.$eval('.foot', (foot) => foot.remove());
      expect([lines, whole]).toEqual([lines, await sheets()]);
      seen.add(whole);
    }
    expect([...seen]).toEqual([1, 2]);
  });

  test('is laid out right to left in Arabic: the arrow is left of its text', async () => {
    await open(pageOf('arabic'));
    const [label, arrow] = await Promise.all(
      ['.label', '.label + svg'].map((part) => tab.locator(`.button ${part}`).first().boundingBox()),
    );
    expect(arrow!.x).toBeLessThan(label!.x);
  });
});
