/**
 * The checks of GS1's test suite for resolvers (GS1-Conformant Resolver Standard 1.2), as far as they are published,
 * with entries created by the API.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { waymark } from './shared-installation.ts';

const gtin = '/01/09506000134352';
const serialized = '/01/09520123456788';
const pip = { linkType: 'gs1:pip', href: 'https://example.com/rice', title: 'Rice' };

const create = async (path: string, links: object[]): Promise<string> => {
  const answer = await waymark.api('POST', '/api/qr/gs1/entries', { path, itemDescription: 'Rice', links });
  expect(answer.status).toBe(201);
  return z.object({ entryId: z.string() }).parse(await answer.json()).entryId;
};

let addresses = 0;
const get = (target: string, headers: Record<string, string> = {}) =>
  waymark.scan(waymark.qrHost + target, {
    headers: { 'x-forwarded-for': `2001:db8:3:${(addresses++).toString(16)}::1`, ...headers },
  });

let entryId: string;

describe('a resolver', () => {
  beforeAll(async () => {
    entryId = await create(gtin, [
      pip,
      { ...pip, href: 'https://example.com/riz', title: 'Riz', hreflang: ['fr'] },
      {
        linkType: 'gs1:recipeInfo',
        href: 'https://example.com/recipes?of=rice',
        title: 'Recipes',
        type: 'text/html',
      },
    ]);
    await create(`${gtin}/10/ABC`, [{ ...pip, href: 'https://example.com/lot' }]);
    await create(serialized, [pip]);
  });

  test('the resolver description file has resolverRoot and supportedPrimaryKeys', async () => {
    const answer = await get('/.well-known/gs1resolver');
    expect(answer.headers.get('content-type')).toContain('application/json');
    expect(await answer.json()).toMatchObject({
      resolverRoot: waymark.qrHost,
      supportedPrimaryKeys: expect.arrayContaining(['01', '00', '414', '8004']),
    });
  });

  test('a Digital Link redirects to its default link, with its query', async () => {
    const answer = await get(`${gtin}?foo=bar&foo=2`);
    expect([answer.status, answer.headers.get('location')]).toEqual([
      307,
      'https://example.com/rice?foo=bar&foo=2',
    ]);
    expect(answer.headers.get('link')).toContain('rel="linkset"');
  });

  test('a link type leads to its link, an unknown one is 404', async () => {
    const answer = await get(`${gtin}?linkType=gs1:recipeInfo`);
    expect(answer.headers.get('location')).toBe(
      'https://example.com/recipes?of=rice&linkType=gs1:recipeInfo',
    );
    expect((await get(`${gtin}?linkType=gs1:registryEntry`)).status).toBe(404);
  });

  test('Accept-Language chooses among links of one type', async () => {
    expect((await get(gtin, { 'accept-language': 'fr' })).headers.get('location')).toBe(
      'https://example.com/riz',
    );
  });

  test('the linkset is valid, with a default link whose href has a descriptive type, too', async () => {
    const target = { href: z.url(), title: z.string() };
    const linkset = z.strictObject({
      linkset: z.array(
        z
          .object({
            anchor: z.url(),
            itemDescription: z.string(),
            'https://ref.gs1.org/voc/defaultLink': z.array(z.strictObject(target)).length(1),
          })
          .catchall(z.array(z.object(target))),
      ),
    });
    const answer = await get(`${gtin}/10/ABC?linkType=linkset`);
    expect(answer.headers.get('content-type')).toBe('application/linkset+json');
    const { linkset: anchors } = linkset.parse(await answer.json());
    expect(anchors.map(({ anchor }) => anchor)).toEqual(
      [`${gtin}/10/ABC`, gtin].map((path) => waymark.qrHost + path),
    );
    for (const { 'https://ref.gs1.org/voc/defaultLink': defaults, ...types } of anchors)
      expect(Object.values(types).flat()).toContainEqual(expect.objectContaining(defaults[0]!));
  });

  test('a syntax error is 400, an unknown key 404, and pages of other origins may read every answer', async () => {
    for (const [target, status] of [
      ['/01/09506000134353', 400],
      [`${gtin}/foo`, 400],
      [`${gtin}/21/S/10/L`, 400],
      ['/ehzz', 400],
      ['/01/12345678901231', 404],
      [gtin, 307],
    ] as const) {
      const answer = await get(target);
      expect([target, answer.status]).toEqual([target, status]);
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      expect(answer.headers.get('access-control-expose-headers')).toContain('Link');
    }
  });

  test('EPC binary is resolved as its Digital Link', async () => {
    expect((await get('/eh3066c4409047e140075bcd15')).headers.get('location')).toBe(
      'https://example.com/rice',
    );
  });

  test('scans of an entry are counted', async () => {
    const scanCount = async () => {
      const answer = await (await waymark.api('GET', `/api/qr/gs1/entries/${entryId}`)).json();
      return z.object({ scanCount: z.number() }).parse(answer).scanCount;
    };
    await expect.poll(scanCount).toBeGreaterThan(0);
  });

  test('once a GTIN has a batch, its serials are verified: an unknown one never falls back to the GTIN', async () => {
    expect((await get(`${serialized}/21/ABC`)).status).toBe(307);
    const mint = await waymark.api('POST', '/api/qr/serialized-batches', {
      batchName: 'Spring',
      count: 3,
      gtin: '9520123456788',
    });
    expect(mint.status).toBe(202);
    const notKnown = JSON.stringify({
      verdict: 'not_known',
      error: 'There is no item with this code',
      code: 'NOT_FOUND',
    });
    const verdict = async () => {
      const answer = await get(`${serialized}/21/ABC`, { accept: 'application/json' });
      return [answer.status, answer.headers.get('location'), await answer.text()];
    };
    await expect.poll(verdict).toEqual([404, null, notKnown]);
    expect((await get(`${serialized}/21/ABC?linkType=gs1:pip`)).status).toBe(307);
    expect((await get(serialized)).status).toBe(307);
  });

  test('a change is in effect when its call is answered, apart from the moment that the stream takes', async () => {
    const answer = await waymark.api('PUT', `/api/qr/gs1/entries/${entryId}`, {
      path: gtin,
      itemDescription: 'Rice',
      links: [{ ...pip, href: 'https://example.org/new' }],
    });
    expect(answer.status).toBe(200);
    await expect.poll(async () => (await get(gtin)).headers.get('location')).toBe('https://example.org/new');
    expect((await waymark.api('DELETE', `/api/qr/gs1/entries/${entryId}`)).status).toBe(204);
    await expect.poll(async () => (await get(gtin)).status).toBe(404);
  });
});
