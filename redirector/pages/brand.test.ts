import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { brandingBody } from '#schemas/api/branding.ts';
import type { PublishedBrand } from '#schemas/documents.ts';
import { languages } from '#shared/languages.ts';
import { wordsOf } from '#shared/pages/words.ts';
import { answers } from './answers.ts';
import { brandOf } from './brand.ts';
import { renderPage } from './index.ts';
import type { Page } from './page.ts';
import { sampleBrand, sampleBrandedPages, sampleLogo, showNothingHere } from './testing/branded-samples.ts';
import { sampleContext } from './testing/samples.ts';

const fields = ['name', 'accent', 'background', 'url', 'phone', 'email', 'language'] as const;

const text = ({ body }: Page): string => body.toString();
const policyOf = ({ headers }: Page): string =>
  headers.find(([name]) => name === 'Content-Security-Policy')![1];
const styleOf = (page: Page): string => /<style>([\s\S]*?)<\/style>/.exec(text(page))![1]!;

test('the policy of every page lets nothing run, connect or be submitted', () => {
  for (const [name, page] of Object.entries(sampleBrandedPages())) {
    const hash = createHash('sha256').update(styleOf(page)).digest('base64');
    expect([name, page.status]).toEqual([name, name === 'expired' ? '410 Gone' : '404 Not Found']);
    expect(policyOf(page)).toContain("default-src 'none'");
    expect(policyOf(page)).toContain(`style-src 'sha256-${hash}'`);
    expect(policyOf(page)).toContain("script-src 'none'");
    expect(policyOf(page)).toContain("form-action 'none'");
    expect(page.body.length).toBeLessThan(15 * 1024);
  }
});

test.each(languages)('the page speaks %s, in its direction', (language) => {
  const page = showNothingHere({ url: 'https://brand.example/shop' }, language);
  const direction = language === 'ar' || language === 'he' ? 'rtl' : 'ltr';
  expect(text(page)).toContain(`<html lang="${language}" dir="${direction}">`);
  expect(text(page)).toContain(wordsOf[language].scan.nothingHere.title.replaceAll("'", '&#39;'));
  expect(text(page)).toContain('<bdi dir="ltr">brand.example</bdi>');
});

test('the texts of an owner have their own language, or none if it is unknown; our texts have the language of the page', () => {
  const own = { title: 'We cannot find that', text: 'Ask in the shop.' };
  const known = text(showNothingHere({ texts: { unknown: own }, language: 'en' }, 'de'));
  expect(known).toContain('<html lang="de" dir="ltr">');
  expect(known).toContain('<title lang="en">We cannot find that</title>');
  expect(known).toContain('<h1 dir="auto" lang="en">We cannot find that</h1>');
  expect(known).toContain('<p class="sub" dir="auto" lang="en">Ask in the shop.</p>');
  const unknown = text(showNothingHere({ texts: { unknown: own } }, 'de'));
  expect(unknown).toContain('<h1 dir="auto" lang="">We cannot find that</h1>');
  const ours = text(showNothingHere({ texts: { unknown: { title: own.title } }, language: 'en' }, 'de'));
  expect(ours).toContain(`<p class="sub" dir="auto">${wordsOf.de.scan.nothingHere.lead}</p>`);
});

test('a page shows the logo, the name and two ways on, the website first', () => {
  const page = text(sampleBrandedPages().branded!);
  expect(page).toContain(`<img src="${sampleLogo.dataUrl}" width="40" height="40" alt="">`);
  expect(page).toContain('<b dir="auto" lang="">Norrsken Ceramics</b>');
  const ways = [...page.matchAll(/<a class="button( primary)?" href="([^"]*)"/g)].map(([, main, href]) => [
    href,
    main !== undefined,
  ]);
  expect(ways).toEqual([
    ['https://norrsken.example/collection', true],
    ['tel:+46812345 00'.replace(' ', ''), false],
  ]);
});

test('without a logo the first letter of the name stands in its place', () => {
  expect(text(sampleBrandedPages().monogram!)).toContain(
    '<span class="monogram" aria-hidden="true">L</span>',
  );
});

test('without a way on of the owner the page offers another try', () => {
  expect(text(showNothingHere({ name: 'x' }))).toContain(
    '<a class="button" href="" rel="noreferrer">Try again</a>',
  );
});

test('the longest website that the API takes is a way on', () => {
  const { url } = brandingBody.parse({ url: `https://x.example/${'ü'.repeat(663)}` });
  expect(url!.length).toBeGreaterThan(3990);
  expect(text(showNothingHere({ url: url! }))).toContain(`<a class="button primary" href="${url}"`);
});

test('an owner words five messages, and no other', () => {
  const words = { title: 'Own words', text: 'Own text' };
  const texts = Object.fromEntries(
    ['unknown', 'inactive', 'expired', 'capped', 'password'].map((name) => [name, words]),
  ) as NonNullable<PublishedBrand['texts']>;
  const brand = brandOf('own words', { texts });
  const worded = Object.entries(answers)
    .filter(([, answer]) => text(answer.page('en', { brand })).includes('Own words'))
    .map(([name]) => name);
  expect(worded).toEqual(['unknown', 'nothingHere', 'inactive', 'expired', 'capped']);
  const form = renderPage({ kind: 'password' }, { ...sampleContext, about: { brand } });
  expect(text(form)).toContain('<h1 dir="auto" lang="">Own words</h1>');
});

test('whatever a brand contains, its texts stay texts, its colours colours, and its links lead to people or the web', () => {
  const page = sampleBrandedPages().hostile!;
  expect(text(page)).not.toMatch(/<script|<img|javascript:|\u202e|bcc=|href="tel:"/);
  expect(styleOf(page)).toBe(styleOf(showNothingHere()));
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...fields), fc.string({ unit: 'binary' })), (given) => {
      const html = text(showNothingHere(given));
      expect(html.match(/<(?:script|img|iframe|form)[\s>]/)).toBeNull();
      for (const [, href] of html.matchAll(/<a [^>]*href="([^"]*)"/g))
        expect(href).toMatch(/^(?:$|https?:|tel:|mailto:)/);
    }),
    { numRuns: 300 },
  );
});

test('a logo that is no small picture is left out', () => {
  for (const dataUrl of [
    'https://images.example/a.png',
    'data:image/svg+xml;base64,AAAA',
    'data:image/png;base64,AA" onerror="alert(1)',
    `data:image/png;base64,${'A'.repeat(20_000)}`,
  ])
    expect(text(showNothingHere({ logo: { ...sampleLogo, dataUrl } }))).not.toContain('<img');
  expect(text(showNothingHere({ logo: { ...sampleLogo, width: 4000 } }))).not.toContain('<img');
});

test('the texts of an owner are cut if they are longer than the API allows', () => {
  const page = showNothingHere({
    name: 'n'.repeat(5000),
    url: `https://x.example/${'u'.repeat(5000)}`,
    texts: { unknown: { title: 'h'.repeat(5000), text: 'b'.repeat(100_000) } },
  });
  expect(page.body.length).toBeLessThan(14 * 1024);
});

test('an owner’s background applies to both schemes; without one there are two backgrounds', () => {
  expect(styleOf(showNothingHere({ background: '#12324A' }))).toMatch(
    /^:root\{color-scheme:dark;--ground:#12324a;/,
  );
  expect(styleOf(showNothingHere({ accent: '#0a6847' }))).toMatch(
    /^:root\{color-scheme:light dark;.*prefers-color-scheme:dark/,
  );
});

test('a page is rendered once for a version of a brand and a language, and a new version is shown', () => {
  const pageOf = (key: string, brand: PublishedBrand = sampleBrand): Page =>
    answers.nothingHere.page('en', { brand: brandOf(key, brand) });
  const first = pageOf('brand:ws_1 1');
  expect(pageOf('brand:ws_1 1')).toBe(first);
  const changed = pageOf('brand:ws_1 2', { texts: { unknown: { title: 'New' } } });
  expect(text(changed)).toContain('<h1 dir="auto" lang="">New</h1>');
});

test('the page of an end is one for all codes, but for the id that it names', () => {
  const brand = brandOf('brand:ws_ends 1', sampleBrand);
  const pageOf = (codeId: string): string => text(answers.expired.page('de', { codeId, brand }));
  expect(pageOf('abcdefghi')).toContain('<bdi dir="ltr">abcdefghi</bdi>');
  expect(pageOf('ihgfedcba')).toBe(pageOf('abcdefghi').replaceAll('abcdefghi', 'ihgfedcba'));
  expect(pageOf('<script>')).not.toContain('<script');
});
