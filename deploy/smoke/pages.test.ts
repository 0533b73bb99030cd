/** Hosted pages that the redirector serves: as the control plane has them, at once, counted, and while everything else is away. */
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import { themeNames } from '#schemas/api/blocks.ts';
import { secretKey, startTestControlPlane } from '../../control-plane/testing/control-plane.ts';
import { phone, startTestRedirector, type TestRedirector } from '../../redirector/testing/redirector.ts';
import { temporaryFolder } from '../testing/local.ts';
import { startTestRedis } from '../testing/redis.ts';

const server = await startTestRedis({ durable: true });
const plane = await startTestControlPlane({ redisUrl: server.url });
const own = await plane.workspace();

const common = {
  REDIS_URL: server.url,
  SECRET_KEY: secretKey,
  CONTROL_PLANE_URL: plane.url,
  CONTROL_PLANE_INTERNAL_URL: plane.internalUrl,
  TRUSTED_PROXIES: '127.0.0.1',
  SEGMENT_AGE_MS: '50',
};

/** Nothing answers there: what such a redirector answers, it has in memory. */
const nowhere = 'http://127.0.0.1:1';

const start = async (environment: Record<string, string> = {}): Promise<TestRedirector> => {
  const waymark = await startTestRedirector({ ...common, ...environment });
  onTestFinished(() => waymark.redirector.close());
  await waymark.connected();
  return waymark;
};

const waymark = await startTestRedirector({ ...common, CONTROL_PLANE_URL: nowhere });
await waymark.connected();

let addresses = 0;

interface Got {
  status: number;
  headers: Record<string, string>;
  text: string;
}

const unzip = { br: brotliDecompressSync, gzip: gunzipSync } as const;

const ask = async (
  url: string,
  headers: Record<string, string> = {},
  method: 'GET' | 'HEAD' = 'GET',
): Promise<Got> => {
  const address = `10.2.${++addresses >> 8}.${addresses & 255}`;
  const {
    statusCode,
    headers: got,
    body,
  } = await request(url, {
    method,
    headers: { 'user-agent': phone, accept: 'text/html', 'x-forwarded-for': address, ...headers },
  });
  const bytes = Buffer.from(await body.arrayBuffer());
  const encoding = got['content-encoding'] as keyof typeof unzip | undefined;
  const text = (encoding && bytes.length > 0 ? unzip[encoding](bytes) : bytes).toString();
  return { status: statusCode, headers: got as Record<string, string>, text };
};

/**
 * A person's view, from an address of its own. On a busy machine the control plane may be late for a lookup: then the view is passed
 * on, and nothing answers where `waymark` passes views on to.
 */
const get = async (...view: Parameters<typeof ask>): Promise<Got> => {
  for (let tries = 1; ; tries++) {
    const got = await ask(...view);
    if (got.status !== 502 || tries === 50) return got;
    await sleep(100);
  }
};

const made = async (path: string, body: object): Promise<string> => {
  const answer = await own.call('POST', `/api/qr/${path}`, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  const { pageId, menuId } = answer.body as { pageId?: string; menuId?: string };
  return pageId === undefined ? `/m/${menuId}` : `/p/${pageId}`;
};

const english = 'Everything that we bake today is made by hand, and with flour from the mill next door';
const dishes = Array.from({ length: 50 }, (_, n) => ({
  name: `Dish ${n}`,
  description: `A dish with the number ${n}, that we cook for you while you wait at the window`,
  price: '12.50',
}));

const landingPage = (changes: object = {}) =>
  made('landing-pages', { name: 'Bakery', headline: english, ...changes });
const menu = (changes: object = {}) =>
  made('menus', {
    name: 'Lunch',
    headline: english,
    sections: [{ name: 'Warm', items: dishes }],
    ...changes,
  });
/** Nothing tells the language of its texts. */
const unclear = () => made('landing-pages', { name: 'XK', headline: 'XK 200' });

const idOf = (path: string): string => path.slice(3);
const apiOf = (path: string): string =>
  path.startsWith('/p/') ? `/api/qr/landing-pages/${idOf(path)}` : `/api/qr/menus/${idOf(path)}`;
const change = async (path: string, body: object): Promise<void> => {
  expect((await own.call('PATCH', apiOf(path), body)).status).toBe(200);
};
const viewsOf = async (path: string): Promise<number> =>
  ((await own.call('GET', apiOf(path))).body as { viewCount: number }).viewCount;

/** Headers that an answer has for other reasons than the page. */
const others = ['date', 'connection', 'keep-alive', 'request-id', 'ratelimit', 'ratelimit-policy', 'server'];
const without = ['strict-transport-security', 'uwebsockets', 'transfer-encoding', 'content-length'];
const ofPage = ({ status, headers, text }: Got) => ({
  status,
  text,
  headers: Object.fromEntries(
    Object.entries(headers).filter(([name]) => ![...others, ...without].includes(name)),
  ),
});

describe.each([
  ['landing page', landingPage],
  ['menu', menu],
  ['page whose language is unclear', unclear],
])('a %s', (_, create) => {
  test.each([
    ['Brotli', { 'accept-encoding': 'gzip, deflate, br' }],
    ['gzip', { 'accept-encoding': 'gzip' }],
    ['no encoding', {}],
    ['German', { 'accept-encoding': 'br', 'accept-language': 'de-AT, en;q=0.5' }],
    ['a program', { accept: 'application/json' }],
  ])('is the same from the redirector as from the control plane: %s', async (_name, headers) => {
    const path = await create();
    const [served, plain] = [
      await get(`${waymark.url}${path}`, headers),
      await get(`${plane.url}${path}`, headers),
    ];
    expect(ofPage(served)).toEqual(ofPage(plain));
    const head = await get(`${waymark.url}${path}`, headers, 'HEAD');
    expect({ ...ofPage(head), text: served.text }).toEqual(ofPage(served));
  });
});

test('a paused page is the same as from the control plane, also for a program', async () => {
  const path = await landingPage({ status: 'paused' });
  const of = async (url: string) => ofPage(await get(`${url}${path}`));
  const [served, plain] = [await of(waymark.url), await of(plane.url)];
  expect(served.headers).toEqual({ ...plain.headers, vary: 'Accept, Accept-Encoding, Accept-Language' });
  expect(served).toMatchObject({ status: 404, text: plain.text });
  const read = async (url: string) => {
    const { status, text } = await get(`${url}${path}`, { accept: 'application/json' });
    const { docUrl: _, requestId: _id, ...error } = JSON.parse(text);
    return { status, error };
  };
  expect(await read(waymark.url)).toEqual(await read(plane.url));
});

describe.each(themeNames)('a page in the theme %s', (name) => {
  test.each([
    ['landing page', landingPage],
    ['menu', menu],
    ['paused page', (changes: object) => landingPage({ ...changes, status: 'paused' })],
  ])('has its fonts at the host that serves it, for a year, and from no other: a %s', async (_, create) => {
    const { text, headers } = await get(`${waymark.url}${await create({ theme: { name } })}`);
    const paths = [...text.matchAll(/url\(([^)]+)\)/g)].map(([, path]) => path!);
    expect(paths).toHaveLength(2);
    expect(headers['content-security-policy']).toContain("font-src 'self';");
    for (const path of paths) {
      expect(path).toMatch(/^\/fonts\/[a-z0-9-]+\.[0-9a-f]{8}\.woff2$/);
      for (const method of ['GET', 'HEAD'] as const) {
        const font = await get(`${waymark.url}${path}`, {}, method);
        expect(font).toMatchObject({
          status: 200,
          headers: {
            'content-type': 'font/woff2',
            'cache-control': 'public, max-age=31536000, immutable',
            'x-content-type-options': 'nosniff',
          },
        });
        expect(font.text.slice(0, 4)).toBe(method === 'GET' ? 'wOF2' : '');
      }
    }
  });
});

test('a font at the path that it had before an update is served, and asked for again after a day', async () => {
  const { text } = await get(`${waymark.url}${await landingPage({ theme: { name: 'ink' } })}`);
  const [, path = ''] = text.match(/url\(([^)]+)\)/)!;
  const earlier = await get(`${waymark.url}${path.replace(/\.[0-9a-f]{8}\./, '.00000000.')}`);
  expect(earlier).toMatchObject({ status: 200, headers: { 'cache-control': 'public, max-age=86400' } });
});

test('a browser that has the page gets a 304 without a body', async () => {
  const path = await landingPage();
  const first = await get(`${waymark.url}${path}`, { 'accept-encoding': 'br' });
  const again = await get(`${waymark.url}${path}`, {
    'accept-encoding': 'br',
    'if-none-match': first.headers.etag!,
  });
  expect(again).toMatchObject({ status: 304, text: '' });
  expect(again.headers).toMatchObject({
    etag: first.headers.etag,
    'content-security-policy': first.headers['content-security-policy'],
  });
  expect(again.headers).not.toHaveProperty('content-length');
  await change(path, { headline: `${english}, and more` });
  const changed = () =>
    get(`${waymark.url}${path}`, { 'accept-encoding': 'br', 'if-none-match': first.headers.etag! });
  await expect
    .poll(changed)
    .toMatchObject({ status: 200, text: expect.stringContaining(`${english}, and more`) });
});

test('a page that is changed, paused or deleted is so as soon as the redirector has heard of it', async () => {
  const through = await start();
  const path = await landingPage();
  // Far less than the bound without an announcement, of a minute.
  const soon = { timeout: 5_000, interval: 5 };
  const view = () => get(`${through.url}${path}`);
  for (let n = 0; n < 10; n++) {
    await change(path, { headline: `${english} ${n}` });
    await expect.poll(async () => (await view()).text, soon).toContain(`${english} ${n}`);
  }
  const status = async () => (await view()).status;
  await change(path, { status: 'paused' });
  await expect.poll(status, soon).toBe(404);
  await change(path, { status: 'active' });
  await expect.poll(status, soon).toBe(200);
  expect((await own.call('DELETE', apiOf(path))).status).toBe(204);
  await expect.poll(status, soon).toBe(404);
});

test('each view of a person counts once, also one of a browser that has the page; no other request does', async () => {
  const path = await landingPage();
  const url = `${waymark.url}${path}`;
  const { etag } = (await get(url, { 'accept-encoding': 'br' })).headers;
  await Promise.all(
    Array.from({ length: 30 }, (_, n) =>
      get(url, { 'accept-encoding': 'br', ...(n % 3 === 0 && { 'if-none-match': etag! }) }),
    ),
  );
  const bot = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
  await Promise.all([
    get(url, {}, 'HEAD'),
    get(url, { 'user-agent': bot }),
    get(url, { 'sec-purpose': 'prefetch' }),
  ]);
  await expect.poll(() => viewsOf(path)).toBe(31);
  await sleep(500);
  expect(await viewsOf(path)).toBe(31);
});

test('the 121st view of a minute from one address is refused, with the time to wait', async () => {
  const path = await landingPage();
  await get(`${waymark.url}${path}`);
  const headers = { 'x-forwarded-for': '10.9.9.9' };
  const got = [];
  for (let n = 0; n < 241 && got.at(-1)?.status !== 429; n++)
    got.push(await get(`${waymark.url}${path}`, headers));
  expect(got.at(-1)?.headers).toMatchObject({
    'ratelimit-policy': '120;w=60',
    'retry-after': expect.stringMatching(/^\d+$/),
  });
  // A minute may have begun meanwhile.
  expect(got.length).toBeGreaterThan(120);
  expect(got[0]?.headers.ratelimit).toMatch(/^limit=120, remaining=119, reset=\d+$/);
});

test('what is not held is passed on: a filter of a menu, an unknown page', async () => {
  const through = await start();
  const path = await menu();
  const filtered = await get(`${through.url}${path}?only=x`);
  expect([filtered.status, filtered.headers['request-id']]).toEqual([200, expect.any(String)]);
  const unknown = await get(`${through.url}/p/page_1111111111111111`, { accept: 'application/json' });
  expect([unknown.status, JSON.parse(unknown.text).error]).toEqual([
    404,
    expect.stringContaining('There is no landing page'),
  ]);
});

const form = async (changes: object = {}): Promise<string> => {
  const answer = await own.call('POST', '/api/qr/forms', {
    name: 'Ask',
    description: english,
    fields: [{ id: 'name', type: 'text', label: 'Your name' }],
    ...changes,
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return `/f/${(answer.body as { formId: string }).formId}`;
};

const tokenOf = (text: string): string => /name="_token" value="([^"]+)"/.exec(text)![1]!;
/** No two views have the same token. */
const withoutToken = (got: Got) => {
  const { status, headers, text } = ofPage(got);
  return { status, headers: { ...headers, etag: undefined }, text: text.replace(tokenOf(text), '') };
};

test('the root of both planes is one page that says what this is; without a control plane it says that it is away', async () => {
  const beside = await start();
  const page = await ask(`${beside.url}/`);
  expect([page.status, page.text]).toEqual([200, (await ask(`${plane.url}/`)).text]);
  expect(page.text).toContain('QR codes that can be changed after they are printed.');
  expect(page.text).toContain('Did you type the address of a printed code?');
  const [, style = ''] = /<link rel="stylesheet" href="([^"]*)">/.exec(page.text) ?? [];
  expect((await ask(`${beside.url}${style}`)).headers['content-type']).toBe('text/css; charset=utf-8');

  const alone = await ask(`${waymark.url}/`, { 'accept-language': 'de' });
  expect([alone.status, alone.headers['retry-after']]).toEqual([502, '2']);
  expect(alone.text).toContain('Diese Seite ist gerade nicht erreichbar.');
});

describe('a form', () => {
  test.each([
    ['Brotli', { 'accept-encoding': 'gzip, deflate, br' }],
    ['gzip', { 'accept-encoding': 'gzip' }],
    ['no encoding', {}],
  ])(
    'is the same from the redirector as from the control plane, with a token of its own: %s',
    async (_, headers) => {
      const path = await form();
      const views = [
        await get(`${waymark.url}${path}`, headers),
        await get(`${waymark.url}${path}`, headers),
      ];
      const plain = await get(`${plane.url}${path}`, headers);
      for (const view of views) expect(withoutToken(view)).toEqual(withoutToken(plain));
      expect(new Set([...views, plain].map(({ text }) => tokenOf(text))).size).toBe(3);
    },
  );

  test('from the redirector is sent with its token, once, with the referrer of its view', async () => {
    const path = await form();
    const through = await start();
    const { text } = await get(`${through.url}${path}`, { referer: 'https://example.com/from' });
    const send = () =>
      fetch(`${through.url}${path}`, {
        method: 'POST',
        headers: { accept: 'application/json', 'user-agent': phone },
        body: new URLSearchParams({ _token: tokenOf(text), 'f.name': 'Ann' }),
      });
    await expect.poll(async () => (await send()).status, { interval: 500 }).toBe(200);
    expect((await send()).status).toBe(200);
    const { body } = await own.call('GET', `/api/qr/forms/${idOf(path)}/submissions`);
    expect(body).toMatchObject({ submissions: [{ referrer: 'https://example.com/from' }] });
  });

  test('is shown while every control plane is away, and an answer to it is refused as unavailable', async () => {
    const path = await form();
    const { text, status } = await get(`${waymark.url}${path}`);
    expect([status, text.includes('Your name')]).toEqual([200, true]);
    const sent = await fetch(`${waymark.url}${path}`, {
      method: 'POST',
      headers: { accept: 'application/json' },
      body: new URLSearchParams({ _token: tokenOf(text), 'f.name': 'Ann' }),
    });
    // The script of the form shows its sentence for this, beside the fields as they are.
    expect(sent.status).toBe(502);
  });

  test('is not in the count of views', async () => {
    const path = await form();
    for (let n = 0; n < 3; n++) await get(`${waymark.url}${path}`);
    const { body } = await own.call('GET', `/api/qr/forms/${idOf(path)}`);
    expect(body).toMatchObject({ submissionCount: 0 });
    const { rows } = await plane.pool.query('SELECT FROM hosted_page_views WHERE page_id = $1', [idOf(path)]);
    expect(rows).toEqual([]);
  });
});

test('a redirector that restarts while everything behind it is stopped shows the pages that it held', async () => {
  const dataDir = await temporaryFolder();
  const first = await startTestRedirector({ ...common, CONTROL_PLANE_URL: nowhere, DATA_DIR: dataDir });
  await first.connected();
  const paths = await Promise.all([landingPage(), menu(), unclear(), landingPage({ status: 'paused' })]);
  const view = (url: string) =>
    Promise.all(paths.map(async (path) => ofPage(await get(`${url}${path}`, { 'accept-encoding': 'br' }))));
  const before = await view(first.url);
  await first.redirector.close();
  const away = {
    REDIS_URL: 'redis://127.0.0.1:1',
    CONTROL_PLANE_URL: nowhere,
    CONTROL_PLANE_INTERNAL_URL: nowhere,
  };
  const second = await startTestRedirector(
    { ...common, DATA_DIR: dataDir, ...away },
    { waitForRedis: false },
  );
  onTestFinished(() => second.redirector.close());
  expect(before.map(({ status }) => status)).toEqual([200, 200, 200, 404]);
  expect(await view(second.url)).toEqual(before);
});
