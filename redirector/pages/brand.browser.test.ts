/** 404 pages of domains in a real browser, under their real policy. */
import type { Page as Tab } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../../deploy/testing/browser.ts';
import { type AxeTab, openAxeTab } from './testing/axe-tab.ts';
import { sampleBrandedPages } from './testing/branded-samples.ts';

const browser = await launchBrowser();
afterAll(() => browser?.close());

const samples = sampleBrandedPages();
const overflows = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
describe.skipIf(!browser)('the 404 page of a domain', () => {
  let axe: AxeTab;
  let tab: Tab;

  beforeAll(async () => {
    axe = await openAxeTab(browser!, '/nothing');
    tab = axe.tab;
  });
  afterAll(() => axe?.close());

  test.each(Object.entries(samples))(
    '%s: axe finds nothing, light or dark, and nothing is wider than a phone',
    async (_, page) => {
      await axe.show(page, 320);
      expect(await axe.findViolations()).toEqual([]);
      expect(await tab.evaluate(overflows)).toBe(false);
      expect([axe.problems, axe.outside]).toEqual([[], []]);
    },
  );

  test('shows the logo of the owner, and leads to their site', async () => {
    await axe.show(samples.branded!);
    await tab.evaluate('document.images[0].decode()');
    expect(await tab.evaluate('document.images[0].naturalWidth')).toBe(80);
    expect(await tab.getByRole('link').first().getAttribute('href')).toBe(
      'https://norrsken.example/collection',
    );
    expect(await tab.getByRole('heading').allTextContents()).toEqual(['We cannot find that']);
    expect([axe.problems, axe.outside]).toEqual([[], []]);
  });
});
