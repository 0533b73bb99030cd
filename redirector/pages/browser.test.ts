/** Pages in a real browser, under their real policy. */
import { webcrypto } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { CompactEncrypt, exportPKCS8, generateKeyPair } from 'jose';
import type { BrowserContext, Page as Tab } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, type TestContext, test } from 'vitest';
import { type DataType, dataTypes, isLocationType } from '#schemas/api/data-types.ts';
import { webUrl } from '#shared/payloads/links.ts';
import { launchBrowser } from '../../deploy/testing/browser.ts';
import { renderPage, type ShownDecision } from './index.ts';
import type { Page } from './page.ts';
import { type AxeTab, openAxeTab } from './testing/axe-tab.ts';
import { type PageServer, type Responder, servePages } from './testing/page-server.ts';
import { payloadOf } from './testing/payloads.ts';
import { sampleContext, samplePages, samplePayloads } from './testing/samples.ts';
import { contrastSeen, sheetsOf } from './testing/seen.ts';
import { createTabs } from './testing/tabs.ts';

const browser = await launchBrowser();
const tabs = browser && createTabs(browser);
afterAll(() => browser?.close());

const shared = { ruleId: '', variantId: '' };
const show = (decision: ShownDecision, failed = false): Page =>
  renderPage(decision, { ...sampleContext, failed });

interface Visit {
  tab: Tab;
  context: BrowserContext;
  server: PageServer;
  /** The browser's requests to any server but the page server. */
  outside: string[];
  /** Violations of the policy. */
  violations: string[];
}

interface Options {
  /** If the test depends on the tab's history. */
  newTab?: boolean;
  userAgent?: string;
  /** Of a concurrent test: only the test itself knows its end. */
  finished?: TestContext['onTestFinished'];
}

/** Opens `/r/abcdefghi` on a phone. No request leaves this machine: every other origin answers "elsewhere". */
const open = async (
  respond: Responder,
  { newTab = false, userAgent, finished = onTestFinished }: Options = {},
): Promise<Visit> => {
  const server = await servePages((request) =>
    request.path === '/favicon.ico'
      ? { status: '404 Not Found', headers: [], body: Buffer.alloc(0) }
      : respond(request),
  );
  const opening =
    newTab || userAgent !== undefined ? tabs!.openNew(userAgent ? { userAgent } : {}) : tabs!.open();
  const { tab, context, leave } = await opening;
  const outside: string[] = [];
  await context.route(
    (url) => url.origin !== server.origin,
    (route) => {
      outside.push(route.request().url());
      return route.fulfill({ contentType: 'text/html', body: '<title>elsewhere</title>' });
    },
  );
  const violations: string[] = [];
  tab.on('console', (message) => {
    if (/Content Security Policy|Trusted/.test(message.text())) violations.push(message.text());
  });
  tab.on('pageerror', (error) => violations.push(error.message));
  await tab.goto(`${server.origin}/r/abcdefghi`);
  finished(async () => {
    await leave();
    await server.close();
  });
  return { tab, context, server, outside, violations };
};

describe.skipIf(!browser)('accessibility', () => {
  let axe: AxeTab;
  beforeAll(async () => {
    axe = await openAxeTab(browser!, '/r/abcdefghi');
  });
  afterAll(() => axe?.close());

  test.each(Object.entries(samplePages()))('axe finds nothing on %s, light or dark', async (_, page) => {
    await axe.show(page);
    // Folded parts are checked too.
    for (const details of await axe.tab.locator('details').all()) {
      await details.evaluate((element) => element.setAttribute('open', ''));
    }
    expect(await axe.findViolations()).toEqual([]);
    const overflows = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
    expect(await axe.tab.evaluate(overflows)).toBe(false);
    expect([axe.problems, axe.outside]).toEqual([[], []]);
  });
});

describe.skipIf(!browser)('the appearance', () => {
  const pages = samplePages();
  let axe: AxeTab;
  beforeAll(async () => {
    axe = await openAxeTab(browser!, '/r/abcdefghi');
  });
  afterAll(() => axe?.close());

  test.each(['geo', 'wifi', 'passphrase', 'app'])(
    "buttons of the page %s have an edge in the system's own colours, light and dark",
    async (name) => {
      await axe.show(pages[name]!);
      for (const colorScheme of ['light', 'dark'] as const) {
        await axe.tab.emulateMedia({ forcedColors: 'active', colorScheme });
        const buttons = await axe.tab.locator('.button, .small').filter({ visible: true }).all();
        expect(buttons).not.toEqual([]);
        for (const button of buttons) {
          const { x, y, height } = (await button.boundingBox())!;
          const edge = { x: x - 4, y: Math.round(y + height / 2), width: 8, height: 1 };
          expect(await contrastSeen(axe.tab, edge)).toBeGreaterThan(3);
        }
      }
      await axe.tab.emulateMedia({ forcedColors: 'none', colorScheme: 'light' });
    },
  );

  test.each(['light', 'dark'] as const)(
    'an error has a mark, and a colour different from the button: %s',
    async (colorScheme) => {
      await axe.show(pages.wrongPassword!);
      await axe.tab.emulateMedia({ colorScheme });
      const [button, error, field, ring, mark] = await axe.tab.evaluate<string[]>(`(() => {
        const styleOf = (selector, part) => getComputedStyle(document.querySelector(selector), part);
        const field = styleOf('#password');
        return [styleOf('.button').backgroundColor, styleOf('.error').color, field.borderColor, field.outlineColor, styleOf('.error', '::before').content];
      })()`);
      expect([field, ring]).toEqual([error, error]);
      expect(error).not.toBe(button);
      expect(mark).toContain('!');
      await axe.tab.emulateMedia({ colorScheme: 'light' });
    },
  );

  test('on paper a page takes one sheet, without parts that can only be tapped', async () => {
    for (const [name, page] of Object.entries(pages)) {
      await axe.show(page);
      expect([name, await sheetsOf(axe.tab)]).toEqual([name, 1]);
    }
    await axe.show(pages.wifi!);
    await axe.tab.emulateMedia({ media: 'print' });
    const printed = (await axe.tab.evaluate<string>('document.querySelector("main").innerText'))
      .split('\n')
      .filter(Boolean);
    expect(printed).toEqual(expect.arrayContaining(['Hotel Aurora Guests', 'northern;lights-2026']));
    expect(printed.join()).not.toMatch(/•|Show|Copy$|Copy,|iPhone/);
    await axe.tab.emulateMedia({ media: 'screen' });
  });
});

describe.skipIf(!browser)('a sealed code', () => {
  const passphrase = 'correct horse battery staple ü';
  const sealWithPassphrase = (text: string, p2c = 2048): Promise<string> =>
    new CompactEncrypt(new TextEncoder().encode(text))
      .setProtectedHeader({ alg: 'PBES2-HS256+A128KW', enc: 'A256GCM' })
      .setKeyManagementParameters({ p2c })
      .encrypt(new TextEncoder().encode(passphrase));

  const openSealed = (jwe: string, by: 'AES' | 'RSA', dataType: DataType = 'url') =>
    open(() => show({ kind: 'encrypted', jwe, by, dataType, ...shared }));

  const openedWith = async (dataType: DataType, text: string): Promise<Visit> => {
    const visit = await openSealed(await sealWithPassphrase(text), 'AES', dataType);
    await enter(visit, passphrase);
    return visit;
  };

  const enter = async ({ tab }: Visit, secret: string): Promise<void> => {
    await tab.locator('#secret').fill(secret);
    await tab.getByRole('button', { name: 'Open' }).click();
  };

  const expectNothingSent = ({ server, outside, violations }: Visit): void => {
    expect(server.requests.filter((request) => !request.endsWith('/favicon.ico'))).toEqual([
      'GET /r/abcdefghi',
    ]);
    expect([outside, violations]).toEqual([[], []]);
  };

  test('opens with its passphrase; the link is followed only on a tap', async () => {
    const visit = await openSealed(await sealWithPassphrase('https://bücher.example/a?b=c#d'), 'AES');
    await enter(visit, passphrase);
    const link = visit.tab.getByRole('link', { name: 'Open xn--bcher-kva.example' });
    await link.waitFor();
    expect(await visit.tab.locator('#text').textContent()).toBe('https://xn--bcher-kva.example/a?b=c#d');
    expect(
      await visit.tab.locator('h1').evaluate((heading) => heading === heading.ownerDocument.activeElement),
    ).toBe(true);
    expectNothingSent(visit);
    await link.click();
    await visit.tab.waitForURL('https://xn--bcher-kva.example/**');
  });

  test('the iterations that its header asks for are done, up to a limit', async () => {
    const visit = await openSealed(await sealWithPassphrase('many', 600_000), 'AES');
    await enter(visit, passphrase);
    await visit.tab.getByText('many', { exact: true }).waitFor();
    const [, ...rest] = (await sealWithPassphrase('x')).split('.');
    const header = { alg: 'PBES2-HS256+A128KW', enc: 'A256GCM', p2s: 'c2FsdHNhbHQ', p2c: 5_000_001 };
    const costly = [Buffer.from(JSON.stringify(header)).toString('base64url'), ...rest].join('.');
    const refused = await openSealed(costly, 'AES');
    await enter(refused, passphrase);
    await refused.tab.getByText('This code asks for more work than a phone should do.').waitFor();
  });

  test.each([
    'javascript:alert(1)',
    'WIFI:S:net;P:secret;;',
    '<img src=x onerror=alert(1)>',
    'tel:123',
    'https:// x',
  ])('%s is shown as text, not as a link', async (text) => {
    const visit = await openSealed(await sealWithPassphrase(text), 'AES');
    await enter(visit, passphrase);
    await visit.tab.getByRole('heading', { name: 'This code says' }).waitFor();
    expect(await visit.tab.locator('#text').textContent()).toBe(text);
    expect(await visit.tab.getByRole('link').count()).toBe(0);
    expectNothingSent(visit);
  });

  /**
   * A page's elements and texts below its heading. Only the script shows times on the reader's clock, and the copy
   * buttons. Markup has only LF line ends. In day ranges browsers have plain spaces, and Node thin ones.
   */
  const outlineOf = `(elements) => {
    const lined = (text) => text.replace(/\\r\\n?/g, '\\n').replace(/[\\u2009\\u202f]/g, ' ');
    const outline = (node) => {
      if (node.nodeType === 3) return lined(node.data);
      const { hidden, ...attributes } = Object.fromEntries([...node.attributes].map(({ name, value }) => [name, lined(value)]));
      const children = 'data-start' in attributes ? ['a time'] : [...node.childNodes].map(outline);
      return [node.localName, attributes, ...children.filter((child) => child !== '')];
    };
    return [...elements].map(outline);
  }`;

  /** As `[heading, lead, outline]`. */
  const shownOpenly = (tab: Tab, pages: readonly string[]): Promise<unknown[]> =>
    tab.evaluate(`${JSON.stringify(pages)}.map((page) => {
      const { body } = new DOMParser().parseFromString(page, 'text/html');
      const [header, ...content] = body.querySelector('main').children;
      return [...['h1', 'p'].map((name) => header.querySelector(name)?.textContent.replace(/\\r\\n?/g, '\\n') ?? ''), (${outlineOf})(content)];
    })`);

  /** Opens sealed codes one after another in the same page. */
  const shownSealed = (tab: Tab, jwes: readonly string[]): Promise<unknown[]> =>
    tab.evaluate(`(async () => {
      const [form, secret, result, error] = ['form', 'secret', 'result', 'error'].map((id) => document.getElementById(id));
      const shown = [];
      for (const jwe of ${JSON.stringify(jwes)}) {
        result.replaceChildren();
        Object.assign(form.dataset, { jwe });
        secret.value = ${JSON.stringify(passphrase)};
        form.dispatchEvent(new Event('submit', { cancelable: true }));
        while (!result.hasChildNodes() && !error.textContent) await new Promise((resolve) => setTimeout(resolve));
        shown.push([...['h1', 'header p'].map((name) => document.querySelector(name).textContent.replace(/\\r\\n?/g, '\\n')), (${outlineOf})(result.children)]);
      }
      return shown;
    })()`);

  /** Locations are redirected to and have no page. */
  const isLocation = (dataType: DataType, payload: string): boolean =>
    isLocationType(dataType) && webUrl(payload) !== undefined;

  test.each(dataTypes)(
    'a sealed code of the type %s shows everything that an open one does',
    async (dataType) => {
      const payloads = [
        ...(isLocationType(dataType) ? [] : [samplePayloads[dataType]]),
        ...fc.sample(payloadOf(dataType), 40),
      ].filter((payload) => !isLocation(dataType, payload));
      const plain = await open(() => samplePages().text!);
      await plain.tab.goto('about:blank');
      const pages = payloads.map((payload) =>
        String(show({ kind: 'content', dataType, payload, ...shared }).body),
      );
      const sealed = await openSealed('', 'AES', dataType);
      const jwes = await Promise.all(payloads.map((payload) => sealWithPassphrase(payload, 1)));
      expect(payloads).not.toEqual([]);
      const [openly, fromSeal] = [await shownOpenly(plain.tab, pages), await shownSealed(sealed.tab, jwes)];
      for (const [at, payload] of payloads.entries())
        expect([payload, fromSeal[at]]).toEqual([payload, openly[at]]);
      expectNothingSent(sealed);
    },
  );

  test('a sealed vCard shows all parts of a name, and the types of its numbers', async () => {
    const card =
      'BEGIN:VCARD\nVERSION:4.0\nN:Public;John;Quinlan;Dr.;Esq.\nTEL;TYPE=work:+49 30 1\nTEL;TYPE=cell:+49 170 1\nEND:VCARD';
    const visit = await openedWith('vcard', card);
    await visit.tab.getByRole('heading', { name: 'Dr. John Quinlan Public Esq.' }).waitFor();
    expect(await visit.tab.title()).toBe('Dr. John Quinlan Public Esq.');
    expect(await visit.tab.evaluate('document.activeElement.tagName')).toBe('H1');
    expect(await visit.tab.locator('dt').allTextContents()).toEqual(['Phone, work', 'Phone, mobile']);
  });

  test('a sealed password is folded away, and copied exactly', async () => {
    const visit = await openedWith('wifi', samplePayloads.wifi);
    await visit.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await visit.tab.getByRole('button', { name: 'Copy password' }).click();
    await expect
      .poll(() => visit.tab.evaluate('navigator.clipboard.readText()'))
      .toBe('northern;lights-2026');
    await visit.tab.getByRole('status').getByText('Copied').waitFor();
    expect(await visit.tab.locator('#password').isVisible()).toBe(false);
    expectNothingSent(visit);
  });

  test('a sealed contact is saved as a file with its name', async () => {
    const visit = await openedWith('vcard', samplePayloads.vcard);
    const [download] = await Promise.all([
      visit.tab.waitForEvent('download'),
      visit.tab.getByRole('link', { name: 'Add to contacts' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('maja-lindqvist.vcf');
    expect(await readFile(await download.path(), 'utf8')).toBe(`${samplePayloads.vcard}\r\n`);
    expect(visit.violations).toEqual([]);
  });

  test('a sealed event is saved as a file that calendars import', async () => {
    const visit = await openedWith('vcalendar', samplePayloads.vcalendar);
    const [download] = await Promise.all([
      visit.tab.waitForEvent('download'),
      visit.tab.getByRole('link', { name: 'Add to calendar' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('opening-night-glass-and-light.ics');
    const file = await readFile(await download.path(), 'utf8');
    expect(file).toMatch(/^BEGIN:VCALENDAR\r\n[\s\S]*\r\nUID:[0-9a-f]{32}\r\n[\s\S]*END:VCALENDAR\r\n$/);
    expect(visit.violations).toEqual([]);
  });

  test.each([
    [
      'email',
      'Open the mail app',
      'mailto:hello@norrsken.example?subject=A%20question&body=Dear%20team%2C%0D%0A%0D%0A',
    ],
    ['sms', 'Open messages', 'sms:+46701234567?&body=I%20would%20like%20to%20book%20a%20table%20for%20two.'],
    ['phone', 'Call', 'tel:+4681234500'],
    [
      'geo',
      'See it on OpenStreetMap',
      'https://www.openstreetmap.org/?mlat=59.3172&mlon=18.05#map=17/59.3172/18.05',
    ],
  ] as const)('a sealed %s is a link for the app that it is for', async (dataType, label, href) => {
    const visit = await openedWith(dataType, samplePayloads[dataType]);
    expect(await visit.tab.getByRole('link', { name: label }).getAttribute('href')).toBe(href);
    expectNothingSent(visit);
  });

  test.each([
    ['wifi', 'WIFI:S:<img src=x onerror=alert(1)>;P:"><script>alert(1)</script>;;'],
    ['vcard', 'BEGIN:VCARD\nFN:<b>x</b>\nURL:javascript:alert(1)\nTEL:javascript:1\nEND:VCARD'],
    ['wifi', 'no network'],
    ['mecard', 'MECARD:N:<b>x</b>,y;URL:javascript:alert(1);TEL:javascript:1;;'],
    ['email', 'mailto:<b>x</b>@a.example?subject=<script>alert(1)</script>'],
    ['sms', 'SMSTO:javascript:alert(1)'],
    ['phone', 'javascript:alert(1)'],
    ['geo', 'geo:javascript:alert(1)'],
    ['geo', 'geo:91,0'],
    [
      'vcalendar',
      'BEGIN:VEVENT\nSUMMARY:<b>x</b>\nDTSTART:20260918\nLOCATION:javascript:alert(1)\nEND:VEVENT',
    ],
  ] as const)('of the type %s, %s becomes neither markup nor a link that runs', async (dataType, payload) => {
    const visit = await openedWith(dataType, payload);
    await visit.tab.locator('#result .card').first().waitFor();
    expect(await visit.tab.locator('#result img, #result script, #result b:has-text("x")').count()).toBe(0);
    expect(await visit.tab.locator('a[href^="javascript:" i]').count()).toBe(0);
    expectNothingSent(visit);
  });

  test('the page says that a passphrase is wrong, and allows another try', async () => {
    const visit = await openSealed(await sealWithPassphrase('hello'), 'AES');
    await enter(visit, 'wrong');
    await visit.tab.getByRole('alert').getByText('This passphrase does not open the code.').waitFor();
    expect(await visit.tab.locator('#secret').getAttribute('aria-invalid')).toBe('true');
    await enter(visit, passphrase);
    await visit.tab.getByText('hello', { exact: true }).waitFor();
    expectNothingSent(visit);
  });

  test('the page says that the content is damaged', async () => {
    const parts = (await sealWithPassphrase('hello')).split('.');
    parts[3] = Buffer.from('jello').toString('base64url');
    const visit = await openSealed(parts.join('.'), 'AES');
    await enter(visit, passphrase);
    await visit.tab.getByText('The content of this code is damaged.').waitFor();
  });

  test('a JWE with other algorithms, or a text that is not a JWE, is refused with a message', async () => {
    const direct = await new CompactEncrypt(new TextEncoder().encode('x'))
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .encrypt(webcrypto.getRandomValues(new Uint8Array(32)));
    for (const [jwe, message] of [
      [direct, 'This code was sealed in a way that this page does not know.'],
      ['not a jwe', 'The content of this code is damaged.'],
      ['', 'The content of this code is damaged.'],
    ] as const) {
      const visit = await openSealed(jwe, 'AES');
      await enter(visit, passphrase);
      await visit.tab.getByText(message).waitFor();
    }
  });

  test('opens with its private key, pasted or picked as a file; another key does not open it', async () => {
    const { publicKey, privateKey } = await generateKeyPair('RSA-OAEP-256', { extractable: true });
    const jwe = await new CompactEncrypt(new TextEncoder().encode('https://a.example/secret'))
      .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM' })
      .encrypt(publicKey);
    const pem = await exportPKCS8(privateKey);
    const other = await exportPKCS8(
      (await generateKeyPair('RSA-OAEP-256', { extractable: true })).privateKey,
    );
    const visit = await openSealed(jwe, 'RSA');
    for (const [secret, message] of [
      [other, 'This key does not open the code: it was sealed for another one.'],
      ['hello', 'This is not an RSA private key in PEM form'],
      ['-----BEGIN RSA PRIVATE KEY-----\nAA==', 'openssl pkcs8 -topk8'],
      ['-----BEGIN ENCRYPTED PRIVATE KEY-----\nAA==', 'itself protected by a passphrase'],
    ] as const) {
      await enter(visit, secret);
      await visit.tab.getByText(message).waitFor();
    }
    await visit.tab
      .locator('#file')
      .setInputFiles({ name: 'key.pem', mimeType: 'application/x-pem-file', buffer: Buffer.from(pem) });
    await visit.tab.getByRole('button', { name: 'Open', exact: true }).click();
    await visit.tab.getByRole('link', { name: 'Open a.example' }).waitFor();
    expect(await visit.tab.locator('#secret').inputValue()).toBe('');
    expectNothingSent(visit);
    const pasted = await openSealed(jwe, 'RSA');
    await enter(pasted, pem);
    await pasted.tab.getByRole('link', { name: 'Open a.example' }).waitFor();
  });

  test('the page cannot connect to anything, not even to its own origin', async () => {
    const visit = await openSealed(await sealWithPassphrase('x'), 'AES');
    const fetched = await visit.tab.evaluate(
      `Promise.all(['/x', 'https://a.example'].map((url) => fetch(url).then(() => 'sent', () => 'refused')))`,
    );
    expect(fetched).toEqual(['refused', 'refused']);
    expectNothingSent({ ...visit, violations: [] });
  });
});

describe.skipIf(!browser)('a password', () => {
  const form = show({ kind: 'password' });
  const type = async (tab: Tab, password: string): Promise<void> => {
    await tab.getByLabel('Password').fill(password);
    await tab.getByRole('button', { name: 'Open' }).click();
  };

  test('is posted to the path of the code; the redirect to another origin is followed', async () => {
    const bodies: string[] = [];
    // A server of its own: not every browser reports redirects to the test.
    const destination = await servePages(() => form);
    onTestFinished(() => destination.close());
    const visit = await open(({ method, body }) => {
      if (method === 'GET') return form;
      bodies.push(body);
      return { location: `${destination.origin}/x` };
    });
    await type(visit.tab, 'a b&ü');
    await visit.tab.waitForURL(`${destination.origin}/x`);
    expect(bodies).toEqual(['password=a+b%26%C3%BC']);
    expect(visit.violations).toEqual([]);
  });

  test("form-action 'self' would block that redirect", async () => {
    const strict = form.headers.map(
      ([name, value]) => [name, value.replace("'self' https: http:", "'self'")] as const,
    );
    const visit = await open(({ method }) =>
      method === 'GET' ? { ...form, headers: strict } : { location: 'https://destination.example/x' },
    );
    await type(visit.tab, 'x');
    await expect.poll(() => visit.violations.join()).toContain('form-action');
    expect(visit.tab.url()).toBe(`${visit.server.origin}/r/abcdefghi`);
  });

  test('screen readers announce a wrong one: the title, the focused field and its description say so', async () => {
    const visit = await open(() => show({ kind: 'password' }, true));
    expect(await visit.tab.title()).toMatch(/^Wrong password/);
    const field = visit.tab.getByRole('textbox', { name: 'Password' });
    await expect
      .poll(() => field.evaluate((input) => input === input.ownerDocument.activeElement))
      .toBe(true);
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    const described = await field.getAttribute('aria-describedby');
    expect(await visit.tab.locator(`#${described}`).textContent()).toContain('This password is not right');
  });
});

// These tests mostly wait to see that nothing happens, so they run concurrently. In concurrent tests, `expect.poll`
// works only on each test's own `expect`.
describe.skipIf(!browser)('an app', { concurrent: true }, () => {
  const target = { url: 'waymark-test://open/1', storeUrl: 'https://store.example/app' };
  const app = show({ kind: 'app', target, fallback: 'https://a.example/x', ...shared });

  test('after a tap that opened nothing the store follows; Back leads to the choices, not in a circle', async ({
    expect,
    onTestFinished: finished,
  }) => {
    const visit = await open(() => app, { newTab: true, finished });
    // Not by mouse: a new browser may be asking whether to open the app, on top of the page.
    await visit.tab.getByRole('link', { name: 'Open the app' }).dispatchEvent('click');
    await expect.poll(() => visit.tab.url()).toBe('https://store.example/app');
    // While the tab moves from one process to another it has no history: wait until its page is there.
    await expect.poll(() => visit.tab.title()).toBe('elsewhere');
    await visit.tab.goBack();
    await visit.tab.waitForTimeout(2500);
    expect(visit.tab.url()).toBe(`${visit.server.origin}/r/abcdefghi`);
    await visit.tab.getByRole('link', { name: 'Continue to a.example' }).dispatchEvent('click');
    await expect.poll(() => visit.tab.url()).toBe('https://a.example/x');
  });

  test('Chromium opens nothing without a tap, so the page stays and offers the choices', async ({
    onTestFinished: finished,
  }) => {
    const visit = await open(() => app, { newTab: true, finished });
    await visit.tab.waitForTimeout(2500);
    expect(visit.tab.url()).toBe(`${visit.server.origin}/r/abcdefghi`);
    expect(visit.outside).toEqual([]);
    expect(visit.violations).toEqual([]);
  });

  test('if links open without a tap, the page proceeds without one: to the destination if there is no store', async ({
    expect,
    onTestFinished: finished,
  }) => {
    const iphone =
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile/15E148 Safari/604.1';
    const page = show({
      kind: 'app',
      target: { url: target.url },
      fallback: 'https://a.example/x',
      ...shared,
    });
    const visit = await open(() => page, { userAgent: iphone, finished });
    await expect.poll(() => visit.tab.url()).toBe('https://a.example/x');
  });

  test.for([
    ['is left for the app', 'dispatchEvent(new Event("pagehide"))'],
    ['is behind the prompt to open it', 'document.hasFocus = () => false'],
  ])('a page that %s stays where it is', async ([, left], { onTestFinished: finished }) => {
    const visit = await open(() => app, { newTab: true, finished });
    await visit.tab.evaluate(`document.getElementById("app").click(); ${left}`);
    await visit.tab.waitForTimeout(2500);
    expect(visit.outside).toEqual([]);
  });
});

describe.skipIf(!browser)('a content', () => {
  const pages = samplePages();

  test('is copied exactly', async () => {
    const visit = await open(() => pages.wifi!);
    await visit.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const copied = () => visit.tab.evaluate('navigator.clipboard.readText()');
    await visit.tab.getByRole('button', { name: 'Copy password' }).click();
    await expect.poll(copied).toBe('northern;lights-2026');
    await visit.tab.getByRole('status').getByText('Copied').waitFor();
    await visit.tab.getByText('Show password').click();
    await visit.tab.locator('#password').waitFor();
  });

  test('says so if copying is not allowed', async () => {
    const visit = await open(() => pages.text!);
    await visit.tab.evaluate('navigator.clipboard.writeText = () => Promise.reject(new Error("denied"))');
    await visit.tab.getByRole('button', { name: 'Copy the text' }).click();
    await visit.tab.getByText('Please select the text instead').waitFor();
  });

  test.each([
    ['vcard', 'Add to contacts', 'maja-lindqvist.vcf', 'BEGIN:VCARD'],
    ['vcalendar', 'Add to calendar', 'opening-night-glass-and-light.ics', 'BEGIN:VCALENDAR'],
  ])('%s is saved as a file with a name', async (name, label, fileName, begin) => {
    const visit = await open(() => pages[name]!);
    const [download] = await Promise.all([
      visit.tab.waitForEvent('download'),
      visit.tab.getByRole('link', { name: label }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(fileName);
    expect(await readFile(await download.path(), 'utf8')).toMatch(new RegExp(`^${begin}`));
    expect(visit.violations).toEqual([]);
  });

  test('an iPhone gets a link to its own maps', async () => {
    const decision = { kind: 'content', dataType: 'geo', payload: samplePayloads.geo, ...shared } as const;
    const visit = await open(() => renderPage(decision, { ...sampleContext, os: 'ios' }));
    expect(await visit.tab.getByRole('link', { name: 'Open in maps' }).getAttribute('href')).toMatch(
      /^https:\/\/maps\.apple\.com\//,
    );
  });

  test("an instant is shown on the reader's clock", async () => {
    const payload = 'BEGIN:VEVENT\nDTSTART:20260704T180000Z\nDTEND:20260704T190000Z\nEND:VEVENT';
    const visit = await open(() => show({ kind: 'content', dataType: 'vcalendar', payload, ...shared }));
    const expected = await visit.tab.evaluate(
      `new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'short' }).formatRange(Date.UTC(2026, 6, 4, 18), Date.UTC(2026, 6, 4, 19))`,
    );
    // The zone, or half of the day, stays beside the time.
    const unbroken = (expected as string).replace(' PM', '\u00a0PM').replaceAll('\u2009', '\u202f');
    expect(await visit.tab.locator('[data-start]').textContent()).toBe(unbroken);
  });
});
