/** The reference as a reader sees it, in a browser, from a control plane that answers its calls. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { webhookMessages } from '#schemas/api/webhook-events.ts';
import { launchBrowser } from '../../../deploy/testing/browser.ts';
import { afterFile } from '../../../deploy/testing/local.ts';
import { startTestControlPlane, type TestControlPlane, type Workspace } from '../../testing/control-plane.ts';
import { documentedOperations } from '../../testing/documented-operations.ts';

const browser = await launchBrowser();
afterFile(async () => browser?.close());

let plane: TestControlPlane;
let workspace: Workspace;
let axe: string;
let json: unknown;
/** The HTML of every page, by its path. */
const pages = new Map<string, string>();

/** As the document says it is: the client of tests checks that. */
const textAt = async (path: string): Promise<string> => {
  // Compressing what is read once would cost as much as rendering it.
  const { body } = await plane.callWith(undefined)('GET', path, undefined, { 'accept-encoding': 'identity' });
  return Buffer.isBuffer(body) || body instanceof Uint8Array
    ? Buffer.from(body).toString()
    : JSON.stringify(body);
};

beforeAll(async () => {
  plane = await startTestControlPlane();
  workspace = await plane.workspace();
  axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  json = JSON.parse(await textAt('/openapi.json'));
  const introduction = await textAt('/docs');
  pages.set('/docs', introduction);
  const paths = new Set([...introduction.matchAll(/href="(\/docs\/[a-z0-9-]+)"/g)].map(([, path]) => path!));
  for (const path of paths) pages.set(path, await textAt(path));
});

const operationShape = z.looseObject({ operationId: z.string(), summary: z.string() });

/** The part of a page that an anchor names. */
const sectionOf = (id: string): string => {
  const found = [...pages.values()].flatMap(
    (html) => html.match(new RegExp(`<section class="row operation" id="${id}"[\\s\\S]*?</section>`)) ?? [],
  );
  expect([id, found.length]).toEqual([id, 1]);
  return found[0]!;
};

/** Names of all properties and parameters in an operation, wherever they are, except in examples and refusals. */
const namesIn = (node: unknown): string[] => {
  if (typeof node !== 'object' || node === null) return [];
  const { $ref } = node as { $ref?: string };
  if ($ref)
    return namesIn(
      $ref
        .slice(2)
        .split('/')
        .reduce((at, part) => (at as Record<string, unknown>)[part], json),
    );
  return Object.entries(node).flatMap(([key, value]): string[] => {
    if (key === 'example' || key === 'examples') return [];
    if (key === 'properties' && typeof value === 'object' && value !== null)
      return [...Object.keys(value), ...Object.values(value).flatMap(namesIn)];
    if (key === 'parameters' && Array.isArray(value)) return value.map(({ name }) => name);
    if (key === 'responses')
      return Object.entries(value).flatMap(([status, response]) => (status < '3' ? namesIn(response) : []));
    return namesIn(value);
  });
};

test('every operation is on one page, with its anchor, its path, examples in both languages, and all of its fields', () => {
  const operations = documentedOperations(json, operationShape);
  expect(operations.length).toBeGreaterThan(100);
  for (const { template, operation } of operations) {
    const section = sectionOf(operation.operationId);
    expect(section).toContain(template);
    for (const language of ['curl', 'typescript']) expect(section).toContain(`data-in="${language}"`);
    const shown = new Set(
      [...section.matchAll(/<p class="name"><code>([^<]*)<\/code>/g)].map(([, name]) => name),
    );
    const missing = [...new Set(namesIn(operation))].filter((name) => !shown.has(name));
    expect([operation.operationId, missing]).toEqual([operation.operationId, []]);
  }
});

test('every message to webhooks is on one page, with all of its fields', () => {
  const { webhooks } = z
    .object({ webhooks: z.record(z.string(), z.object({ post: operationShape })) })
    .parse(json);
  expect(Object.keys(webhooks)).toHaveLength(webhookMessages.length);
  for (const { post } of Object.values(webhooks)) {
    const section = sectionOf(post.operationId);
    for (const name of namesIn(post)) expect(section).toContain(`<p class="name"><code>${name}</code>`);
  }
});

test('no anchor is twice on a page, and each link within the reference leads to an anchor', () => {
  for (const [path, html] of pages) {
    const ids = [...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
    expect([path, ids.filter((id, at) => ids.indexOf(id) !== at)]).toEqual([path, []]);
  }
  for (const html of pages.values())
    for (const [, path = '', anchor] of html.matchAll(/href="(\/docs[a-z0-9/-]*)#([^"]+)"/g))
      expect(pages.get(path)).toContain(`id="${anchor}"`);
});

test('a name that is no page is not found', async () => {
  for (const name of ['nothing.js', 'dynamic', '..%2Fpackage.json', '%2e%2e%2Fpackage.json'])
    expect((await fetch(`${plane.url}/docs/${name}`)).status).toBe(404);
});

test('pages, files and the entries of the search are not sent again to a client that has them', async () => {
  const call = plane.callWith(undefined);
  const files = [...pages.get('/docs')!.matchAll(/(?:href|src)="(\/docs\/reference\.[^"]+)"/g)].map(
    ([, file]) => file!,
  );
  expect(files).toHaveLength(2);
  for (const path of ['/docs', '/docs/billing', '/docs/search.json', ...files]) {
    const first = await call('GET', path);
    expect([path, first.status]).toEqual([path, 200]);
    const again = await call('GET', path, undefined, { 'if-none-match': first.headers.get('etag')! });
    expect([path, again.status]).toEqual([path, 304]);
  }
});

describe('GET /', () => {
  const baseUrl = 'http://localhost:3000';
  const root = (accept: string) => fetch(`${plane.url}/`, { headers: { accept }, redirect: 'manual' });

  test('gives a browser a page that leads to the reference, the document and the health', async () => {
    const answer = await root('text/html,application/xhtml+xml,*/*;q=0.8');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(answer.headers.get('vary')).toMatch(/accept,/i);
    const page = await answer.text();
    for (const path of ['/docs', '/openapi.json', '/api/health/ready']) {
      expect(page).toContain(`href="${path}"`);
      expect((await fetch(`${plane.url}${path}`)).status).toBe(200);
    }
  });

  test.each(['*/*', 'application/json'])('gives a client that accepts %s the addresses', async (accept) => {
    const answer = await root(accept);
    expect(answer.headers.get('vary')).toMatch(/accept/i);
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { name: 'Waymark', docs: `${baseUrl}/docs`, openapi: `${baseUrl}/openapi.json` },
    ]);
  });
});

/** A page of the reference. Its problems are errors of scripts and of the policy, and requests to other origins. */
const openPage = async (
  path: string,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; problems: string[] }> => {
  const page = await browser!.newPage(options);
  const problems: string[] = [];
  // A refused call is an answer that the panel shows.
  page.on(
    'console',
    (message) =>
      message.type() === 'error' && !/status of 4\d\d/.test(message.text()) && problems.push(message.text()),
  );
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== plane.url && protocol !== 'data:' && protocol !== 'blob:')
      problems.push(`asked for ${request.url()}`);
  });
  await page.goto(`${plane.url}${path}`);
  return { page, problems };
};

const violations = async (page: Page): Promise<string> => {
  await page.evaluate(axe);
  return page.evaluate<string>(`axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html }) => id + ': ' + html.slice(0, 200))).join('\\n'))`);
};

const enterKey = async (page: Page, key: string): Promise<void> => {
  await page.getByRole('button', { name: 'API key', exact: true }).click();
  await page.getByLabel('API key').fill(key);
  await page.getByLabel('API key').press('Enter');
};

const openPanel = async (page: Page, id: string) => {
  const section = page.locator(`section#${id}`);
  await section.getByRole('button', { name: 'Try it' }).click();
  return section.locator('form.panel');
};

describe.skipIf(!browser)('in a browser', () => {
  test.each(['light', 'dark'] as const)('axe finds nothing on any kind of page, %s', async (colorScheme) => {
    for (const path of ['/', '/docs', '/docs/brand-kits', '/docs/events']) {
      const { page, problems } = await openPage(path, { colorScheme });
      expect([path, await violations(page)]).toEqual([path, '']);
      expect(problems).toEqual([]);
      await page.close();
    }
  });

  test.each(['light', 'dark'] as const)(
    'axe finds nothing in the panel and the search, %s',
    async (colorScheme) => {
      const { page } = await openPage('/docs/analytics', { colorScheme });
      const panel = await openPanel(page, 'getCodeAnalytics');
      await panel.getByRole('button', { name: 'Send' }).click();
      await panel.locator('.status', { hasText: '401' }).waitFor();
      expect(await violations(page)).toBe('');
      await page.keyboard.press('Control+k');
      await page.getByRole('listbox', { name: 'Results' }).getByRole('option').first().waitFor();
      expect(await violations(page)).toBe('');
      await page.close();
    },
  );

  test('nothing is wider than a screen of 320 pixels, nor than one of 640 with text twice as large', async () => {
    for (const [width, fontSize] of [
      [320, '100%'],
      [640, '200%'],
    ] as const)
      for (const path of ['/', '/docs', '/docs/dynamic-codes', '/docs/scans']) {
        const { page } = await openPage(path, { viewport: { width, height: 800 } });
        await page.evaluate(`document.documentElement.style.fontSize = '${fontSize}'`);
        expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, width]);
        await page.close();
      }
  });

  test.each([
    ['/api/qr/codes/{id}/explain', 'Explain where a scan leads', '/docs/dynamic-codes#explainCode'],
    ['sha256CertFingerprints', 'sha256CertFingerprints', '.deepLinkConfig.android.sha256CertFingerprints'],
  ])('the search finds %s by keys alone, and opens the place', async (typed, shown, place) => {
    const { page, problems } = await openPage('/docs');
    await page.keyboard.press('/');
    await page.keyboard.type(typed);
    await page.getByRole('option', { selected: true }).filter({ hasText: shown }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.href.endsWith(place));
    // Also if it is in a fold.
    await page.locator(':target').waitFor({ state: 'visible' });
    expect(problems).toEqual([]);
    await page.close();
  });

  test('the search says if it finds nothing', async () => {
    const { page } = await openPage('/docs');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('zzzz');
    await page.getByText('Nothing has “zzzz” in its title, path or fields.').waitFor();
    expect(await page.getByRole('option').count()).toBe(0);
    await page.close();
  });

  test('the panel makes a code, shows the answer with its headers, and deletes at the second press', async () => {
    const { page, problems } = await openPage('/docs/dynamic-codes');
    await enterKey(page, workspace.apiKey);
    const creating = await openPanel(page, 'createCode');
    await creating.getByLabel('body').fill('{"data": "https://example.com/from-the-page"}');
    await creating.getByRole('button', { name: 'Send' }).click();
    await creating.locator('.status', { hasText: '201' }).waitFor();
    for (const name of ['request-id', 'ratelimit'])
      expect(await creating.locator('dt').allTextContents()).toContain(name);
    const { id } = JSON.parse((await creating.locator('.answer pre').textContent())!) as { id: string };
    expect((await workspace.call('GET', `/api/qr/codes/${id}`)).body).toMatchObject({
      destination: 'https://example.com/from-the-page',
    });

    const deleting = await openPanel(page, 'deleteCode');
    await deleting.getByLabel('id').fill(id);
    await deleting.getByRole('button', { name: 'Delete' }).click();
    await deleting.getByRole('button', { name: 'Press again to delete' }).waitFor();
    expect((await workspace.call('GET', `/api/qr/codes/${id}`)).body).toMatchObject({ status: 'active' });
    await deleting.getByRole('button', { name: 'Press again to delete' }).click();
    await deleting.locator('.status', { hasText: '200' }).waitFor();
    expect((await workspace.call('GET', `/api/qr/codes/${id}`)).body).toMatchObject({ status: 'inactive' });
    expect(problems).toEqual([]);
    await page.close();
  });

  test('a picture that is answered is shown as a picture', async () => {
    const { id } = await workspace.createCode();
    const { page, problems } = await openPage('/docs/pictures');
    await enterKey(page, workspace.apiKey);
    const panel = await openPanel(page, 'getCodeImage');
    await panel.getByLabel('id').fill(id);
    await panel.getByRole('button', { name: 'Send' }).click();
    const picture = panel.getByRole('img');
    await picture.waitFor();
    await expect
      .poll(() => page.evaluate(`document.querySelector('.answer-picture').naturalWidth`))
      .toBeGreaterThan(0);
    expect(problems).toEqual([]);
    await page.close();
  });

  test('the examples take the key, in the language that the reader chose on an earlier page', async () => {
    const { page } = await openPage('/docs/billing');
    const code = page.locator('section#getSubscription .example pre:visible');
    expect(await code.textContent()).toContain('Bearer $KEY');
    await page.locator('section#getSubscription').getByRole('button', { name: 'TypeScript' }).click();
    expect(await code.textContent()).toContain("const key = 'wm_…';");
    await enterKey(page, workspace.apiKey);
    expect(await code.textContent()).toContain(`const key = '${workspace.apiKey}';`);
    await page.reload();
    expect(await code.textContent()).toContain("const key = 'wm_…';");
    await page.close();
  });

  test('the key outlives the page only if the reader ticks the box', async () => {
    const { page } = await openPage('/docs/billing');
    const example = page.locator('section#getSubscription .example pre:visible');
    await page.getByRole('button', { name: 'API key', exact: true }).click();
    await page.getByLabel('API key').fill(workspace.apiKey);
    await page.getByLabel('Keep it').check();
    await page.reload();
    expect(await example.textContent()).toContain(workspace.apiKey);
    await page.getByRole('button', { name: 'API key', exact: true }).click();
    await page.getByLabel('Keep it').uncheck();
    await page.reload();
    expect(await example.textContent()).toContain('$KEY');
    await page.close();
  });

  test('without JavaScript every text is there, and the contents open', async () => {
    const { page } = await openPage('/docs/billing', {
      javaScriptEnabled: false,
      viewport: { width: 390, height: 800 },
    });
    for (const language of ['curl', 'typescript'])
      expect(await page.locator(`section#getSubscription [data-in="${language}"]`).isVisible()).toBe(true);
    expect(await page.getByRole('button', { name: 'Search' }).isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Contents' }).click();
    expect(await page.getByRole('link', { name: 'Get the subscription' }).first().isVisible()).toBe(true);
    await page.close();
  });

  test('an address of an operation as it was before leads to its page', async () => {
    const { page } = await openPage('/docs#/Webhooks/createWebhook');
    await page.waitForURL(`${plane.url}/docs/webhooks#createWebhook`);
    await page.close();
  });
});
