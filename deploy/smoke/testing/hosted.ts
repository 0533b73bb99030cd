/** Hosted pages, from the picture of a code to the page in a browser, as people use them. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, Page as Tab } from 'playwright-core';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { codeObject } from '#schemas/api/codes.ts';
import { formObject } from '#schemas/api/forms.ts';
import { landingPageObject } from '#schemas/api/landing-pages.ts';
import { menuObject } from '#schemas/api/menus.ts';
import { launchBrowser } from '../../testing/browser.ts';
import { decodeQr } from '../../testing/decode.ts';
import { afterFile } from '../../testing/local.ts';
import { exampleLine, examplesTimeoutMs, untilExamplesAreMade } from './examples.ts';
import { waymark } from './shared-installation.ts';

const browser = await launchBrowser();
afterFile(() => browser?.close());

const phone: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  isMobile: true,
  hasTouch: true,
  userAgent:
    'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Mobile Safari/537.36',
};

let visitors = 0;

interface Visitor {
  tab: Tab;
  address: string;
  /** Violations of the pages' policy, and errors of their scripts. */
  faults: string[];
}

/** A phone with its own address. Other hosts than ours answer "elsewhere". */
const newVisitor = async (options: BrowserContextOptions = {}): Promise<Visitor> => {
  visitors += 1;
  const address = `203.0.113.${visitors}`;
  const context = await (browser as Browser).newContext({
    ...phone,
    extraHTTPHeaders: { 'x-forwarded-for': address },
    ...options,
  });
  await context.route(
    (url) => url.origin !== waymark.qrHost,
    (route) => route.fulfill({ contentType: 'text/html', body: '<title>elsewhere</title>' }),
  );
  const tab = await context.newPage();
  const faults: string[] = [];
  tab.on('console', (message) => {
    if (/Content Security Policy|Trusted/.test(message.text())) faults.push(message.text());
  });
  tab.on('pageerror', (error) => faults.push(error.message));
  onTestFinished(() => context.close());
  return { tab, address, faults };
};

const create = async <T>(target: string, schema: z.ZodType<T>, body: object): Promise<T> => {
  const response = await waymark.api('POST', target, body);
  expect(response.status, await response.clone().text()).toBe(201);
  return schema.parse(await response.json());
};

const read = async <T>(target: string, schema: z.ZodType<T>): Promise<T> =>
  schema.parse(await (await waymark.api('GET', target)).json());

const change = async (target: string, body: object): Promise<void> => {
  const response = await waymark.api('PATCH', target, body);
  expect(response.status, await response.clone().text()).toBe(200);
};

/** Points a new code at the page. @returns the text that a scanner reads from the code's picture */
const printCode = async (url: string): Promise<string> => {
  const code = await create('/api/qr/codes', codeObject, { data: url });
  const picture = await waymark.api('GET', `/api/qr/codes/${code.id}/image`);
  const text = await decodeQr(Buffer.from(await picture.arrayBuffer()));
  expect(text).toBe(code.redirectUrl);
  return text!;
};

const scripts = [
  { title: 'with JavaScript', javaScriptEnabled: true },
  { title: 'without JavaScript', javaScriptEnabled: false },
];

describe.skipIf(!browser)('a phone that scans a code', () => {
  test.each(scripts)('follows the buttons of a landing page, $title', async ({ javaScriptEnabled }) => {
    const target = await create('/api/qr/menus', menuObject, { name: 'Lunch', headline: 'Lunch today' });
    const page = await create('/api/qr/landing-pages', landingPageObject, {
      name: 'Corner shop',
      headline: 'The corner shop',
      buttons: [
        { label: 'See the menu', destination: `${waymark.qrHost}/m/${target.menuId}` },
        { label: 'Our other site', destination: 'https://shop.example/corner?from=code' },
        { label: 'Call us', destination: 'tel:+441632960147' },
        { label: 'Write to us', destination: 'mailto:shop@example.com' },
      ],
    });
    const url = `${waymark.qrHost}/p/${page.pageId}`;
    const printed = await printCode(url);
    const visitor = await newVisitor({ javaScriptEnabled });
    const { tab, faults } = visitor;
    await tab.goto(printed);
    expect(tab.url()).toBe(url);
    expect(await tab.getByRole('heading', { level: 1 }).textContent()).toBe('The corner shop');
    const link = (name: string) => tab.getByRole('link', { name });
    expect(await link('Call us').getAttribute('href')).toBe('tel:+441632960147');
    expect(await link('Write to us').getAttribute('href')).toBe('mailto:shop@example.com');
    for (const each of await tab.getByRole('link').all())
      expect((await each.boundingBox())?.height).toBeGreaterThanOrEqual(44);

    await link('See the menu').tap();
    await tab.waitForURL(`${waymark.qrHost}/m/${target.menuId}`);
    expect(await tab.getByRole('heading', { level: 1 }).textContent()).toBe('Lunch today');
    await tab.goBack();
    await link('Our other site').tap();
    await tab.waitForURL('https://shop.example/corner?from=code');
    expect(faults).toEqual([]);
  });

  const formBody = {
    name: 'Wine tasting',
    description: 'Six wines, ten chairs.',
    thankYouMessage: 'See you in the cellar.',
    submitLabel: 'Send the request',
    fields: [
      { id: 'name', type: 'text', label: 'Your name', required: true },
      { id: 'email', type: 'email', label: 'Your email', required: true },
      { id: 'phone', type: 'phone', label: 'Your phone' },
      {
        id: 'evening',
        type: 'select',
        label: 'Which evening',
        options: ['Friday', 'Saturday'],
        required: true,
      },
      { id: 'people', type: 'radio', label: 'How many', options: ['One', 'Two'], required: true },
      { id: 'notes', type: 'textarea', label: 'Anything else' },
      { id: 'adult', type: 'checkbox', label: 'All of us are adults', required: true },
      { id: 'letter', type: 'checkbox', label: 'Send me the letter' },
    ],
  };
  const submissions = z.object({
    submissions: z.array(
      z.object({
        values: z.record(z.string(), z.string()),
        ip: z.string(),
        userAgent: z.string(),
        referrer: z.string(),
      }),
    ),
  });

  const fillIn = async (tab: Tab): Promise<void> => {
    await tab.getByLabel('Your name').fill('Zoë <b>O’Neill</b>');
    await tab.getByLabel('Your phone').fill('+44 1632 960147');
    await tab.getByLabel('Which evening').selectOption('Saturday');
    await tab.getByLabel('Two').check();
    await tab.getByLabel('Anything else').fill('First line\nSecond line');
    await tab.getByLabel('All of us are adults').check();
  };

  const soon = { timeout: 3000 };

  test.each(scripts)('fills in and sends a form, $title', async ({ javaScriptEnabled }) => {
    const form = await create('/api/qr/forms', formObject, formBody);
    const url = `${waymark.qrHost}/f/${form.formId}`;
    const printed = await printCode(url);
    const visitor = await newVisitor({ javaScriptEnabled });
    const { tab, address, faults } = visitor;
    await tab.goto(printed);
    expect(tab.url()).toBe(url);
    await fillIn(tab);
    await tab.getByLabel('Your email').fill('not an address');
    // A form that is submitted faster than people type is returned, and the visitor sends it again.
    const sendUntil = (isDone: () => Promise<boolean>) =>
      expect
        .poll(
          async () => {
            const send = tab.getByRole('button', { name: 'Send the request' });
            // The button may be disappearing with its page.
            if (!(await isDone()) && (await send.isEnabled(soon))) await send.tap(soon);
            return isDone();
          },
          { interval: 500 },
        )
        .toBe(true);

    // Each error is shown next to its field, and the input is kept.
    const email = tab.getByLabel('Your email');
    await sendUntil(async () => (await email.getAttribute('aria-invalid')) === 'true');
    expect(await tab.getByRole('group').getByRole('link', { name: 'Your email' }).isVisible()).toBe(true);
    expect(await email.inputValue()).toBe('not an address');
    expect(await tab.getByLabel('Anything else').inputValue()).toBe('First line\nSecond line');
    expect(await tab.getByLabel('Two').isChecked()).toBe(true);
    await email.fill('zoe@example.com');
    await sendUntil(() => tab.getByText('See you in the cellar.').isVisible());

    const stored = await read(`/api/qr/forms/${form.formId}/submissions`, submissions);
    expect(stored.submissions).toEqual([
      {
        values: {
          name: 'Zoë <b>O’Neill</b>',
          email: 'zoe@example.com',
          phone: '+44 1632 960147',
          evening: 'Saturday',
          people: 'Two',
          notes: 'First line\nSecond line',
          adult: 'true',
          letter: 'false',
        },
        ip: address,
        userAgent: phone.userAgent,
        referrer: '',
      },
    ]);
    expect(await read(`/api/qr/forms/${form.formId}`, formObject)).toMatchObject({ submissionCount: 1 });
    expect(faults).toEqual([]);
  });

  test.each(scripts)('filters a menu, $title', async ({ javaScriptEnabled }) => {
    const dish = (name: string, allergens: string[], dietary: string[], from: string[] = []) => ({
      name,
      price: '£8',
      allergens,
      dietary,
      customTags: from.length > 0 ? { from } : {},
    });
    const menu = await create('/api/qr/menus', menuObject, {
      name: 'Lunch',
      headline: 'Lunch on the quay',
      tagCategories: [{ id: 'from', name: 'Comes from', values: ['the harbour', 'the garden'] }],
      sections: [
        {
          name: 'Small',
          items: [
            dish('Walnut salad', ['nuts'], ['vegan'], ['the garden']),
            dish('Leek soup', [], ['vegan'], ['the garden']),
          ],
        },
        { name: 'Large', items: [dish('Fish pie', ['fish', 'dairy'], [], ['the harbour'])] },
      ],
    });
    const url = `${waymark.qrHost}/m/${menu.menuId}`;
    const printed = await printCode(url);
    const visitor = await newVisitor({ javaScriptEnabled });
    const { tab, faults } = visitor;
    await tab.goto(printed);
    const dishes = async (): Promise<string[]> => {
      const shown: string[] = [];
      for (const name of ['Walnut salad', 'Leek soup', 'Fish pie'])
        if (await tab.getByText(name, { exact: true }).first().isVisible()) shown.push(name);
      return shown;
    };
    expect(await dishes()).toEqual(['Walnut salad', 'Leek soup', 'Fish pie']);
    const choose = async (name: string): Promise<void> => {
      if (!(await tab.locator('form#filter').isVisible())) await tab.locator('summary').first().tap();
      await tab.getByRole('checkbox', { name }).check();
      if (!javaScriptEnabled) await tab.getByRole('button', { name: 'Show dishes' }).tap();
    };
    await choose('vegan');
    await expect.poll(dishes).toEqual(['Walnut salad', 'Leek soup']);
    // A tab shows the next page a moment before it reports its URL.
    await expect.poll(() => new URL(tab.url()).searchParams.getAll('diet')).toEqual(['vegan']);
    expect(await tab.getByRole('heading', { name: 'Large' }).isVisible()).toBe(false);
    await choose('nuts');
    await expect.poll(dishes).toEqual(['Leek soup']);
    await expect.poll(() => new URL(tab.url()).search).toBe('?diet=vegan&without=nuts');

    // The filter is in the URL: anyone with the link sees the same.
    await tab.goto(`${url}?tag=from:the harbour`);
    expect(await dishes()).toEqual(['Fish pie']);
    expect(faults).toEqual([]);
  });

  test('is counted as a view; a crawler, a HEAD request and a prefetch are not', async () => {
    const page = await create('/api/qr/landing-pages', landingPageObject, { name: 'Counted' });
    const url = `${waymark.qrHost}/p/${page.pageId}`;
    const printed = await printCode(url);
    const visitor = await newVisitor();
    await visitor.tab.goto(printed);
    await visitor.tab.reload();
    expect((await fetch(url, { headers: { 'user-agent': 'Googlebot/2.1' } })).status).toBe(200);
    expect((await waymark.scan(url, { method: 'HEAD' })).status).toBe(200);
    expect((await waymark.scan(url, { headers: { 'sec-purpose': 'prefetch' } })).status).toBe(200);
    expect((await waymark.scan(url)).status).toBe(200);
    const views = async () =>
      (await read(`/api/qr/landing-pages/${page.pageId}`, landingPageObject)).viewCount;
    await expect.poll(views).toBe(3);
  });

  test('sees a change at the next view, that the page is paused, and that it is gone', async () => {
    const resources = [
      ['/api/qr/landing-pages', 'p', landingPageObject.transform(({ pageId }) => pageId)],
      ['/api/qr/forms', 'f', formObject.transform(({ formId }) => formId)],
      ['/api/qr/menus', 'm', menuObject.transform(({ menuId }) => menuId)],
    ] as const;
    const visitor = await newVisitor();
    const { tab } = visitor;
    for (const [collection, segment, schema] of resources) {
      const id = await create(collection, schema, { name: 'First name' });
      const resource = `${collection}/${id}`;
      const printed = await printCode(`${waymark.qrHost}/${segment}/${id}`);
      const view = async () => {
        const response = await tab.goto(printed);
        return [response?.status(), await tab.evaluate<string>('document.body.innerText')] as const;
      };
      expect(await view()).toEqual([200, expect.stringContaining('First name')]);
      await change(resource, { name: 'Second name' });
      await expect.poll(view).toEqual([200, expect.stringContaining('Second name')]);
      await change(resource, { status: 'paused' });
      await expect.poll(view).toEqual([404, expect.stringMatching(/paused|closed|taking a break/i)]);
      await change(resource, { status: 'active' });
      await expect.poll(view).toEqual([200, expect.stringContaining('Second name')]);
      expect((await waymark.api('DELETE', resource)).ok).toBe(true);
      await expect
        .poll(view)
        .toEqual([404, expect.not.stringMatching(/paused|closed|taking a break|Second name/i)]);
    }
  });
});

const titles = ['landing page', 'menu', 'form'];

const findViolations = `axe.run().then(({ violations }) =>
  violations.flatMap(({ id, impact, nodes }) => nodes.map(({ target }) => id + ' (' + impact + '): ' + target.join(' '))))`;

/** The sum of layout shifts without user input. */
const readShift = `new Promise((resolve) => {
  let sum = 0;
  new PerformanceObserver((list) => { for (const each of list.getEntries()) if (!each.hadRecentInput) sum += each.value; }).observe({ type: 'layout-shift', buffered: true });
  requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
})`;

describe.skipIf(!browser)('the example pages', () => {
  beforeAll(untilExamplesAreMade, examplesTimeoutMs);

  test('are created by the first start, with all of their pictures', async () => {
    expect(waymark.output()).not.toMatch(/there is no example|are missing|has no code|is without/);
    for (const title of titles) {
      const { page, code } = exampleLine(title);
      const answer = await waymark.scan(code);
      expect([answer.status, answer.headers.get('location')]).toEqual([302, page]);
    }
  });

  test.each(titles)(
    'the %s has no violation that axe finds, no layout shift, and no missing picture',
    async (title) => {
      const axe = await readFile(createRequire(import.meta.url).resolve('axe-core'), 'utf8');
      // The other pairs are tested with each kind of page.
      for (const [colorScheme, axeWidth] of [
        ['light', 360],
        ['dark', 1280],
      ] as const) {
        const visitor = await newVisitor({ viewport: { width: 360, height: 740 }, colorScheme });
        const { tab, faults } = visitor;
        await tab.goto(exampleLine(title).code);
        await tab.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
        await tab.waitForLoadState('networkidle');
        const broken = await tab.evaluate(
          '[...document.images].filter((each) => each.naturalWidth === 0).map((each) => each.currentSrc)',
        );
        expect(broken).toEqual([]);
        expect(await tab.evaluate(readShift)).toBe(0);
        await tab.evaluate(axe);
        for (const width of [360, 1280]) {
          await tab.setViewportSize({ width, height: 800 });
          if (width === axeWidth)
            expect(await tab.evaluate(findViolations), `${colorScheme}, ${width} px`).toEqual([]);
          expect(await tab.evaluate('document.documentElement.scrollWidth'), `${width} px`).toBe(width);
        }
        expect(faults).toEqual([]);
      }
    },
  );

  test('the logo of the form has no background', async () => {
    const visitor = await newVisitor();
    await visitor.tab.goto(exampleLine('form').page);
    const behind = await visitor.tab.evaluate(
      'getComputedStyle(document.querySelector("img").closest("span")).backgroundImage',
    );
    expect(behind).toBe('none');
  });
});
