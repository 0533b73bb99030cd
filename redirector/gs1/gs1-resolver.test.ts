import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { expect, test } from 'vitest';
import { recordStream } from '#schemas/code-record.ts';
import {
  documentKey,
  type Gs1Document,
  type Gs1Entry,
  type Gs1Link,
  gs1DocumentId,
  serializeDocument,
} from '#schemas/documents.ts';
import { primaryKeys } from '#shared/gs1/digital-link/key-path.ts';
import { eventually } from '../testing/eventually.ts';
import { rawRequest } from '../testing/raw-request.ts';
import { phone, startTestRedirector } from '../testing/redirector.ts';
import { mintItem, serialOf } from '../testing/serialized-items.ts';

const root = 'https://qr.example.com';
const { url, redis, controlPlane, connected, query } = await startTestRedirector({
  TRUSTED_PROXIES: '127.0.0.1',
  QR_HOST: root,
});
await connected();

const gtin = '/01/09506000134352';
const pip = 'https://ref.gs1.org/voc/pip';
const recipe = 'https://ref.gs1.org/voc/recipeInfo';
const link = (name: string, changes: Partial<Gs1Link> = {}): Gs1Link => ({
  linkType: pip,
  href: `https://example.com/${name}`,
  title: name,
  ...changes,
});
const entry = (at: string, id: string, links: Gs1Link[]): Gs1Entry => ({
  id,
  path: at,
  itemDescription: `Item ${id}`,
  links,
});
const documentOf = (key: string, entries: Gs1Entry[], changes: Partial<Gs1Document> = {}): Gs1Document => ({
  id: gs1DocumentId(key.slice(1)),
  version: 1,
  workspaceId: 'ws_1',
  entries,
  ...changes,
});

const hold = (document: Gs1Document): void => void controlPlane.documents.set(document.id, document);

hold(
  documentOf(gtin, [
    entry(gtin, 'gs1_product', [
      link('product', { default: true, hreflang: ['en'], type: 'text/html' }),
      link('produit', { hreflang: ['fr'], type: 'text/html' }),
      link('data', { hreflang: ['en'], type: 'application/json' }),
      link('xr', { hreflang: ['en'], type: 'text/html', context: ['xr'] }),
      link('recipes?of=rice#top', { linkType: recipe }),
    ]),
    entry(`${gtin}/10/L1`, 'gs1_lot', [link('lot', { default: true })]),
    entry(`${gtin}/21/S1`, 'gs1_serial', [link('serial', { default: true })]),
    entry(`${gtin}/10/A%2FB`, 'gs1_slash', [link('slash', { default: true })]),
  ]),
);
/** With batches of serialized items. */
const serializedGtin = '/01/79521141123453';
hold(
  documentOf(
    serializedGtin,
    [entry(serializedGtin, 'gs1_serialized', [link('serialized', { default: true })])],
    {
      serialized: true,
    },
  ),
);

let addresses = 0;
/** As a phone on its own network. */
const get = (target: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> =>
  fetch(url + target, {
    method,
    redirect: 'manual',
    headers: {
      'user-agent': phone,
      'x-forwarded-for': `10.1.${addresses >> 8}.${addresses++ & 255}`,
      ...headers,
    },
  });
const locationOf = async (target: string, headers?: Record<string, string>) => {
  const { status, headers: answer } = await get(target, headers);
  return [status, answer.get('location')];
};
const to = (name: string) => [307, `https://example.com/${name}`];

interface Vectors {
  epcBinary: { id: string; input: string; valid: boolean; path?: string }[];
  digitalLinks: { id: string; input: string; valid: boolean; canonical?: string }[];
  observed: { id: string; input: string; valid: boolean; canonical?: string; message?: string }[];
  keyQualifierPaths: { path: string[] }[];
}
const vectors = JSON.parse(
  fs.readFileSync(path.join(import.meta.dirname, '../../shared/gs1/testing/vectors.json'), 'utf8'),
) as Vectors;

test.each(vectors.epcBinary)(
  'EPC binary $input resolves like the Digital Link it stands for',
  async ({ input, valid, path: stands }) => {
    if (!valid) return expect((await get(input)).status).toBe(400);
    const [at] = stands!.split('?');
    const segments = at!.split('/');
    const key = segments.slice(0, 3).join('/');
    if (!controlPlane.documents.has(gs1DocumentId(key.slice(1))))
      hold(documentOf(key, [entry(key, 'gs1_epc', [link('epc', { default: true })])]));
    const [direct, binary] = await Promise.all([get(at!), get(input)]);
    expect([binary.status, binary.headers.get('location')]).toEqual([
      direct.status,
      direct.headers.get('location'),
    ]);
    expect([307, 404]).toContain(binary.status);
  },
);

test.each([
  '/eh',
  '/ex',
  '/eh00',
  '/ehzz',
  '/ex____',
  '/eh3500E86F8000A9E000000586',
  '/eh3066C4409047E140075B',
  '/exMGbEQJBH4UAH',
  `/eh${'0'.repeat(3000)}`,
])('EPC binary that cannot be decoded is 400: %s', async (target) =>
  expect((await get(target)).status).toBe(400),
);

test.each(['/exports', '/example', '/expiring-batches', '/exports/7', '/2026a', '/1'])(
  'a path that looks like neither an EPC nor an application identifier is passed on to the control plane: %s',
  async (target) => expect(await (await get(target)).text()).toBe(`passed: GET ${target}`),
);

test.each([
  ...vectors.observed,
  ...vectors.digitalLinks.filter(({ input }) => input.startsWith('https://id.')),
])('the resolver takes and refuses what the checker does: $input', async ({ id, input, valid }) => {
  const { pathname, search } = new URL(input);
  const { status } = await get(pathname + search);
  // The grammar allows `;` between parameters, although the checker refuses it.
  const isTaken = valid || id === 'obs-23';
  // Other paths are not the resolver's.
  if (/^\/\d/.test(pathname)) expect([id, status === 400]).toEqual([id, !isTaken]);
});

test.each(vectors.keyQualifierPaths)(
  'the key qualifiers $path are accepted in this order',
  async ({ path: ais }) => {
    const values: Record<string, string> = {
      '00': '006141411234567890',
      '01': '12312312312333',
      8003: '01234567890128X',
      8004: '95211415678',
      8006: '123456789012310510',
      8018: '123456789012345675',
    };
    const target = ais.map((ai) => `/${ai}/${values[ai] ?? 'ABC'}`).join('');
    expect([307, 404]).toContain((await get(target)).status);
  },
);

test('without linkType and without a better language it redirects to the default link, never 300, never 404', async () => {
  expect(await locationOf(gtin)).toEqual(to('product'));
  expect(await locationOf(gtin, { 'accept-language': 'xx, yy;q=0.3' })).toEqual(to('product'));
  expect(await locationOf(gtin, { accept: 'image/png' })).toEqual(to('product'));
  expect(await locationOf(`${gtin}?linkType=gs1:defaultLink`)).toEqual(
    to('product?linkType=gs1:defaultLink'),
  );
});

test('a link in a better language is chosen by Accept-Language, and by lang before it', async () => {
  expect(await locationOf(gtin, { 'accept-language': 'fr-CA, en;q=0.5' })).toEqual(to('produit'));
  expect(await locationOf(gtin, { 'accept-language': 'fr;q=0.2, en;q=0.5' })).toEqual(to('product'));
  expect(await locationOf(`${gtin}?lang=fr`, { 'accept-language': 'en' })).toEqual(to('produit?lang=fr'));
  // The header is remembered; the parameter is of its request alone.
  expect(await locationOf(gtin, { 'accept-language': 'en' })).toEqual(to('product'));
});

test('a link is chosen by context, and by media type', async () => {
  expect(await locationOf(`${gtin}?context=xr`)).toEqual(to('xr?context=xr'));
  expect(await locationOf(`${gtin}?context=other`)).toEqual(to('product?context=other'));
  expect(await locationOf(gtin, { accept: 'application/json' })).toEqual(to('data'));
  expect(await locationOf(gtin, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' })).toEqual(
    to('product'),
  );
});

test.each([
  'gs1:recipeInfo',
  'https%3A%2F%2Fref.gs1.org%2Fvoc%2FrecipeInfo',
  'https://gs1.org/voc/recipeInfo',
])('a link type is known by its short name and by its IRI: %s', async (name) => {
  const [status, location] = await locationOf(`${gtin}?linkType=${name}`);
  expect([status, location]).toEqual([307, `https://example.com/recipes?of=rice&linkType=${name}#top`]);
});

test('of several link types the first that exists answers', async () => {
  const several = 'linkType=gs1:faqs&linkType=gs1:recipeInfo';
  expect(await locationOf(`${gtin}?${several}`)).toEqual([
    307,
    `https://example.com/recipes?of=rice&${several}#top`,
  ]);
});

test('an unknown link type is 404', async () => {
  for (const name of ['gs1:faqs', 'gs1:nonsense', 'pip', ''])
    expect((await get(`${gtin}?linkType=${name}`)).status).toBe(404);
});

test('the 404 of a link type names the requested type, and says how to write one and how to list them', async () => {
  expect(await (await get(`${gtin}?linkType=pip`)).text()).toMatch(
    /no link of the type 'pip' .*; a type is written as gs1:pip, and \?linkType=linkset lists/,
  );
});

test('an unknown qualifier value walks up to the level above it', async () => {
  expect(await locationOf(`${gtin}/10/L1`)).toEqual(to('lot'));
  expect(await locationOf(`${gtin}/10/none`)).toEqual(to('product'));
  expect(await locationOf(`${gtin}/22/none/10/L1/21/none`)).toEqual(to('lot'));
  expect((await locationOf(`${gtin}/10/L1?linkType=gs1:recipeInfo`))[0]).toBe(307);
});

test('a serial outranks a batch', async () => {
  expect(await locationOf(`${gtin}/10/L1/21/S1`)).toEqual(to('serial'));
});

const linkset = async (target: string, headers?: Record<string, string>) => {
  const answer = await get(target, headers);
  return { answer, body: (await answer.json()) as { linkset: Record<string, unknown>[] } };
};

test('a linkset has every matching level, anchored at its own path, and nothing else', async () => {
  const { body } = await linkset(`${gtin}/10/L1/21/S1?linkType=linkset`);
  expect(Object.keys(body)).toEqual(['linkset']);
  expect(body.linkset.map(({ anchor }) => anchor)).toEqual(
    [`${gtin}/21/S1`, `${gtin}/10/L1`, gtin].map((at) => root + at),
  );
  expect(body.linkset[2]).toEqual({
    anchor: root + gtin,
    itemDescription: 'Item gs1_product',
    'https://ref.gs1.org/voc/defaultLink': [{ href: 'https://example.com/product', title: 'product' }],
    [pip]: [
      { href: 'https://example.com/product', title: 'product', type: 'text/html', hreflang: ['en'] },
      { href: 'https://example.com/produit', title: 'produit', type: 'text/html', hreflang: ['fr'] },
      { href: 'https://example.com/data', title: 'data', type: 'application/json', hreflang: ['en'] },
      { href: 'https://example.com/xr', title: 'xr', type: 'text/html', hreflang: ['en'], context: ['xr'] },
    ],
    [recipe]: [{ href: 'https://example.com/recipes?of=rice#top', title: 'recipes?of=rice#top' }],
  });
});

test('a person gets the links as a page: the best of each type, in their language, and each target once', async () => {
  const answer = await get(`${gtin}/10/L1?linkType=linkset`, {
    accept: 'text/html',
    'accept-language': 'fr',
  });
  expect([answer.status, answer.headers.get('content-language')]).toEqual([200, 'fr']);
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  const page = await answer.text();
  expect(page).toContain('<h1 dir="auto" lang="">Item gs1_lot</h1>');
  expect([...page.matchAll(/<a class="button[^"]*" href="([^"]*)"/g)].map(([, href]) => href)).toEqual(
    ['lot', 'produit', 'recipes?of=rice#top'].map((name) => `https://example.com/${name}`),
  );
});

test.each<[string, Record<string, string>]>([
  [`${gtin}?linkType=linkset`, {}],
  [`${gtin}?linkType=all`, {}],
  [gtin, { accept: 'application/linkset+json' }],
])('%s with %o is a linkset of its own type, with the context of GS1', async (target, headers) => {
  const { answer } = await linkset(target, headers);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('application/linkset+json');
  expect(answer.headers.get('link')).toMatch(
    /^<[^>]*linkset-context>; rel="http:\/\/www\.w3\.org\/ns\/json-ld#context"; type="application\/ld\+json"$/,
  );
});

test.each([
  ['/01/09506000134353', 'AI (01): The numeric check digit is incorrect'],
  ['/01/095060001343520', 'AI (01) value is too long'],
  [`${gtin}/21/S1/10/L1`, 'not a valid key-qualifier sequence'],
  [`${gtin}/17/271231`, 'not a valid key-qualifier sequence'],
  [`${gtin}/foo`, 'No GS1 DL keys found in path info'],
  ['/10/ABC', 'No GS1 DL keys found in path info'],
  [`/12${gtin}`, 'No GS1 DL keys'],
])(
  "%s is a syntax error: 400, in GS1's words for programs, and in plain words on a page for shoppers",
  async (target, words) => {
    const answer = await get(target);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      code: 'INVALID_REQUEST',
      error: expect.stringContaining(words),
    });
    const page = await get(target, { accept: 'text/html' });
    expect(page.headers.get('content-type')).toContain('text/html');
    const shown = await page.text();
    expect(shown).toContain('This product code has a typing error');
    expect(shown).toContain('Scan it again.');
    expect(shown).not.toContain(words);
  },
);

test('a valid but unknown key is 404, and so is its linkset', async () => {
  for (const search of ['', '?linkType=gs1:pip', '?linkType=linkset'])
    expect((await get(`/01/12345678901231${search}`)).status).toBe(404);
});

test.each([
  ['a=1;b=2&a=3&c', 'product?a=1;b=2&a=3&c'],
  ['x=%2f%2F+%20', 'product?x=%2f%2F+%20'],
  ['17=271231;3103=000189', 'product?17=271231;3103=000189'],
])('the query passes on byte for byte: %s', async (search, name) => {
  // Node's fetch would normalise it.
  const location = await new Promise((resolve, reject) => {
    http
      .get(
        `${url}${gtin}`,
        { path: `${gtin}?${search}`, headers: { 'x-forwarded-for': '10.2.0.1' } },
        (res) => {
          res.resume();
          resolve(res.headers.location);
        },
      )
      .on('error', reject);
  });
  expect(location).toBe(`https://example.com/${name}`);
});

test('a query of more than 100 parts is passed on unread', async () => {
  const query = (count: number) => `linkType=gs1:recipeInfo${'&a'.repeat(count - 1)}`;
  expect(await locationOf(`${gtin}?${query(100)}`)).toEqual([
    307,
    `https://example.com/recipes?of=rice&${query(100)}#top`,
  ]);
  expect(await locationOf(`${gtin}?${query(101)}`)).toEqual(to(`product?${query(101)}`));
});

test.each(['a=\xe9\xff', 'a=\x7f', '17=271231&a=\xff'])(
  'a query with raw bytes outside visible ASCII is 400, since it could not be passed on byte for byte: %j',
  async (search) => {
    const { status, body, headers } = await rawRequest({ port: Number(new URL(url).port) }, [
      `GET ${gtin}?${search} HTTP/1.1`,
      'Host: x',
      'X-Forwarded-For: 10.2.0.2',
    ]);
    expect([status, headers.location]).toEqual([400, undefined]);
    expect(body).toContain('URI contains illegal characters');
    expect(headers['access-control-allow-origin']).toBe('*');
  },
);

test('%2F stays inside its value, and a trailing slash is tolerated', async () => {
  expect(await locationOf(`${gtin}/10/A%2fB`)).toEqual(to('slash'));
  expect(await locationOf(`${gtin}/`)).toEqual(to('product'));
  expect(await locationOf(`${gtin}/10/L1/`)).toEqual(to('lot'));
});

test('a GTIN of 8, 12 or 13 digits equals the one of 14', async () => {
  expect(await locationOf('/01/9506000134352')).toEqual(to('product'));
});

test.each([
  gtin,
  `${gtin}?linkType=linkset`,
  '/01/1',
  '/01/12345678901231',
  '/eh',
  '/.well-known/gs1resolver',
])('pages of every origin may read every answer, whatever its status: %s', async (target) => {
  for (const [method, statuses] of [
    ['GET', [200, 307, 400, 404]],
    ['HEAD', [200, 307, 400, 404]],
    ['OPTIONS', [204]],
    ['POST', [405]],
  ] as const) {
    const { status, headers } = await get(target, {}, method);
    expect(statuses).toContain(status);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-allow-methods')).toBe('GET, HEAD, OPTIONS');
    expect(headers.get('access-control-expose-headers')).toBe('Link, Location');
    expect(headers.get('vary')).toBe('Accept, Accept-Language');
  }
});

test('HEAD has the same status and headers as GET', async () => {
  const [whole, head] = await Promise.all([get(gtin), get(gtin, {}, 'HEAD')]);
  expect([head.status, head.headers.get('location'), head.headers.get('link')]).toEqual([
    whole.status,
    whole.headers.get('location'),
    whole.headers.get('link'),
  ]);
  expect(head.headers.get('link')).toBe(
    `<${root}${gtin}?linkType=linkset>; rel="linkset"; type="application/linkset+json"`,
  );
});

test('clients without a User-Agent are resolved', async () => {
  expect(await locationOf(gtin, { 'user-agent': '' })).toEqual(to('product'));
});

test('the resolver describes itself', async () => {
  const answer = await get('/.well-known/gs1resolver');
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ resolverRoot: root, supportedPrimaryKeys: primaryKeys });
});

test('one address may send 60 requests a minute; then it gets 429 with Retry-After', async () => {
  const own = { 'x-forwarded-for': '192.0.2.77' };
  const statuses: number[] = [];
  let last: Response | undefined;
  // The window may end in between.
  while (statuses.length < 130 && last?.status !== 429) {
    last = await get(gtin, own);
    statuses.push(last.status);
  }
  expect(last!.status).toBe(429);
  expect(statuses.length).toBeGreaterThan(60);
  expect(last!.headers.get('ratelimit-policy')).toBe('60;w=60');
  expect(Number(last!.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(last!.headers.get('access-control-allow-origin')).toBe('*');
});

test('an unknown serial of a GTIN with serialized batches never walks up: it is 404', async () => {
  const answer = await get(`${serializedGtin}/21/ABC`, { accept: 'application/json' });
  expect([answer.status, await answer.json()]).toEqual([
    404,
    { verdict: 'not_known', error: 'There is no item with this code', code: 'NOT_FOUND' },
  ]);
  const page = await get(`${serializedGtin}/21/ABC`, { accept: 'text/html' });
  expect([page.status, page.headers.get('location')]).toEqual([404, null]);
  expect((await get(`${serializedGtin}/10/L/21/ABC?linkType=gs1:defaultLink`)).status).toBe(404);
});

test('a GTIN with serialized batches and no entry asks to scan the code on the unit', async () => {
  const key = '/01/00000000000062';
  hold(documentOf(key, [], { serialized: true }));
  const page = await get(key, { accept: 'text/html' });
  expect(page.status).toBe(404);
  const shown = await page.text();
  expect(shown).toContain('Each of them has a code of its own');
  expect(shown).not.toContain('nobody has put any information');
});

test('links of a GTIN with serialized batches are reached by linkType, also from a serial', async () => {
  expect(await locationOf(serializedGtin)).toEqual(to('serialized'));
  expect(await locationOf(`${serializedGtin}/21/ABC?linkType=gs1:pip`)).toEqual(
    to('serialized?linkType=gs1:pip'),
  );
});

test('an entry of a GTIN with serialized batches knows only its own serial, whatever its values look like', async () => {
  const key = '/01/00000000000031';
  const lot = `${key}/22/21/10/L`;
  hold(
    documentOf(
      key,
      [
        entry(`${key}/21/OWN`, 'gs1_own', [link('own', { default: true })]),
        entry(lot, 'gs1_lot21', [link('lot21', { default: true })]),
      ],
      { serialized: true },
    ),
  );
  expect(await locationOf(`${key}/21/OWN`)).toEqual(to('own'));
  expect(await locationOf(`${key}/10/L/21/OWN`)).toEqual(to('own'));
  expect(await locationOf(lot)).toEqual(to('lot21'));
  expect((await get(`${lot}/21/invented`)).status).toBe(404);
});

test("after a GTIN has moved, units of its former owner's batches still verify, alongside the new owner's entries", async () => {
  const key = '/01/00000000000048';
  hold(
    documentOf(
      key,
      [
        entry(key, 'gs1_moved', [link('moved', { default: true })]),
        entry(`${key}/21/NEW`, 'gs1_new_owner', [link('new-owner', { default: true })]),
      ],
      { workspaceId: 'ws_new', serialized: true },
    ),
  );
  const printed = `${key}/21/${serialOf('00000000000048', mintItem(controlPlane.serialized).id)}`;
  const verdictOf = async (target: string) => {
    const answer = await get(target, { accept: 'application/json' });
    return [answer.status, ((await answer.json()) as { verdict: string }).verdict];
  };
  // Right after a start, or if a busy machine's disk is slow, there is no verdict yet: try again.
  await eventually(async () => expect(await verdictOf(printed)).toEqual([200, 'authentic']));
  expect(await locationOf(`${key}/21/NEW`)).toEqual(to('new-owner'));
  expect(await verdictOf(`${key}/21/UNKNOWN`)).toEqual([404, 'not_known']);
});

test('a redirect is recorded as a scan of its entry, a HEAD as a bot, a linkset not at all', async () => {
  const key = '/414/9506000134352';
  hold(documentOf(key, [entry(key, 'gs1_recorded', [link('place', { default: true })])]));
  expect(await locationOf(key)).toEqual(to('place'));
  await get(`${key}/254/floor1?linkType=gs1:pip`);
  await get(key, {}, 'HEAD');
  await get(`${key}?linkType=linkset`);
  await eventually(async () => {
    const rows = await query(
      "SELECT kind, count() AS n FROM scans WHERE code_id = 'gs1_recorded' AND workspace_id = 'ws_1' GROUP BY kind ORDER BY kind",
    );
    expect(rows.map(({ kind, n }) => [kind, Number(n)])).toEqual([
      ['scan', 2],
      ['bot', 1],
    ]);
  });
});

test('an announced change takes effect at once', async () => {
  const key = '/01/00000000000017';
  const announce = async (document: Gs1Document) => {
    hold(document);
    const text = serializeDocument(document);
    await redis.set(documentKey(document.id), text);
    await redis.xadd(recordStream, '*', 'document', text, 'id', document.id);
  };
  await announce(documentOf(key, [entry(key, 'gs1_a', [link('before')])]));
  expect(await locationOf(key)).toEqual(to('before'));
  await announce(documentOf(key, [entry(key, 'gs1_a', [link('after')])], { version: 2 }));
  await eventually(async () => expect(await locationOf(key)).toEqual(to('after')));
  await announce(documentOf(key, [], { version: 3 }));
  await eventually(async () => expect((await get(key)).status).toBe(404));
});

test('without the control plane, keys that are held or in Redis are resolved, and others are 503, never a false 404', async () => {
  expect(await locationOf(gtin)).toEqual(to('product'));
  controlPlane.away = true;
  expect(await locationOf(gtin)).toEqual(to('product'));
  const answer = await get('/01/00000000000024');
  expect(answer.status).toBe(503);
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  controlPlane.away = false;
});
