/** Forms in a real browser, under their real policy: filled in and sent, with JavaScript and without. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContextOptions, Page as Tab } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { FormObject } from '#schemas/api/forms.ts';
import type { SubmissionObject } from '#schemas/api/submissions.ts';
import { launchBrowser } from '../../../../deploy/testing/browser.ts';
import { afterFile } from '../../../../deploy/testing/local.ts';
import {
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../../testing/control-plane.ts';
import { createPageViewer } from '../../hosted/layout/testing/page-viewer.ts';
import { allFields, formPages, sampleForm, sampleForms } from '../testing/sample-forms.ts';
import { shownToken } from '../testing/visitors.ts';
import { renderForm } from './render-form.ts';

const browser = await launchBrowser();
afterAll(() => browser?.close());
const viewer = browser && (await createPageViewer(browser));

const context = { url: 'https://qr.example.com/f/form_4nX5cPq7Rk2mQw8Z', images: new Map() };

/** how far the page extends beyond the window. */
const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

describe.skipIf(viewer === undefined)('the page of a form', () => {
  const { tab, faults, hosts, open, findBarriers } = viewer!;

  test('is printed on one sheet with all of its kinds of fields, without what can only be tapped', async () => {
    await open(formPages.get('everything')!);
    const margin = { top: '15mm', right: '15mm', bottom: '15mm', left: '15mm' };
    const pdf = await tab.pdf({ format: 'A4', margin });
    const sheets = pdf.toString('latin1').split(/\/Type \/Page\b/).length - 1;
    expect(sheets).toBe(1);
    await tab.emulateMedia({ media: 'print' });
    for (const gone of ['.send', '.socials']) expect(await tab.locator(gone).isVisible()).toBe(false);
    await open(formPages.get('sent')!);
    for (const gone of ['.ways', '.again', '.socials'])
      expect([gone, await tab.locator(gone).isVisible()]).toEqual([gone, false]);
    await tab.emulateMedia({ media: null });
  });

  test('has a scale in one row for a mouse, and in two for a finger', async () => {
    const rowsOn = async (hasTouch: boolean): Promise<number> => {
      const page = await browser!.newPage({
        hasTouch,
        isMobile: hasTouch,
        viewport: { width: 800, height: 900 },
      });
      await page.setContent(formPages.get('scale')!.html);
      const tops = await page
        .locator('.of6 .choice')
        .evaluateAll((choices) => choices.map((choice) => choice.getBoundingClientRect().top));
      await page.close();
      expect(tops).toHaveLength(11);
      return new Set(tops).size;
    };
    expect([await rowsOn(false), await rowsOn(true)]).toEqual([1, 2]);
  });

  test.each([
    ['everything', [360, 1280]],
    ['everything-returned', [360, 1280]],
    ...[
      'short',
      'german-returned',
      'arabic-returned',
      'hostile-returned',
      'scale',
      'empty',
      'sent',
      'sent-scale',
      'sent-message',
      'kept',
    ].map((name) => [name, [360]] as const),
  ] as const)('"%s" has no barrier, light and dark, on screens of %j pixels', async (name, widths) => {
    for (const width of widths) {
      await tab.setViewportSize({ width, height: 800 });
      for (const colorScheme of ['light', 'dark'] as const) {
        // Reopened, since button colours change gradually.
        await tab.emulateMedia({ colorScheme });
        await open(formPages.get(name)!);
        expect(await findBarriers()).toEqual([]);
      }
      expect(await tab.evaluate(overflow)).toBe(0);
    }
    expect(faults).toEqual([]);
    expect([...hosts]).toEqual([]);
  });

  test('has targets of at least 44 pixels', async () => {
    await tab.setViewportSize({ width: 360, height: 800 });
    for (const name of ['everything', 'everything-returned', 'arabic', 'scale', 'sent', 'kept']) {
      await open(formPages.get(name)!);
      const sides = await tab.$$eval('.box, .choice, button, main a.button, .socials a', (elements) =>
        elements.map((element) => Math.min(element.clientWidth, element.getBoundingClientRect().height)),
      );
      expect(sides.length).toBeGreaterThan(0);
      expect([name, Math.min(...sides) >= 44]).toEqual([name, true]);
    }
  });

  test('runs nothing that an owner or a visitor wrote, and shows it as text', async () => {
    for (const name of ['hostile', 'hostile-returned']) {
      await open(formPages.get(name)!);
      await tab.waitForLoadState('networkidle');
      expect(faults).toEqual([]);
      expect(await tab.locator('h1').textContent()).toContain('<script>alert(1)</script>');
      expect(await tab.locator('img').count()).toBe(0);
    }
  });

  test('shows a scale in two rows of squares, and fewer in a row if letters are large', async () => {
    await tab.setViewportSize({ width: 320, height: 800 });
    await open(formPages.get('scale')!);
    const rows = (): Promise<number[]> =>
      tab.$$eval('[data-id="recommend"] .choice', (squares) => {
        const tops = squares.map((square) => square.getBoundingClientRect().top);
        return [...new Set(tops)].map((top) => tops.filter((other) => other === top).length);
      });
    expect(await rows()).toEqual([6, 5]);
    await tab.evaluate('document.documentElement.style.fontSize = "200%"');
    expect(await tab.evaluate(overflow)).toBe(0);
    expect(Math.max(...(await rows()))).toBe(2);
  });

  test('shows which square of a scale is chosen by keyboard, also with forced colours', async () => {
    for (const forcedColors of ['none', 'active'] as const) {
      await tab.emulateMedia({ forcedColors });
      await open(formPages.get('scale')!);
      await tab.getByRole('radio', { name: '4', exact: true }).first().focus();
      await tab.keyboard.press('ArrowRight');
      const grounds = await tab.evaluate<string[]>(
        `[...document.querySelectorAll('[data-id="recommend"] .choice')].map((square) => getComputedStyle(square).backgroundColor)`,
      );
      expect(grounds.map((ground, at) => (ground === grounds[0] ? undefined : at)).filter(Boolean)).toEqual([
        5,
      ]);
    }
    await tab.emulateMedia({ forcedColors: 'none' });
  });

  test('of twenty fields takes less than 30 KB', async () => {
    const fields = Array.from({ length: 20 }, (_, index) => ({
      ...allFields[index % allFields.length]!,
      id: `field-${index}`,
      helpText: 'A sentence that says what belongs into this field.',
    }));
    const form = sampleForm('Twenty questions', { ...sampleForms.everything.content, fields });
    const { html } = await renderForm(form, context);
    expect(html.match(/data-id=/g)).toHaveLength(20);
    expect(Buffer.byteLength(html)).toBeLessThan(30_000);
  });

  test('shows the limit of multi-line texts, and tells screen readers every limit', async () => {
    const fields = allFields
      .slice(0, 6)
      .map((field) => ({ ...field, ...(!field.options && { maxLength: 99 }) }));
    await open(await renderForm(sampleForm('Contact', { fields }), context));
    const sizes = await tab.$$eval('p[id^="h."], p[id^="h."] .unseen', (parts) =>
      parts
        .filter((part) => part.textContent?.endsWith('At most 99 characters.'))
        .map((part) => [part.id || part.className, part.getBoundingClientRect().width > 1]),
    );
    expect(sizes).toEqual([
      ['h.name', false],
      ['h.email', true],
      ['unseen', false],
      ['h.phone', false],
      ['h.message', true],
    ]);
    expect(await tab.locator('[id="f.name"]').getAttribute('aria-describedby')).toBe('h.name e.name');
  });

  test('has a logo with round corners, whatever its shape', async () => {
    const red =
      'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
    await open(await renderForm(sampleForm('Contact', { logoUrl: red }), context));
    const box = await tab.locator('.logo img').boundingBox();
    expect(box!.width).toBe(box!.height);
    expect(await tab.evaluate("getComputedStyle(document.querySelector('.logo img')).borderRadius")).toBe(
      '8px',
    );
  });

  test('tells phones which keyboards and which autofill data to offer', async () => {
    await open(formPages.get('everything')!);
    const offered = (id: string) =>
      tab
        .locator(`[id="f.${id}"]`)
        .evaluate((input) => ['type', 'autocomplete', 'inputmode'].map((name) => input.getAttribute(name)));
    expect(await offered('email')).toEqual(['email', 'email', 'email']);
    expect(await offered('phone')).toEqual(['tel', 'tel', 'tel']);
  });
});

let plane: TestControlPlane;
let own: Workspace;
/** Another site's server, which redirects to a third one. */
let elsewhere = '';

const startElsewhere = (respond: http.RequestListener): Promise<string> =>
  new Promise((resolve) => {
    const server = http.createServer(respond);
    afterFile(() => server.close());
    server.listen(0, '127.0.0.1', () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    );
  });

beforeAll(async () => {
  plane = await startTestControlPlane();
  own = await plane.workspace({ plan: 'growth' });
  const last = await startElsewhere((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<title>The end</title>Thank you from elsewhere');
  });
  elsewhere = await startElsewhere((_, response) => {
    response.writeHead(302, { location: `${last}/end` }).end();
  });
});

const createForm = async (more: object = {}): Promise<string> => {
  const { status, body } = await own.call('POST', '/api/qr/forms', {
    name: 'Book a table',
    fields: allFields,
    ...more,
  });
  expect(status).toBe(201);
  return (body as FormObject).formId;
};

const submissionsOf = async (formId: string): Promise<SubmissionObject[]> =>
  ((await own.call('GET', `/api/qr/forms/${formId}/submissions`)).body as { submissions: SubmissionObject[] })
    .submissions;

const complete = {
  name: 'Ann O’Neil <b>',
  email: 'ann@example.com',
  phone: '+1 555 123 4567',
  topic: 'A private party',
  guests: '3 to 6',
  message: 'First line\nsecond line',
  consent: 'true',
};

interface Visit {
  tab: Tab;
  /** Complaints of the page's policy, and errors of its script. */
  faults: string[];
}

const visit = async (formId: string, options: BrowserContextOptions = {}): Promise<Visit> => {
  const context = await browser!.newContext({ viewport: { width: 390, height: 844 }, ...options });
  const tab = await context.newPage();
  const faults: string[] = [];
  tab.on('console', (message) => {
    // A rejection by the server is not the page's fault.
    if (message.type() === 'error' && !/status of 4/.test(message.text())) faults.push(message.text());
  });
  tab.on('pageerror', (error) => faults.push(error.message));
  // On a busy machine PostgreSQL may be too slow for a view.
  while ((await tab.goto(`${plane.url}/f/${formId}`))?.status() === 503) faults.length = 0;
  onTestFinished(() => context.close());
  return { tab, faults };
};

/** Makes the page a minute old. */
const waitAMinute = (tab: Tab, formId: string): Promise<unknown> =>
  tab
    .locator('[name="_token"]')
    .evaluate((input, token) => input.setAttribute('value', token), shownToken(formId));

const fillIn = async (tab: Tab): Promise<void> => {
  await tab.getByLabel('Your name').fill(complete.name);
  await tab.getByLabel('E-mail').fill(complete.email);
  await tab.getByLabel('Phone').fill(complete.phone);
  await tab.getByLabel('What is it about?').selectOption(complete.topic);
  await tab.getByRole('radio', { name: complete.guests }).check();
  await tab.getByLabel('Your message').fill(complete.message);
  await tab.getByRole('checkbox').check();
};

const focused = (tab: Tab): Promise<string | undefined> => tab.evaluate('document.activeElement?.id');

describe.skipIf(browser === undefined).each([
  ['with JavaScript', {}],
  ['without JavaScript', { javaScriptEnabled: false }],
])('a form %s', (_, options: BrowserContextOptions) => {
  test('accepts fields of all seven types, and leads to the thanks', async () => {
    const formId = await createForm({ thankYouMessage: 'See you soon.' });
    const visited = await visit(formId, options);
    const { tab, faults } = visited;
    await fillIn(tab);
    await waitAMinute(tab, formId);
    await tab.getByRole('button', { name: 'Send' }).click();
    await tab.getByText('See you soon.').waitFor();
    expect(new URL(tab.url()).search).toBe('?sent=1');
    expect((await submissionsOf(formId)).map(({ values }) => values)).toEqual([complete]);
    await tab.reload();
    expect(await submissionsOf(formId)).toHaveLength(1);
    expect(faults).toEqual([]);
  });

  test('lists every error above the form and next to its field, keeps the input, and can be corrected by keyboard', async () => {
    const formId = await createForm();
    const visited = await visit(formId, options);
    const { tab, faults } = visited;
    await tab.getByLabel('E-mail').fill('nobody');
    await tab.getByRole('radio', { name: 'More than 6' }).check();
    await waitAMinute(tab, formId);
    await tab.getByLabel('E-mail').press('Enter');
    const summary = tab.getByRole('group', { name: 'Please check your answers' });
    await summary.waitFor();
    await expect.poll(() => focused(tab)).toBe('summary');
    expect(await summary.getByRole('link').allTextContents()).toEqual([
      'Your name – Please fill in this field.',
      'E-mail – Please enter an email address such as name@example.com.',
      'What is it about? – Please choose an option.',
      'You may store what I have entered here, to answer me. – Please tick this box.',
    ]);
    const email = tab.getByLabel('E-mail');
    expect(await email.inputValue()).toBe('nobody');
    expect(await email.getAttribute('aria-invalid')).toBe('true');
    expect(await tab.locator('[id="e.email"]').isVisible()).toBe(true);
    expect(await tab.getByRole('radio', { name: 'More than 6' }).isChecked()).toBe(true);
    expect(await tab.locator('[id="e.guests"]').isVisible()).toBe(false);
    expect(await submissionsOf(formId)).toEqual([]);

    // Tab to the first link, which leads to its field; from there on through the form.
    await tab.keyboard.press('Tab');
    await tab.keyboard.press('Enter');
    await expect.poll(() => focused(tab)).toBe('f.name');
    await tab.keyboard.type('Ann');
    await tab.keyboard.press('Tab');
    await tab.keyboard.press('ControlOrMeta+A');
    await tab.keyboard.type('ann@example.com');
    await tab.keyboard.press('Tab');
    await tab.keyboard.press('Tab');
    // The first option. Slowly typed letters would count as several prefixes.
    await tab.keyboard.press('ArrowDown');
    await tab.keyboard.press('Tab');
    await tab.keyboard.press('Tab');
    await tab.keyboard.press('Tab');
    await tab.keyboard.press('Space');
    await tab.keyboard.press('Enter');
    await tab.getByText('Thank you!').waitFor();
    expect((await submissionsOf(formId))[0]!.values).toMatchObject({
      name: 'Ann',
      email: 'ann@example.com',
      topic: 'A booking',
      guests: 'More than 6',
      consent: 'true',
    });
    expect(faults).toEqual([]);
  });

  test('leads to the owner’s page, even if that redirects to another site', async () => {
    const formId = await createForm({ redirectAfterSubmit: `${elsewhere}/begin`, fields: [allFields[0]] });
    const visited = await visit(formId, options);
    const { tab, faults } = visited;
    await tab.getByLabel('Your name').fill('Ann');
    await waitAMinute(tab, formId);
    await tab.getByRole('button', { name: 'Send' }).click();
    await tab.getByText('Thank you from elsewhere').waitFor();
    expect(await submissionsOf(formId)).toHaveLength(1);
    expect(faults).toEqual([]);
  });

  test('is shown in its current state, with the input kept, if its owner has changed it meanwhile', async () => {
    const formId = await createForm({ fields: [allFields[0], allFields[5], allFields[6]] });
    const visited = await visit(formId, options);
    const { tab, faults } = visited;
    const renamed = [allFields[0], { type: 'textarea', label: 'What else?' }];
    await own.call('PATCH', `/api/qr/forms/${formId}`, { fields: renamed });
    await tab.getByLabel('Your name').fill('Ann');
    await tab.getByLabel('Your message').fill('Hello');
    await tab.getByRole('checkbox').check();
    await waitAMinute(tab, formId);
    await tab.getByRole('button', { name: 'Send' }).click();
    await tab.getByText('This form has changed since you opened it.').waitFor();
    expect(await tab.locator('.gone li').allTextContents()).toEqual(['Hello']);
    expect(await tab.getByLabel('Your name').inputValue()).toBe('Ann');
    await tab.getByLabel('What else?').fill('Hello');
    await tab.getByRole('button', { name: 'Send' }).click();
    await tab.getByText('Thank you!').waitFor();
    expect((await submissionsOf(formId)).map(({ values }) => values)).toEqual([
      { name: 'Ann', 'what-else': 'Hello' },
    ]);
    expect(faults).toEqual([]);
  });

  test('stores a double click once', async () => {
    const formId = await createForm({ fields: [allFields[0]] });
    const visited = await visit(formId, options);
    const { tab } = visited;
    await tab.getByLabel('Your name').fill('Ann');
    await waitAMinute(tab, formId);
    await tab.getByRole('button', { name: 'Send' }).dblclick();
    await tab.getByText('Thank you!').waitFor();
    expect(await submissionsOf(formId)).toHaveLength(1);
  });
});

describe.skipIf(browser === undefined)('the script of a form', () => {
  const oneField = { fields: [allFields[0]] };
  const kept = 'JSON.stringify(sessionStorage)';

  test('shows the answers on the thank-you page as text, once, and keeps them no longer', async () => {
    const formId = await createForm();
    const { tab, faults } = await visit(formId);
    await fillIn(tab);
    await tab.getByLabel('Phone').fill('');
    await waitAMinute(tab, formId);
    await tab.getByRole('button', { name: 'Send' }).click();
    const receipt = tab.getByRole('region', { name: 'Your answers' });
    await receipt.waitFor();
    expect(await receipt.locator('dt, dd').allTextContents()).toEqual([
      ...['Your name', complete.name],
      ...['E-mail', complete.email],
      ...['What is it about?', complete.topic],
      ...['How many are you?', complete.guests],
      ...['Your message', complete.message],
      ...['You may store what I have entered here, to answer me.', '✓'],
    ]);
    expect(await tab.evaluate(kept)).toBe('{}');
    await tab.reload();
    await tab.getByText('Thank you!').waitFor();
    expect(await receipt.isVisible()).toBe(false);
    expect(faults).toEqual([]);
  });

  test('shows no answers that are older than an hour', async () => {
    const formId = await createForm(oneField);
    const { tab } = await visit(formId);
    const keep = (minutes: number) =>
      tab.evaluate(
        `sessionStorage.setItem('receipt:/f/${formId}', JSON.stringify({ at: Date.now() - ${minutes} * 60000, answers: [['Your name', 'Ann']] }))`,
      );
    for (const [minutes, isShown] of [
      [59, true],
      [61, false],
    ] as const) {
      await keep(minutes);
      await tab.goto(`${plane.url}/f/${formId}?sent=1`);
      expect(await tab.getByText('Ann').isVisible()).toBe(isShown);
      expect(await tab.evaluate(kept)).toBe('{}');
    }
  });

  test('keeps no answers if the owner’s page says the thanks', async () => {
    const formId = await createForm({ ...oneField, redirectAfterSubmit: `${plane.url}/p/x` });
    const { tab } = await visit(formId);
    await tab.getByLabel('Your name').fill('Ann');
    await waitAMinute(tab, formId);
    await tab.getByRole('button', { name: 'Send' }).click();
    await tab.waitForURL('**/p/x');
    expect(await tab.evaluate(kept)).toBe('{}');
  });

  test('waits for visitors who are faster than the minimum time', async () => {
    const formId = await createForm(oneField);
    const visited = await visit(formId);
    const { tab } = visited;
    await tab.getByLabel('Your name').fill('Ann');
    await tab.keyboard.press('Enter');
    await tab.getByText('Thank you!').waitFor();
    expect(await submissionsOf(formId)).toHaveLength(1);
  });

  test('keeps all input without a connection, and sends it when there is one', async () => {
    const formId = await createForm(oneField);
    const visited = await visit(formId);
    const { tab } = visited;
    await tab.getByLabel('Your name').fill('Ann');
    await waitAMinute(tab, formId);
    await tab.context().setOffline(true);
    const button = tab.getByRole('button', { name: 'Send' });
    await button.click();
    await tab.getByText('There is no connection.').waitFor();
    await expect.poll(() => focused(tab)).toBe('summary');
    expect(await tab.getByLabel('Your name').inputValue()).toBe('Ann');
    await tab.context().setOffline(false);
    await button.click();
    await tab.getByText('Thank you!').waitFor();
    expect(await submissionsOf(formId)).toHaveLength(1);
  });

  test('sends other answers from a page that was sent before, after going back in the browser', async () => {
    const formId = await createForm(oneField);
    const visited = await visit(formId);
    const { tab } = visited;
    await tab.getByLabel('Your name').fill('Ann');
    await waitAMinute(tab, formId);
    await tab.getByRole('button', { name: 'Send' }).click();
    await tab.getByText('Thank you!').waitFor();
    await tab.goBack();
    await tab.getByLabel('Your name').fill('Bob');
    await tab.getByRole('button', { name: 'Send' }).click();
    await tab.getByText('Thank you!').waitFor();
    expect((await submissionsOf(formId)).map(({ values }) => values.name)).toEqual(['Bob', 'Ann']);
  });

  test('says that a form accepts no answers if it was paused meanwhile', async () => {
    const formId = await createForm(oneField);
    const visited = await visit(formId);
    const { tab } = visited;
    await own.call('PATCH', `/api/qr/forms/${formId}`, { status: 'paused' });
    await tab.getByLabel('Your name').fill('Ann');
    await waitAMinute(tab, formId);
    await tab.getByRole('button', { name: 'Send' }).click();
    await tab.getByText('This form takes no more answers.').waitFor();
    expect(await tab.getByLabel('Your name').inputValue()).toBe('Ann');
  });
});
