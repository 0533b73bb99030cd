import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { PageDocument, PageKind } from '../page-kind.ts';
import { createPageCache } from './page-cache.ts';
import type { PageState } from './page-source.ts';
import { createRendering } from './rendering.ts';

const million = 1_000_000;

/** Documents of so many bytes, more than a twentieth when compressed, of pages that are there and never change. */
const open = ({
  htmlBytes,
  contentLength = 0,
  bytesMax = 64 * 2 ** 20,
}: {
  htmlBytes: number;
  contentLength?: number;
  bytesMax?: number;
}) => {
  const rendered: string[] = [];
  const kind: PageKind<object> = {
    kind: 'menu',
    segment: 'm',
    isIdShaped: () => true,
    imageUrls: () => [],
    variantOf: (query) => query.get('only') ?? '',
    render(page, { variant }): PageDocument {
      rendered.push(`${page.id}?${variant}`);
      const incompressible = randomBytes(htmlBytes / 20).toString('hex');
      return { html: incompressible.padEnd(htmlBytes, 'x'), contentSecurityPolicy: '' };
    },
  };
  const pageOf = (id: string): PageState => ({
    page: {
      id,
      workspaceId: 'w',
      kind: 'menu',
      name: 'Lunch',
      status: 'active',
      version: 1,
      content: { body: 'x'.repeat(contentLength) },
      createdAt: new Date(),
      updatedAt: new Date(),
    },
    revision: '1',
    origin: 'database',
  });
  const cache = createPageCache({
    source: {
      look: async (id) => pageOf(id),
      lookAtChange: async () => undefined,
      lookAside: async () => undefined,
    },
    isHeard: () => true,
    isUnavailable: () => false,
    onServed: () => undefined,
    bytesMax,
  });
  cache.mayHaveMissed();
  const rendering = createRendering({
    qrHost: 'https://qr.example.com',
    findImages: async () => ({ images: new Map(), isComplete: true }),
    onRendered: () => undefined,
    largePagesOf: () => expect.unreachable(),
    keep: () => undefined,
  });
  const view = async (id: string, search = '', address = '192.0.2.1'): Promise<number> => {
    const held = await cache.get(id);
    const asked = { search, language: undefined, address: () => address };
    const document = await rendering.documentOf(kind, held, held.page!, asked);
    return (await document.bodyOf('gzip', '')).parts[0]!.length;
  };
  return { cache, rendered, view };
};

test('the documents of a page and their encodings are counted, and those that are displaced no longer', async () => {
  const { cache, view } = open({ htmlBytes: 200_000 });
  const encoded = await view('one');
  expect(encoded).toBeGreaterThan(10_000);
  const plain = cache.bytes;
  expect(plain).toBeGreaterThan(200_000 + encoded);
  for (let n = 0; n < 50; n++) await view('one', `only=${n}`);
  // Fifteen variants beside the plain page, each as large as that.
  expect(cache.bytes).toBeGreaterThan(plain * 15);
  expect(cache.bytes).toBeLessThan(plain * 17);
});

test('memory is bounded with all that pages hold, and the page that was opened last is held', async () => {
  const { cache, rendered, view } = open({ htmlBytes: million, bytesMax: 10 * million });
  for (let n = 0; n < 20; n++) {
    await view(`page-${n}`);
    expect(cache.bytes).toBeLessThanOrEqual(10 * million);
    expect(cache.bytes).toBeGreaterThan(million * Math.min(n + 1, 8));
  }
  expect(cache.pages).toBeLessThan(10);
  await view('page-19');
  expect(rendered).toHaveLength(20);
});

test('of a page with large variants few are held, and its plain page is rendered once', async () => {
  const { cache, rendered, view } = open({ htmlBytes: 6 * million });
  await view('one');
  const plain = cache.bytes;
  for (let n = 0; n < 12; n++) {
    await view('one', `only=${n}`);
    await view('one');
  }
  expect(Math.abs(cache.bytes - plain)).toBeLessThan(10_000);
  expect(rendered.filter((each) => each === 'one?')).toHaveLength(1);
});

describe('filtered views', () => {
  test('of a large page are rendered 20 times a minute for one address, and held ones are shown all the same', async () => {
    const { rendered, view } = open({ htmlBytes: 2_000, contentLength: million });
    for (let n = 0; n < 20; n++) await view('one', `only=${n}`);
    await expect(view('one', 'only=new')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    expect(rendered).toHaveLength(20);
    await view('one');
    await view('one', 'only=19');
    await view('one', 'only=new', '192.0.2.2');
    expect(rendered.slice(20)).toEqual(['one?', 'one?new']);
  });

  test('of a usual page are not counted', async () => {
    const { rendered, view } = open({ htmlBytes: 30_000, contentLength: 25_000 });
    for (let n = 0; n < 100; n++) await view('one', `only=${n}`);
    expect(rendered).toHaveLength(100);
  });
});
