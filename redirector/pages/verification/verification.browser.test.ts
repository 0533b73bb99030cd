/** Verification pages in a real browser, under their real policy. */
import type { Page as Tab } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../../../deploy/testing/browser.ts';
import { type AxeTab, openAxeTab } from '../testing/axe-tab.ts';
import { sampleHost, sampleVerificationPages } from './testing/samples.ts';

const browser = await launchBrowser();
afterAll(() => browser?.close());

const samples = sampleVerificationPages();

const overflows = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
/** Whether the verdict is seen without scrolling. */
const verdictBottom = 'document.querySelector(".lead").getBoundingClientRect().bottom';

describe.skipIf(!browser)('a verification page', () => {
  let axe: AxeTab;
  let tab: Tab;

  beforeAll(async () => {
    axe = await openAxeTab(browser!, '/v/abcdefghijkl/x');
    tab = axe.tab;
  });
  afterAll(() => axe?.close());

  test.each(Object.entries(samples))(
    '%s: axe finds nothing, light or dark; its verdict is in the first view, and nothing beside it, from 320 to 1280 pixels',
    async (_, page) => {
      await axe.show(page);
      expect(await axe.findViolations()).toEqual([]);
      for (const width of [320, 768, 1280]) {
        await tab.setViewportSize({ width, height: 844 });
        expect([width, await tab.evaluate(overflows)]).toEqual([width, false]);
        expect(await tab.evaluate<number>(verdictBottom)).toBeLessThan(600);
      }
      expect([axe.problems, axe.outside]).toEqual([[], []]);
    },
  );

  test('keeps the texts of an owner inside their card', async () => {
    await axe.show(samples.hostile!, 320);
    const outside = `[...document.querySelectorAll('.card')].filter((card) => card.scrollWidth > card.clientWidth).length`;
    expect(await tab.evaluate(outside)).toBe(0);
    expect(await tab.locator('.product h2').textContent()).toContain('<script>alert(1)</script>');
  });

  test('tells those who hear it the verdict as its first heading, and shows the host', async () => {
    await axe.show(samples.authentic!);
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
    await axe.show(samples['scannedBefore-ar']!);
    expect(await tab.evaluate('getComputedStyle(document.body).direction')).toBe('rtl');
    expect(await tab.evaluate(`getComputedStyle(document.querySelector('.number')).direction`)).toBe('ltr');
  });

  test('has a verdict in black on white on paper', async () => {
    await axe.show(samples.authentic!);
    await tab.emulateMedia({ media: 'print' });
    const colours = `(({ color, backgroundColor }) => [color, backgroundColor])(getComputedStyle(document.querySelector('header')))`;
    expect(await tab.evaluate(colours)).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)']);
    await tab.emulateMedia({ media: 'screen' });
  });
});
