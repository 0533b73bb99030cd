import { expect, test } from 'vitest';
import type { LandingPageContent } from '#schemas/api/landing-pages.ts';
import type { UploadedImage } from '../../hosted/page-kind.ts';
import { renderLandingPage } from './render-landing-page.ts';
import { hostileTexts, landingSamples, samplePage, samplePictures } from './testing/samples.ts';

const url = 'https://qr.example.com/p/page_4nX5cPq7Rk2mQw8Z';

const render = (
  content: Partial<LandingPageContent>,
  images: ReadonlyMap<string, UploadedImage> = new Map(),
): string =>
  renderLandingPage(
    samplePage('landing_page', { buttons: [], socials: [], theme: {}, ...content }, 'Summer sale'),
    { url, variant: '', images },
  ).html;

const dataOf = (html: string): Record<string, unknown> =>
  JSON.parse(html.match(/<script type="application\/ld\+json">([^<]*)</)![1]!) as Record<string, unknown>;

test('a page of 12 buttons and 11 socials is at most 30 KB with its styles and icons', () => {
  const { musician, roastery } = landingSamples;
  expect([musician!.buttons.length, musician!.socials.length]).toEqual([12, 11]);
  expect(Buffer.byteLength(render(musician!))).toBeLessThan(30_000);
  expect(Buffer.byteLength(render({ ...musician, body: roastery!.body! }))).toBeLessThan(30_000);
});

test('the name replaces a missing headline', () => {
  const html = render({});
  expect(html).toContain('<title>Summer sale</title>');
  expect(html).toMatch(/<h1[^>]*>Summer sale<\/h1>/);
  expect(render({ headline: 'Hello' })).not.toContain('Summer sale');
});

test('a page without a picture has the first letter of its headline, one with a picture of its owner has that', () => {
  const monogramOf = (html: string) =>
    html.match(/<span class="avatar monogram" aria-hidden="true">([^<]*)</)?.[1];
  expect(monogramOf(render({ headline: '„éclair“' }))).toBe('É');
  expect(monogramOf(render({ headline: '***' }))).toBeUndefined();
  for (const pictured of [{ avatarUrl: samplePictures.avatar }, { heroImageUrl: samplePictures.hero }])
    expect(monogramOf(render(pictured))).toBeUndefined();
});

test('the first button is the main one', () => {
  const classes = render(landingSamples.cafe!).match(/<a class="button[^"]*"/g);
  expect(classes).toEqual(['<a class="button primary"', '<a class="button"', '<a class="button"']);
});

test('a text that introduces the buttons is centred, of however many paragraphs; a longer one is not', () => {
  const isCentred = (body: string) => render({ body }).includes('<div class="prose centred">');
  expect([isCentred('One.'), isCentred('One.\n\nTwo.\nThree.'), isCentred('word '.repeat(100))]).toEqual([
    true,
    true,
    false,
  ]);
});

test('a short text introduces the buttons, a long one comes after them', () => {
  const { restaurant, roastery } = landingSamples;
  const orderOf = (html: string) => html.indexOf('class="prose') < html.indexOf('class="buttons');
  expect(orderOf(render(restaurant!))).toBe(true);
  expect(orderOf(render(roastery!))).toBe(false);
  expect(render(roastery!).match(/<p dir="auto">/g)).toHaveLength(4);
});

test('the language and the direction come from its texts', () => {
  expect(render(landingSamples.german!)).toContain('<html lang="de" dir="ltr">');
  expect(render(landingSamples.arabic!)).toContain('<html lang="ar" dir="rtl">');
  expect(render({})).toContain('<html lang="en" dir="ltr">');
});

test('owners’ texts are never markup', () => {
  const html = render(landingSamples.hostile!);
  const elements = new Set([...html.matchAll(/<([a-z0-9]+)/g)].map(([, name]) => name));
  expect(html.match(/<script/g)).toHaveLength(1);
  expect([...elements].sort()).toEqual(
    [
      ...new Set([
        'html',
        'head',
        'meta',
        'title',
        'link',
        'script',
        'style',
        'body',
        'main',
        'header',
        'span',
      ]),
    ]
      .concat(['img', 'h1', 'p', 'div', 'ul', 'li', 'a', 'bdi', 'small', 'svg', 'path', 'nav', 'footer'])
      .sort(),
  );
  for (const text of hostileTexts) expect(html).not.toContain(text);
  expect(html.replace(/<link rel="icon"[^>]*>/, '')).not.toMatch(/(href|src)="(javascript|data):/);
});

test('messengers get the hero picture, or the portrait as a small one; uploads are given as JPEG, which all of them accept', () => {
  const withBoth = render({ heroImageUrl: samplePictures.hero, avatarUrl: samplePictures.avatar });
  expect(withBoth).toContain(`<meta property="og:image" content="${samplePictures.hero}">`);
  expect(withBoth).toContain('content="summary_large_image"');
  const portrait = render({ avatarUrl: samplePictures.avatar });
  expect(portrait).toContain(`<meta property="og:image" content="${samplePictures.avatar}">`);
  expect(portrait).toContain('content="summary"');
  const upload: UploadedImage = {
    width: 1600,
    height: 900,
    widths: [640, 1600],
    urlOf: (width, format) => `/i/abc/${width}.${format}`,
    placeholder: 'data:image/webp;base64,AAAA',
  };
  const jpeg = 'https://qr.example.com/i/abc/1200.jpg';
  expect(render({ heroImageUrl: jpeg }, new Map([[jpeg, upload]]))).toContain(
    `<meta property="og:image" content="${jpeg}">`,
  );
});

test('search engines get the page, and the business if it has a telephone', () => {
  expect(dataOf(render(landingSamples.cafe!))).toMatchObject({
    '@context': 'https://schema.org',
    '@type': 'WebPage',
    name: 'Café Morgenrot',
    url,
    inLanguage: 'en',
    mainEntity: {
      '@type': 'LocalBusiness',
      telephone: '+4930901820',
      sameAs: [
        'https://example.com/instagram',
        'https://example.com/facebook',
        'https://example.com/whatsapp',
      ],
    },
  });
  expect(dataOf(render(landingSamples.musician!))).toMatchObject({ mainEntity: { '@type': 'Organization' } });
});

test('listings cut a long text between words', () => {
  const [, description = ''] =
    render(landingSamples.roastery!).match(/name="description" content="([^"]*)"/) ?? [];
  expect(description).toBe('The long story');
  const cut = render({ body: 'word '.repeat(100) }).match(/name="description" content="([^"]*)"/)![1]!;
  expect(cut).toMatch(/^(word )+word…$/);
  expect(cut.length).toBeLessThanOrEqual(201);
});
