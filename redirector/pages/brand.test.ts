import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { languages } from '#shared/languages.ts';
import { wordsOf } from '#shared/pages/words.ts';
import { answers } from './answers.ts';
import { brandOfDomain } from './brand.ts';
import type { Page } from './page.ts';
import { sampleBrandedPages, showNothingHere } from './testing/branded-samples.ts';

const text = ({ body }: Page): string => body.toString();
const policyOf = ({ headers }: Page): string =>
  headers.find(([name]) => name === 'Content-Security-Policy')![1];
const styleOf = (page: Page): string => /<style>([\s\S]*?)<\/style>/.exec(text(page))![1]!;

test('every page is 404, and its policy lets nothing run, connect or be submitted', () => {
  for (const [name, page] of Object.entries(sampleBrandedPages())) {
    const hash = createHash('sha256').update(styleOf(page)).digest('base64');
    expect([name, page.status]).toEqual([name, '404 Not Found']);
    expect(policyOf(page)).toContain("default-src 'none'");
    expect(policyOf(page)).toContain(`style-src 'sha256-${hash}'`);
    expect(policyOf(page)).toContain("script-src 'none'");
    expect(policyOf(page)).toContain("form-action 'none'");
    expect(page.body.length).toBeLessThan(15 * 1024);
  }
});

test.each(languages)('the page speaks %s, in its direction', (language) => {
  const page = showNothingHere({ homeUrl: 'https://brand.example/shop' }, language);
  const direction = language === 'ar' || language === 'he' ? 'rtl' : 'ltr';
  expect(text(page)).toContain(`<html lang="${language}" dir="${direction}">`);
  expect(text(page)).toContain(wordsOf[language].scan.nothingHere.title.replaceAll("'", '&#39;'));
  expect(text(page)).toContain('<bdi dir="ltr">brand.example</bdi>');
  expect(wordsOf[language].scan.home.split('{host}')).toHaveLength(2);
});

test('the texts of an owner have their own language, or none if it is unknown; our texts have the language of the page', () => {
  const own = { headline: 'We cannot find that', body: 'Ask in the shop.' };
  const known = text(showNothingHere({ ...own, language: 'en' }, 'de'));
  expect(known).toContain('<html lang="de" dir="ltr">');
  expect(known).toContain('<title lang="en">We cannot find that</title>');
  expect(known).toContain('<h1 dir="auto" lang="en">We cannot find that</h1>');
  expect(known).toContain('<p class="sub" dir="auto" lang="en">Ask in the shop.</p>');
  const unknown = text(showNothingHere(own, 'de'));
  expect(unknown).toContain('<h1 dir="auto" lang="">We cannot find that</h1>');
  expect(unknown).toContain('<p class="sub" dir="auto" lang="">Ask in the shop.</p>');
  const ours = text(showNothingHere({ headline: own.headline, language: 'en' }, 'de'));
  expect(ours).toContain(`<p class="sub" dir="auto">${wordsOf.de.scan.nothingHere.lead}</p>`);
  expect(text(showNothingHere({ ...own, language: '"><script>' }, 'de'))).not.toContain('<script');
});

test('pictures may come only from the host of the logo, and without a logo from nowhere', () => {
  const withLogo = showNothingHere({ logoUrl: 'https://images.example/a;b,c.png' });
  expect(policyOf(withLogo)).toContain('; img-src data: https://images.example;');
  expect(text(withLogo)).toContain(
    '<img src="https://images.example/a;b,c.png" alt="" referrerpolicy="no-referrer">',
  );
  for (const logoUrl of ['http://images.example/a.png', 'data:image/png;base64,AA', '/a.png', 'nonsense'])
    expect([
      logoUrl,
      policyOf(showNothingHere({ logoUrl })).includes('img-src data:;'),
      text(showNothingHere({ logoUrl })).includes('<img'),
    ]).toEqual([logoUrl, true, false]);
});

test('the texts of an owner stay texts, and the colours stay colours, whatever they contain', () => {
  const page = sampleBrandedPages().hostile!;
  expect(text(page)).not.toContain('<script');
  expect(text(page)).not.toContain('javascript:');
  expect(text(page)).not.toContain('onerror=alert(1)>');
  expect(text(page)).not.toContain('\u202e');
  expect(styleOf(page)).toBe(styleOf(showNothingHere(undefined)));
});

test('the texts of an owner are cut if they are longer than the API allows', () => {
  const page = showNothingHere({
    headline: 'h'.repeat(5000),
    body: 'b'.repeat(100_000),
    homeUrl: `https://x.example/${'u'.repeat(5000)}`,
  });
  expect(page.body.length).toBeLessThan(15 * 1024);
});

test('an owner’s background applies to both schemes; without one there are two backgrounds', () => {
  expect(styleOf(showNothingHere({ theme: { background: '#12324A' } }))).toMatch(
    /^:root\{color-scheme:dark;--ground:#12324a;/,
  );
  expect(styleOf(showNothingHere({ theme: { accent: '#0a6847' } }))).toMatch(
    /^:root\{color-scheme:light dark;.*prefers-color-scheme:dark/,
  );
});

test('a page is rendered once for a version of a domain and a language, and a new version is shown', () => {
  const domain = { id: 'domain:go.example.com', version: 1 };
  const pageOf = (document: Parameters<typeof brandOfDomain>[0]): Page =>
    answers.nothingHere.page('en', { brand: brandOfDomain(document) });
  const first = pageOf(domain);
  expect(pageOf({ ...domain })).toBe(first);
  const changed = pageOf({ ...domain, version: 2, notFound: { headline: 'New' } });
  expect(text(changed)).toContain('<h1 dir="auto" lang="">New</h1>');
});
