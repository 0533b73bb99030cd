/** A menu's page in a real browser, under its real policy. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import type { BrowserContextOptions, Page as Tab } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { MenuContent } from '#schemas/api/menus.ts';
import { launchBrowser } from '../../../../deploy/testing/browser.ts';
import { menuPage } from './menu-page.ts';
import { emptyMenu, largestMenu, menuSamples, usualMenu } from './testing/samples.ts';

const evil = `</script><img src=x onerror="window.hit=1"><script>window.hit=1</script>"'`;
const hostileMenu: MenuContent = {
  ...emptyMenu,
  headline: evil,
  subheadline: evil,
  footer: evil,
  sections: [1, 2].map((number) => ({
    name: evil,
    description: evil,
    items: [
      {
        id: `item${number}`,
        name: evil,
        description: evil,
        price: evil,
        allergens: [evil],
        dietary: [evil, 'vegan'],
        customTags: { kind: [evil] },
        imageUrl: `https://images.example/"onerror="window.hit=1`,
      },
    ],
  })),
  tagCategories: [{ id: 'kind', name: evil, values: [evil] }],
  buttons: [{ id: 'a', label: evil, destination: 'javascript:window.hit=1', hint: evil }],
  socials: [{ id: 'b', platform: 'custom', url: 'javascript:window.hit=1', label: evil }],
};

/** Names wider than a phone's navigation, and narrower than one of its links may be. */
const withLongSections = (menu: MenuContent): MenuContent => ({
  ...menu,
  sections: menu.sections.map((section) => ({ ...section, name: `${section.name} `.repeat(4).trim() })),
});

const contents: Readonly<Record<string, MenuContent>> = {
  ...menuSamples,
  largest: largestMenu,
  hostile: hostileMenu,
  wide: withLongSections(usualMenu),
  wideArabic: withLongSections(menuSamples.arabic!),
};

const render = (content: MenuContent, query: URLSearchParams) =>
  menuPage.render(
    {
      id: 'menu_4nX5cPq7Rk2mQw8Z',
      kind: 'menu',
      workspaceId: 'ws_1',
      name: 'Menu',
      status: 'active',
      content,
      version: 1,
      createdAt: new Date(0),
      updatedAt: new Date(0),
    },
    {
      url: 'https://qr.example.com/m/menu_4nX5cPq7Rk2mQw8Z',
      variant: menuPage.variantOf!(query, menuPage.choicesOf!(content)),
      images: new Map(),
    },
  );

const browser = await launchBrowser();
const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url!, 'http://localhost');
  const content = contents[pathname.slice(1)];
  if (!content)
    return response.writeHead(404, { 'Content-Type': 'text/html' }).end('<title>elsewhere</title>');
  const { html, contentSecurityPolicy } = await render(content, searchParams);
  response
    .writeHead(200, { 'Content-Type': 'text/html', 'Content-Security-Policy': contentSecurityPolicy })
    .end(html);
});
let origin = '';
let axe = '';

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
});
afterAll(async () => {
  await browser?.close();
  server.close();
});

interface Visit {
  tab: Tab;
  /** Violations of the policy, and errors of the script. */
  faults: string[];
}

const phone = { width: 360, height: 780 };

/** Until the test ends. Pictures never load: the layout does not depend on them. */
const open = async (path: string, options: BrowserContextOptions = {}): Promise<Visit> => {
  const context = await browser!.newContext({ viewport: phone, reducedMotion: 'reduce', ...options });
  onTestFinished(() => context.close());
  const tab = await context.newPage();
  const faults: string[] = [];
  await context.route(
    (url) => url.origin !== origin,
    (route) => route.fulfill({ status: 404, body: '' }),
  );
  tab.on('console', (message) => {
    if (/Content Security Policy|Trusted/.test(message.text())) faults.push(message.text());
  });
  tab.on('pageerror', (error) => faults.push(error.message));
  await tab.goto(origin + path);
  return { tab, faults };
};

const shownNames = (tab: Tab): Promise<string[]> => tab.locator('.items > li:visible h3').allTextContents();
const sheetButton = (tab: Tab) => tab.locator('summary');
const option = (tab: Tab, name: string) => tab.locator('label', { hasText: name });
const queryOf = (tab: Tab): Promise<string> => tab.evaluate('location.search');

describe.skipIf(!browser)('without a script', () => {
  const options = { javaScriptEnabled: false };

  test('a guest filters by a form in a sheet, sees how many dishes are left, and clears it', async () => {
    const visit = await open('/usual', options);
    const { tab } = visit;
    expect(await shownNames(tab)).toHaveLength(60);
    await sheetButton(tab).click();
    await option(tab, 'Vegan').click();
    await option(tab, 'Celery').click();
    await tab.getByRole('button', { name: 'Show dishes' }).click();
    await tab.waitForURL(/\?diet=vegan&without=celery#menu$/);
    expect(await shownNames(tab)).toEqual([
      'Bruschetta al pomodoro',
      'Spaghetti aglio, olio e peperoncino',
      'Sorbetto al limone',
    ]);
    expect(await tab.getByRole('status').textContent()).toBe('Showing 3 of 60');
    expect(await tab.locator('h2:visible').allTextContents()).toEqual(['Antipasti', 'Pasta', 'Dolci']);
    expect(await tab.locator('#caution').isVisible()).toBe(true);
    await tab.locator('#clear').click();
    await expect.poll(() => shownNames(tab)).toHaveLength(60);
  });

  test('the sections are links, below a sticky bar', async () => {
    const visit = await open('/usual', options);
    const { tab } = visit;
    await tab.getByRole('link', { name: 'Pizza' }).click();
    const bar = tab.locator('.bar');
    await expect.poll(async () => (await bar.boundingBox())!.y).toBe(0);
    const { height } = (await bar.boundingBox())!;
    const heading = (await tab.getByRole('heading', { name: 'Pizza' }).boundingBox())!;
    expect(heading.y).toBeGreaterThanOrEqual(height);
    expect(heading.y).toBeLessThan(height + 40);
  });

  test('a tap outside the sheet closes it', async () => {
    const visit = await open('/usual', options);
    const { tab } = visit;
    await sheetButton(tab).click();
    expect(await tab.locator('form').isVisible()).toBe(true);
    await tab.mouse.click(180, 20);
    await expect.poll(() => tab.locator('form').isVisible()).toBe(false);
  });
});

/** Everything that a page hides as sent: items, sections, links to sections; and its texts about them. */
const hiddenIn = (html: string) => {
  const menu = html.slice(html.indexOf('<div class=bar>'), html.lastIndexOf('</section>'));
  const flags = (pattern: RegExp) => [...menu.matchAll(pattern)].map(([, hidden]) => hidden !== undefined);
  return {
    printed: /<p id=printed [^>]*>([^<]*)/.exec(html)![1]!.replaceAll('&#39;', "'"),
    items: flags(/\n<li(?: data-t=[\d,]+)?( hidden)?>/g),
    sections: flags(/<section id=s\d+( hidden)?>/g),
    links: flags(/<a href="#s\d+" dir=auto( hidden)?>/g),
    nothing: flags(/<p id=nothing( hidden)?>/g),
    caution: flags(/<p id=caution class=caution( hidden)?>/g),
    count: /<p id=count [^>]*>([^<]*)/.exec(html)![1],
  };
};

/** The same for the page in the browser, after a choice. @param chosen the numbers of the checked boxes */
const chooseAndLook = (chosen: readonly number[]): string => `(() => {
  const boxes = [...document.querySelectorAll('form input')];
  boxes.forEach((box, at) => { box.checked = ${JSON.stringify(chosen)}.includes(at); });
  boxes[0].dispatchEvent(new Event('change', { bubbles: true }));
  const flags = (selector) => [...document.querySelectorAll(selector)].map(({ hidden }) => hidden);
  return {
    printed: document.getElementById('printed').textContent,
    items: flags('.items > li'),
    sections: flags('section'),
    links: flags('.bar nav a'),
    nothing: flags('#nothing'),
    caution: flags('#caution'),
    count: document.getElementById('count').textContent,
  };
})()`;

describe.skipIf(!browser)('with the script', () => {
  test('a menu opens at its top without focus, even in a window above its filter', async () => {
    const { tab } = await open('/usual', { viewport: { width: 360, height: 480 } });
    expect(await tab.locator('#close').getAttribute('hidden')).toBe(null);
    // Events queued by the script's start come before the second frame.
    await tab.evaluate(
      'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))',
    );
    expect(await tab.evaluate('[document.activeElement.localName, scrollY]')).toEqual(['body', 0]);
  });

  test.each(['wide', 'wideArabic'])(
    '%s: a section whose name is wider than the bar shows its beginning',
    async (path) => {
      const { tab } = await open(`/${path}`);
      await expect.poll(() => tab.locator('nav [aria-current]').count()).toBe(1);
      const before = await tab.evaluate(`(() => {
      const nav = document.querySelector('.bar nav');
      const [box, frame] = [nav.querySelector('a').getBoundingClientRect(), nav.getBoundingClientRect()];
      return { isWider: box.width > frame.width, start: document.dir === 'rtl' ? box.right - frame.right : box.left - frame.left };
    })()`);
      expect(before).toEqual({ isWider: true, start: 0 });
    },
  );

  test('the sheet offers to clear an active filter, and the focus ring of its first button is complete', async () => {
    const { tab } = await open('/usual');
    await sheetButton(tab).press('Enter');
    const clear = tab.locator('.actions a');
    expect(await clear.isVisible()).toBe(false);
    // The sheet scrolls, and would clip a ring outside of its button.
    const ring = await tab.evaluate(`(() => {
      const { outlineOffset, outlineWidth } = getComputedStyle(document.activeElement);
      return [document.activeElement.id, Number.parseFloat(outlineOffset) + Number.parseFloat(outlineWidth)];
    })()`);
    expect(ring).toEqual(['close', expect.toSatisfy((reach: number) => reach <= 0)]);
    await option(tab, 'Vegan').click();
    await expect.poll(() => clear.isVisible()).toBe(true);
    await clear.click();
    await expect.poll(() => clear.isVisible()).toBe(false);
  });

  test('each choice filters at once and is announced; the URL follows, and Back leaves the menu', async () => {
    const visit = await open('/elsewhere');
    const { tab, faults } = visit;
    await tab.goto(`${origin}/usual`);
    await sheetButton(tab).click();
    const before = await tab.locator('form').boundingBox();
    await option(tab, 'Vegetarian').click();
    await option(tab, 'Nuts').click();
    await expect.poll(() => tab.getByRole('status').textContent()).toBe('Showing 18 of 60');
    expect(await tab.locator('#chosen').textContent()).toBe('2');
    await expect.poll(() => queryOf(tab)).toBe('?diet=vegetarian&without=nuts');
    expect(await tab.locator('form').boundingBox()).toEqual(before);
    expect(await tab.getByRole('link', { name: 'Bevande' }).isVisible()).toBe(false);
    await tab.getByRole('button', { name: 'Show dishes (18)' }).click();
    await expect.poll(() => tab.locator('form').isVisible()).toBe(false);
    const shown = await shownNames(tab);
    expect(shown).toHaveLength(18);
    await tab.reload();
    expect(await shownNames(tab)).toEqual(shown);
    await tab.goBack();
    expect(await tab.title()).toBe('elsewhere');
    await tab.goForward();
    await expect.poll(() => shownNames(tab)).toEqual(shown);
    await tab.locator('#clear').click();
    await expect.poll(async () => [(await shownNames(tab)).length, await queryOf(tab)]).toEqual([60, '']);
    expect(faults).toEqual([]);
  });

  test('a message says if nothing matches', async () => {
    const visit = await open('/usual?diet=halal');
    const { tab } = visit;
    await sheetButton(tab).click();
    await option(tab, 'Spicy').click();
    await expect.poll(() => tab.getByText('No dish matches these filters.').isVisible()).toBe(true);
    expect(await tab.locator('section:visible').count()).toBe(0);
  });

  test('shows for any choice what the server shows for its URL', async () => {
    const visit = await open('/usual');
    const { tab } = visit;
    const count = await tab.locator('form input').count();
    const choice = fc.uniqueArray(fc.nat(count - 1), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(choice, async (chosen) => {
        const seen = await tab.evaluate(chooseAndLook(chosen));
        const { html } = await render(usualMenu, new URLSearchParams(await queryOf(tab)));
        expect(seen).toEqual(hiddenIn(html));
      }),
      { numRuns: 60 },
    );
  });

  test('marks the section being read; taps on sections add no history entries', async () => {
    const visit = await open('/usual');
    const { tab } = visit;
    const current = () => tab.locator('nav [aria-current]').allTextContents();
    await expect.poll(current).toEqual(['Antipasti']);
    const length = await tab.evaluate('history.length');
    await tab.getByRole('link', { name: 'Secondi' }).click();
    await expect.poll(current).toEqual(['Secondi']);
    await tab.evaluate('scrollTo(0, document.body.scrollHeight)');
    await expect.poll(current).toEqual(['Bevande']);
    const inView = async () => {
      const [link, nav] = await Promise.all(
        ['nav [aria-current]', '.bar nav'].map((selector) => tab.locator(selector).boundingBox()),
      );
      return link!.x >= nav!.x && link!.x + link!.width <= nav!.x + nav!.width;
    };
    await expect.poll(inView).toBe(true);
    expect(await tab.evaluate('history.length')).toBe(length);
  });

  test('everything works by keyboard', async () => {
    const visit = await open('/usual');
    const { tab } = visit;
    const focused = () => tab.evaluate('document.activeElement.textContent || document.activeElement.value');
    for (let presses = 0; (await focused()) !== 'Filter' && presses < 20; presses++)
      await tab.keyboard.press('Tab');
    await tab.keyboard.press('Enter');
    await tab.keyboard.press('Tab');
    await expect.poll(focused).toBe('vegetarian');
    await tab.keyboard.press('Space');
    await expect.poll(() => queryOf(tab)).toBe('?diet=vegetarian');
    await tab.keyboard.press('Escape');
    await expect.poll(() => tab.locator('form').isVisible()).toBe(false);
    await expect.poll(focused).toBe('Filter1');
  });

  test('the filter is a dialog with a name: the focus stays in it, and returns to its button, however it is closed', async () => {
    const visit = await open('/usual', { viewport: { width: 1280, height: 800 } });
    const { tab, faults } = visit;
    const dialog = tab.getByRole('dialog', { name: 'Filter' });
    const closed = () =>
      expect
        .poll(async () => [await dialog.isVisible(), await tab.evaluate('document.activeElement.localName')])
        .toEqual([false, 'summary']);
    const ways: (() => Promise<void>)[] = [
      () => tab.keyboard.press('Escape'),
      () => dialog.getByRole('button', { name: 'Close' }).click(),
      () => tab.mouse.click(100, 400),
    ];
    for (const way of ways) {
      await sheetButton(tab).click();
      await expect.poll(() => dialog.isVisible()).toBe(true);
      await way();
      await closed();
    }
    await sheetButton(tab).click();
    const close = (await dialog.getByRole('button', { name: 'Close' }).boundingBox())!;
    expect(Math.min(close.width, close.height)).toBeGreaterThanOrEqual(44);
    const outside: unknown[] = [];
    for (let presses = 0; presses < 40; presses++) {
      await tab.keyboard.press(presses < 30 ? 'Tab' : 'Shift+Tab');
      const element = await tab.evaluate(
        `document.activeElement.closest('dialog:modal') ? '' : document.activeElement.outerHTML.slice(0, 80)`,
      );
      if (element !== '') outside.push(element);
    }
    expect(outside).toEqual([]);
    expect(faults).toEqual([]);
  });
});

describe.skipIf(!browser)('in print', () => {
  test('a filtered menu says so, and by what', async () => {
    const visit = await open('/usual?diet=vegan');
    const { tab } = visit;
    await tab.evaluate(`document.querySelector('input[value=celery]').click()`);
    expect(await tab.locator('#printed').isVisible()).toBe(false);
    await tab.emulateMedia({ media: 'print' });
    expect(await tab.locator('#printed').isVisible()).toBe(true);
    expect(await tab.locator('#printed').textContent()).toMatch(
      /^Showing 3 of 60 · Diet: Vegan · Hide dishes that list: Celery$/,
    );
  });

  test('the menu has its prices, black on white, in two columns if the paper is wide, and its URL', async () => {
    const visit = await open('/themed', { viewport: { width: 760, height: 1000 } });
    const { tab } = visit;
    await tab.emulateMedia({ media: 'print', colorScheme: 'dark' });
    for (const selector of ['.bar', '.hero', '.state', '.buttons', '.socials', '.side'])
      expect(await tab.locator(selector).first().isVisible()).toBe(false);
    expect(await tab.locator('.price:visible').count()).toBe(60);
    expect(await tab.getByText('https://qr.example.com/m/menu_4nX5cPq7Rk2mQw8Z').isVisible()).toBe(true);
    expect(await tab.locator('.online svg').isVisible()).toBe(true);
    const look = `(() => { const { color, backgroundColor } = getComputedStyle(document.body); return [color, backgroundColor]; })()`;
    expect(await tab.evaluate(look)).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)']);
    const columns = (): Promise<number> =>
      tab.evaluate(
        `new Set([...document.querySelectorAll('.items > li')].map((item) => Math.round(item.getBoundingClientRect().left))).size`,
      );
    expect(await columns()).toBe(2);
    await tab.setViewportSize({ width: 500, height: 800 });
    expect(await columns()).toBe(1);
  });
});

const findViolations = `axe.run().then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`;

describe.skipIf(!browser)('accessibility', () => {
  const expectNone = async (tab: Tab, width: number, colorScheme: 'light' | 'dark'): Promise<void> => {
    await tab.setViewportSize({ width, height: 800 });
    await tab.emulateMedia({ colorScheme });
    expect(await tab.evaluate(findViolations)).toEqual([]);
    const overflows = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
    expect(await tab.evaluate(overflows)).toBe(false);
  };

  test.each(['usual', 'themed', 'long', 'arabic', 'bare'])(
    'axe finds nothing on %s, and nothing is wider than the screen, at 360 and 1280 pixels, light and dark',
    async (name) => {
      const visit = await open(`/${name}`);
      const { tab, faults } = visit;
      await tab.evaluate(axe);
      await expectNone(tab, 360, 'light');
      await expectNone(tab, 1280, 'dark');
      if (name === 'bare') return;
      await sheetButton(tab).click();
      await expectNone(tab, 1280, 'light');
      await expectNone(tab, 360, 'dark');
      expect(faults).toEqual([]);
    },
  );

  test('tap targets are 44 pixels high', async () => {
    const visit = await open('/usual?diet=vegan');
    const { tab } = visit;
    await sheetButton(tab).click();
    const low = await tab.evaluate(
      `[...document.querySelectorAll('a, button, summary, label')]
        .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 44)
        .map((one) => one.outerHTML)`,
    );
    expect(low).toEqual([]);
  });
});

test.skipIf(!browser)('owners’ texts run nothing, and do not violate the policy', async () => {
  const visit = await open('/hostile?diet=vegan');
  const { tab, faults } = visit;
  await sheetButton(tab).click();
  await option(tab, 'Vegan').click();
  expect(await tab.evaluate('window.hit')).toBeUndefined();
  expect(await tab.locator('h1').textContent()).toBe(evil);
  expect(await tab.locator('.items h3').first().textContent()).toBe(evil);
  expect(faults).toEqual([]);
});
