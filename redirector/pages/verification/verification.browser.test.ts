/** Verification pages in a real browser, under their real policy. */
import type { Page as Tab } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../../../deploy/testing/browser.ts';
import { type AxeTab, openAxeTab } from '../testing/axe-tab.ts';
import { servePages } from '../testing/page-server.ts';
import { contrastSeen } from '../testing/seen.ts';
import { sampleHost, sampleVerificationPages } from './testing/samples.ts';

const browser = await launchBrowser();
afterAll(() => browser?.close());

const samples = sampleVerificationPages();

const overflows = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
/** Whether the verdict is visible without scrolling. */
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
    '%s: axe finds nothing, light or dark; its verdict is visible without scrolling, and nothing overflows, from 320 to 1280 pixels',
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

  test('has the verdict as its first heading for screen readers, and shows the host', async () => {
    await axe.show(samples.authentic!);
    expect(await tab.getByRole('heading').allTextContents()).toEqual([
      'Authentic',
      'Aurora table lamp, midnight blue',
      'Keep this in mind',
      'Check the address',
    ]);
    expect(await tab.getByRole('main').getByRole('heading', { level: 1 }).textContent()).toBe('Authentic');
    expect(await tab.title()).toMatch(/^Authentic: /);
    // A copy of the page would show its own host, so the host to compare with is printed next to the code.
    expect(await tab.getByText(sampleHost).count()).toBe(1);
    await tab.getByText('with the name printed next to the code').waitFor();
  });

  test('reads from right to left in Arabic, without reversing numbers', async () => {
    await axe.show(samples['scannedBefore-ar']!);
    expect(await tab.evaluate('getComputedStyle(document.body).direction')).toBe('rtl');
    expect(await tab.evaluate(`getComputedStyle(document.querySelector('.number')).direction`)).toBe('ltr');
  });

  test.each(Object.entries(samples))(
    "%s: its emblem is visible in the system's own colours, light and dark",
    async (_, page) => {
      await axe.show(page);
      for (const colorScheme of ['light', 'dark'] as const) {
        await tab.emulateMedia({ forcedColors: 'active', colorScheme });
        const box = (await tab.locator('.emblem').boundingBox())!;
        expect(await contrastSeen(tab, box)).toBeGreaterThan(7);
      }
      await tab.emulateMedia({ forcedColors: 'none', colorScheme: 'light' });
    },
  );

  test('shows the picture of the product, 80 pixels wide, beside its name', async () => {
    await axe.show(samples.authentic!, 360);
    const [picture, name] = [tab.locator('.named img'), tab.locator('.named h2')];
    const [shown, named] = [(await picture.boundingBox())!, (await name.boundingBox())!];
    expect([shown.width, shown.height]).toEqual([80, 80]);
    expect(await tab.evaluate('document.querySelector(".named img").naturalWidth')).toBe(160);
    expect(named.x).toBeGreaterThan(shown.x + shown.width);
    expect(axe.problems).toEqual([]);
  });

  test('has buttons that a thumb can hit, and does not overflow with letters twice as large', async () => {
    for (const name of ['authentic', 'recalled', 'longNames', 'longest', 'authentic-ar']) {
      await axe.show(samples[name]!, 320);
      for (const button of await tab.locator('.ways .button').all())
        expect((await button.boundingBox())!.height).toBeGreaterThanOrEqual(48);
      await tab.evaluate('document.documentElement.style.fontSize = "200%"');
      expect([name, await tab.evaluate(overflows)]).toEqual([name, false]);
    }
  });

  test.each([
    [{ timezoneId: 'Asia/Kolkata' }, ['20\u00a0November 2026 at 01:17', '23\u00a0November 2026 at 01:22']],
    [
      { javaScriptEnabled: false },
      ['19\u00a0November 2026 at 19:47\u00a0UTC', '22\u00a0November 2026 at 19:52\u00a0UTC'],
    ],
  ])('shows its times in the zone of the visitor, and without scripts in UTC: %j', async (options, times) => {
    const server = await servePages(() => samples.scannedBefore!);
    const visitor = await browser!.newPage(options);
    await visitor.goto(`${server.origin}/v/abcdefghijkl/x`);
    expect(await visitor.locator('time').allTextContents()).toEqual(times);
    await visitor.close();
    await server.close();
  });

  test('prints its verdict in black on white', async () => {
    await axe.show(samples.authentic!);
    await tab.emulateMedia({ media: 'print' });
    const colours = `(({ color, backgroundColor }) => [color, backgroundColor])(getComputedStyle(document.querySelector('header')))`;
    expect(await tab.evaluate(colours)).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)']);
    await tab.emulateMedia({ media: 'screen' });
  });
});
