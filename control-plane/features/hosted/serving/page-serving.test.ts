import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../../testing/control-plane.ts';
import { simplePages } from './testing/simple-pages.ts';
import { addViews } from './view-rows.ts';

const simple = simplePages();
let plane: TestControlPlane;
let own: Workspace;

beforeAll(async () => {
  plane = await startTestControlPlane({
    features: simple.features,
    environment: { TRUSTED_PROXIES: '127.0.0.0/8' },
  });
  own = await plane.workspace();
});

const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1';
const browser = { accept: 'text/html,*/*;q=0.8', 'user-agent': iphone };
let visitors = 0;

/** As a visitor who has not been here before. On a busy machine PostgreSQL may be too late for a view, which comes again then. */
const visit = async (
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<Response> => {
  visitors++;
  const page = await fetch(plane.url + path, {
    method,
    headers: {
      ...browser,
      'x-forwarded-for': `198.51.${visitors >> 8}.${visitors & 255}`,
      'accept-encoding': 'identity',
      ...headers,
    },
  });
  if (page.status !== 503) return page;
  await page.body?.cancel();
  await sleep(100);
  return visit(path, headers, method);
};
const open = (id: string, headers?: Record<string, string>, path = `/p/${id}`) => visit(path, headers);

const create = async (fields: object = {}): Promise<string> => {
  const { status, body } = await own.call('POST', '/api/qr/landing-pages', {
    name: 'Café',
    headline: 'Hello',
    ...fields,
  });
  expect(status).toBe(201);
  return (body as { pageId: string }).pageId;
};

describe('a hosted page', () => {
  test('is served as its kind renders it, with its own policy', async () => {
    const id = await create();
    const page = await open(id);
    expect(page.status).toBe(200);
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': "default-src 'none'; style-src 'sha256-test'",
      'referrer-policy': 'strict-origin-when-cross-origin',
      'x-content-type-options': 'nosniff',
      'ratelimit-policy': '120;w=60',
      etag: expect.stringMatching(/^W\/"[\w-]{16}"$/),
    });
    expect(await page.text()).toBe(`<!doctype html><title>Hello</title>https://qr.example.com/p/${id}`);
  });

  test('that is changed is another one with the next view', async () => {
    const id = await create();
    const before = await open(id);
    await own.call('PATCH', `/api/qr/landing-pages/${id}`, { headline: 'Good evening' });
    const after = await open(id);
    expect(await after.text()).toContain('<title>Good evening</title>');
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
  });

  test('that is paused is 404 and says so, in its language and colours; it comes back', async () => {
    const id = await create({
      headline: 'Willkommen in unserem kleinen Restaurant am Marktplatz',
      theme: { background: '#123456' },
    });
    await own.call('PATCH', `/api/qr/landing-pages/${id}`, { status: 'paused' });
    const paused = await open(id);
    expect([paused.status, paused.headers.get('cache-control'), paused.headers.get('vary')]).toEqual([
      404,
      'no-store',
      'Accept, Accept-Language',
    ]);
    const text = await paused.text();
    expect(text).toContain('<html lang="de"');
    expect(text).toContain('#123456');
    expect(await (await open(id, { accept: '*/*' })).json()).toMatchObject({
      error: 'The landing page is paused',
      code: 'NOT_FOUND',
    });
    await own.call('PATCH', `/api/qr/landing-pages/${id}`, { status: 'active' });
    expect((await open(id)).status).toBe(200);
  });

  test('that is deleted is as unknown as one that never was, and as one of another kind', async () => {
    const id = await create();
    expect((await open(id)).status).toBe(200);
    await own.call('DELETE', `/api/qr/landing-pages/${id}`);
    const active = await create();
    for (const path of [`/p/${id}`, '/p/page_1111111111111111', '/p/x', `/m/${active}`]) {
      const page = await open('', { 'accept-language': 'fr-FR,fr;q=0.9' }, path);
      expect([path, page.status, page.headers.get('cache-control')]).toEqual([path, 404, 'no-store']);
      expect(await page.text()).toContain('<html lang="fr"');
      const program = await open('', { accept: 'application/json' }, path);
      expect([program.status, await program.json()]).toMatchObject([404, { code: 'NOT_FOUND' }]);
    }
  });
});

describe('a page whose texts do not tell their language', () => {
  test("is in the visitor's, each with its own tag, and says what it depends on; others do not depend on it", async () => {
    const id = await create({ headline: 'unclear' });
    const seen = new Map<string, string>();
    for (const header of ['de-AT,en;q=0.5', 'it', 'xx', 'de'] as const) {
      const page = await open(id, { 'accept-language': header });
      const text = await page.text();
      expect(page.headers.get('vary')).toBe('Accept-Encoding, Accept-Language');
      seen.set(text.slice(-2), page.headers.get('etag')!);
      const again = await open(id, { 'accept-language': header, 'if-none-match': page.headers.get('etag')! });
      expect([again.status, again.headers.get('vary')]).toEqual([304, 'Accept-Encoding, Accept-Language']);
    }
    expect([...seen.keys()]).toEqual(['de', 'it', 'en']);
    expect(new Set(seen.values()).size).toBe(3);
    expect(simple.rendered.get(id)).toHaveLength(3);
    const clear = await open(await create(), { 'accept-language': 'de' });
    expect(clear.headers.get('vary')).toBe('Accept-Encoding');
  });
});

describe('a page that has not changed', () => {
  test('is 304 where the browser has it, with the headers that it has to keep', async () => {
    const id = await create();
    const page = await open(id);
    const etag = page.headers.get('etag')!;
    for (const tags of [etag, etag.slice(2), `"x", ${etag}`, `W/"y" ,"z",${etag}`, '*']) {
      const unchanged = await open(id, { 'if-none-match': tags });
      expect([tags, unchanged.status, await unchanged.text()]).toEqual([tags, 304, '']);
      for (const name of ['etag', 'cache-control', 'vary', 'content-security-policy', 'referrer-policy'])
        expect(unchanged.headers.get(name)).toBe(page.headers.get(name));
    }
    for (const tags of ['"x"', etag.replace(/"$/, 'x"'), 'x', `${etag.slice(0, -1)}`])
      expect((await open(id, { 'if-none-match': tags })).status).toBe(200);
  });

  test('answers HEAD with the headers of GET', async () => {
    const id = await create();
    const [get, head] = [await open(id), await visit(`/p/${id}`, {}, 'HEAD')];
    expect([head.status, await head.text()]).toEqual([200, '']);
    for (const name of ['etag', 'content-type', 'content-length', 'vary', 'content-security-policy'])
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    expect((await visit(`/p/${id}`, { 'if-none-match': get.headers.get('etag')! }, 'HEAD')).status).toBe(304);
  });

  test('comes in the encoding that the browser likes best, by one tag', async () => {
    const id = await create({ body: 'Fresh every day. '.repeat(200) });
    const plain = await open(id);
    const text = await plain.text();
    for (const encoding of ['br', 'gzip']) {
      const page = await open(id, { 'accept-encoding': encoding });
      expect([
        page.headers.get('content-encoding'),
        page.headers.get('vary'),
        page.headers.get('etag'),
      ]).toEqual([encoding, 'Accept-Encoding', plain.headers.get('etag')]);
      expect(Number(page.headers.get('content-length'))).toBeLessThan(text.length / 4);
      // fetch has decoded it.
      expect(await page.text()).toBe(text);
    }
  });
});

describe('rendering', () => {
  test('is done once for a hundred who come at the same time, and for all who come later', async () => {
    const id = await create();
    const pages = await Promise.all(Array.from({ length: 100 }, () => open(id)));
    expect(new Set(pages.map(({ status }) => status))).toEqual(new Set([200]));
    await open(id);
    const before = simple.rendered.get(id)!.length;
    await own.call('PATCH', `/api/qr/landing-pages/${id}`, { headline: 'Later' });
    await Promise.all(Array.from({ length: 100 }, () => open(id)));
    // And once for the redirectors when it is published: by the request, and perhaps by the sweep at the same time.
    expect([2, 3]).toContain(simple.rendered.get(id)!.length - before);
  });

  test('of made-up queries is kept for a few of them, and never displaces the plain page', async () => {
    const { body } = await own.call('POST', '/api/qr/menus', { name: 'Lunch' });
    const { menuId } = body as { menuId: string };
    const show = async (query: string) => (await visit(`/m/${menuId}${query}`)).text();
    const [plain, first] = [await show(''), await show('?only=a')];
    expect(await show('?only=a&utm_source=x')).toBe(first);
    let last = '';
    for (let n = 0; n < 30; n++) last = await show(`?only=${n}`);
    // The page is also rendered for the redirectors, at any time.
    expect(await show('')).toBe(plain);
    expect(await show('?only=29')).toBe(last);
    expect(await show('?only=a')).not.toBe(first);
  });

  test('that fails is 500 for all who wait for it, and tried again', async () => {
    const id = await create();
    simple.beforeRender = () => {
      throw new Error('broken');
    };
    const failed = await open(id);
    expect([failed.status, failed.headers.get('content-type')]).toEqual([500, 'text/html; charset=utf-8']);
    simple.beforeRender = () => undefined;
    expect((await open(id)).status).toBe(200);
  });

  test('of a page with a part of its own for each answer happens once, and the part is in each', async () => {
    const { body } = await own.call('POST', '/api/qr/forms', {
      name: 'Feedback',
      fields: [{ label: 'Name', type: 'text' }],
    });
    const { formId } = body as { formId: string };
    const first = await visit(`/f/${formId}`, { referer: 'https://example.com/' });
    const second = await visit(`/f/${formId}`, { referer: 'x'.repeat(5_000), 'accept-encoding': 'gzip, br' });
    expect(await first.text()).toMatch(/<i>\d+ 20<\/i><p>end$/);
    expect(await second.text()).toMatch(/<i>\d+ 2000<\/i><p>end$/);
    expect(second.headers.get('etag')).not.toBe(first.headers.get('etag'));
    expect(simple.rendered.get(formId)).toEqual(['']);
  });
});

const statementsOf = async (work: () => Promise<unknown>): Promise<string[]> => {
  const before = simple.statements.length;
  await work();
  return simple.statements.slice(before).filter((name) => name.includes('hosted-page'));
};

/** Its views are not counted. */
const program = { 'user-agent': 'curl/8' };

test('a page whose version comes twice, as after a restore of the database, is the one that PostgreSQL has', async () => {
  const id = await create({ headline: 'From before the restore' });
  expect(await (await open(id)).text()).toContain('<title>From before the restore</title>');
  await plane.pool.query(
    `UPDATE hosted_pages SET content = '{"headline": "Restored"}', updated_at = updated_at - interval '1 hour' WHERE id = $1`,
    [id],
  );
  expect(await (await open(id)).text()).toContain('<title>Restored</title>');
});

test('PostgreSQL is asked for the revision of a page that is held, and not at all for what is no id', async () => {
  const id = await create();
  await open(id, program);
  /** The views of earlier tests are written at any time. */
  const asked = async (work: () => Promise<unknown>) =>
    (await statementsOf(work)).filter((name) => name !== 'add-hosted-page-views');
  expect(await asked(() => open(id, program))).toEqual(['find-hosted-page-revisions']);
  expect(await asked(() => open('not-an-id'))).toEqual([]);
});

const views = async (id: string): Promise<number> => {
  const { body } = await own.call('GET', `/api/qr/landing-pages/${id}`);
  return (body as { viewCount: number }).viewCount;
};

describe('viewCount', () => {
  test('counts people, also at a 304, and no bot, HEAD or prefetch', async () => {
    const id = await create();
    const { headers } = await open(id);
    await open(id, { 'if-none-match': headers.get('etag')! });
    const uncounted: Record<string, string>[] = [
      { 'user-agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' },
      { 'user-agent': 'WhatsApp/2.23.20.0' },
      { 'user-agent': '' },
      { 'sec-purpose': 'prefetch;prerender' },
      { purpose: 'prefetch' },
      { 'x-moz': 'prefetch' },
      { 'x-purpose': 'preview' },
    ];
    for (const each of uncounted) expect((await open(id, each)).status).toBe(200);
    await visit(`/p/${id}`, {}, 'HEAD');
    await open(id);
    await expect.poll(() => views(id)).toBe(3);
  });

  test('is written in batches: 300 views of three pages take few statements', async () => {
    const ids = [await create(), await create(), await create()];
    const beganMs = performance.now();
    const asked = await statementsOf(async () => {
      for (let n = 0; n < 10; n++)
        await Promise.all(Array.from({ length: 30 }, (_, at) => open(ids[at % 3]!)));
      for (const id of ids) await expect.poll(() => views(id)).toBe(100);
    });
    const batches = asked.filter((name) => name === 'add-hosted-page-views').length;
    // Two a second, the views of earlier tests, one that was due, and one that is tried again.
    expect(batches).toBeLessThanOrEqual(4 + (performance.now() - beganMs) / 500);
    expect(batches).toBeLessThan(150);
  });

  test('counts no paused page, and a deleted page disturbs the count of no other', async () => {
    const [paused, gone, id] = [await create({ status: 'paused' }), await create(), await create()];
    await open(paused);
    await open(gone);
    // In one transaction, that no view of it is added in between.
    await plane.pool.query(`
      LOCK TABLE hosted_page_views IN SHARE ROW EXCLUSIVE MODE;
      DELETE FROM hosted_page_views WHERE page_id = '${gone}';
      DELETE FROM hosted_pages WHERE id = '${gone}'`);
    await open(id);
    await expect.poll(() => views(id)).toBe(1);
    expect(await views(paused)).toBe(0);
  });

  test('counts a batch once, however often it is sent, and also beside others', async () => {
    const id = await create();
    const writer = randomUUID();
    const batch = {
      writer,
      number: 1,
      views: new Map([
        [id, 5],
        ['page_unknown', 1],
      ]),
    };
    await Promise.all(Array.from({ length: 10 }, () => addViews(plane.pool, batch)));
    await addViews(plane.pool, { ...batch, number: 2, views: new Map([[id, 2]]) });
    await addViews(plane.pool, batch);
    await addViews(plane.pool, { ...batch, writer: randomUUID(), views: new Map([[id, 1]]) });
    expect(await views(id)).toBe(8);
  });
});

test('one address may look 120 times a minute at pages of all kinds, then it is 429', async () => {
  const id = await create();
  const from = { 'x-forwarded-for': '203.0.113.77' };
  const pages = await Promise.all(
    Array.from({ length: 130 }, (_, n) => (n % 2 ? open(id, from) : visit('/m/menu_1111111111111111', from))),
  );
  const refused = pages.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(10);
  expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(refused[0]!.headers.get('ratelimit')).toMatch(/^limit=120, remaining=0, reset=\d+$/);
  expect(await refused[0]!.text()).toContain('<!doctype html>');
  expect((await open(id)).status).toBe(200);
});

test('the metrics say how many pages were rendered, and how many views were counted', async () => {
  const { body } = await plane.internal('GET', '/metrics');
  const text = String(body);
  for (const name of [
    'hosted_page_renders_total{kind="landing_page"}',
    'hosted_page_views_total{what="counted"}',
  ])
    expect(Number(text.split(`waymark_${name} `)[1]?.split('\n')[0])).toBeGreaterThan(0);
  for (const name of ['hosted_pages_held ', 'hosted_pages_held_bytes '])
    expect(text).toContain(`waymark_${name}`);
});
