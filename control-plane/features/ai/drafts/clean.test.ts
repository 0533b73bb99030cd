/** What an answer keeps of links and markup, for any text and any answer. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Cleaned, createCleaner } from './clean.ts';
import { linksOf } from './links.ts';

/** The result of work in steps, and how long the longest took. */
const timed = <Result>(steps: Generator<void, Result>): { result: Result; longestMs: number } => {
  for (let longestMs = 0; ; ) {
    const beginMs = performance.now();
    const { done, value } = steps.next();
    longestMs = Math.max(longestMs, performance.now() - beginMs);
    if (done) return { result: value, longestMs };
  }
};

const text = `Café Luna (https://luna.example/menu?x=1). See www.luna.shop/Karte, luna.shop; write to Info@Luna.example!
Call +49 30 123 45 67 or 030/1234568. Soup 6.50, cake 4,20.`;

const cleanerOf = (given: string) => createCleaner({ text: given, links: timed(linksOf(given)).result });
const clean = (given: Record<string, unknown>): Cleaned => timed(cleanerOf(text).clean(given)).result;

describe('of a text', () => {
  const links = timed(linksOf(text)).result;
  test.each([
    'https://luna.example/menu?x=1',
    'https://www.luna.shop/Karte/',
    'http://luna.shop',
    'mailto:info@luna.example',
    'info@luna.example',
    'tel:+493012345 67'.replace(' ', ''),
    'tel:0301234568',
  ])('%s is a link', (link) => expect(links.has(link)).toBe(true));

  test.each([
    'https://luna.example/menu',
    'https://luna.example/menu?x=2',
    'https://luna.example.evil.example/menu?x=1',
    'https://evil.example/https://luna.example/menu?x=1',
    'https://luna.shop/karte',
    'mailto:info@luna.example?bcc=a@b.example',
    'tel:+4930123456',
    'tel:',
    'javascript:alert(1)//luna.shop',
    '',
  ])('%j is no link', (link) => expect(links.has(link)).toBe(false));

  test.each([
    'Luna.example',
    'luna.shop',
    '6.50',
    'e.g.',
    'Mr.Smith',
    'No.1',
    'Soup',
    '1:30',
    'info@luna.example',
  ])('%s is not foreign', (word) => expect(links.isForeign(word)).toBe(false));
  test.each([
    'evil.com',
    'www.evil.org/x',
    'https://evil.example',
    'ftp://luna.shop/a',
    'me@evil.com',
    '-.A/evil.com',
    '“evil.com”,',
  ])('%s is foreign', (word) => expect(links.isForeign(word.replace(/[“”]/g, ''))).toBe(true));
});

const evil = fc.constantFrom(
  ...[
    '<script>alert(1)</script>',
    '<scr<b>ipt>',
    'https://evil.com/a',
    'evil.com',
    'javascript:alert(1)',
    'me@evil.com',
  ],
  ...['<img src=x onerror=y', '<!-- x', '<<b>script>', '</a', 'data:text/html,x', 'www.evil.com'],
);
const words = fc
  .array(fc.oneof(evil, fc.string({ maxLength: 8 }), fc.constantFrom(' ', '\n', ',', '<', '>')), {
    maxLength: 8,
  })
  .map((parts) => parts.join(''));
const answer = fc.dictionary(
  fc.constantFrom(
    'name',
    'headline',
    'body',
    'price',
    'items',
    'buttons',
    'imageUrl',
    'heroImageUrl',
    '__proto__',
  ),
  fc.oneof(
    words,
    fc.array(fc.record({ label: words, destination: fc.oneof(evil, fc.webUrl()), price: words }), {
      maxLength: 4,
    }),
    fc.array(fc.record({ name: words, allergens: fc.array(words) }), { maxLength: 4 }),
  ),
);

test('no answer keeps markup, a script, a picture or a link that the text does not have', () => {
  fc.assert(
    fc.property(answer, (given) => {
      const { value } = clean(given);
      const kept = JSON.stringify(value);
      expect(kept).not.toMatch(/<\/?[a-z!]/i);
      expect(kept).not.toMatch(/https?:|javascript:|imageurl|(?<![\w.-])(?:www\.)?evil\.com(?![\w-])/i);
    }),
    { numRuns: 2_000 },
  );
});

test('an answer that has what the text has stays as it is', () => {
  const given = {
    name: 'Café Luna',
    body: 'Soup 6.50 – order at https://luna.example/menu?x=1 or call 030/1234568.',
    buttons: [{ label: 'Menu', destination: 'https://luna.example/menu?x=1' }],
    sections: [{ name: 'Soups', items: [{ name: 'Soup', price: '6,50 €' }] }],
  };
  expect(clean(given)).toEqual({ value: given, warnings: [] });
});

/** A hundred times what a step takes, and a fraction of what a quadratic one would. */
const stepMsMax = 400;

test.each<[string, string]>([
  ['an address with dots', `a@${'.'.repeat(19_990)}x@`],
  ['marks', `a${'!'.repeat(19_990)}a`],
  ['hyphens', '-'.repeat(20_000)],
  ['labels without a letter', '1.'.repeat(10_000)],
  ['labels', 'a.'.repeat(10_000)],
  ['letters', 'a'.repeat(20_000)],
  ['a host of letters that are not ASCII', `https://${'漢'.repeat(19_000)}.com`],
  ['digits', '1-'.repeat(10_000)],
])('a text of 20,000 characters with %s is read in short steps', (_, given) => {
  expect(timed(linksOf(given)).longestMs).toBeLessThan(stepMsMax);
});

test.each<[string, (length: number) => string]>([
  ['an address with dots', (length) => `a@${'.'.repeat(length)}x@`],
  ['addresses', (length) => 'a@.'.repeat(length / 3)],
  ['marks', (length) => `a${'!'.repeat(length)}a`],
  ['hyphens', (length) => '-'.repeat(length)],
  ['letters', (length) => 'a'.repeat(length)],
  ['labels', (length) => 'a.'.repeat(length / 2)],
  ['nested tags', (length) => '<'.repeat(length / 3) + 'b>'.repeat(length / 3)],
])('an answer with long words of %s is cleaned in short steps, or is a fault if it has 100 KB', (_, make) => {
  const words = [make(400), make(4_000)];
  const { longestMs } = timed(
    cleanerOf(text).clean({ items: Array(100).fill({ name: words[0], body: words[1] }) }),
  );
  expect(longestMs).toBeLessThan(stepMsMax);
  for (const given of [{ body: make(100_000) }, { items: [make(100_000)] }, { a: [{ url: make(100_000) }] }])
    expect(() => clean(given)).toThrow('must have at most 4096 characters');
});

test('a link of the text with 1,500 characters is kept, and any other word of more than 500 is left out', () => {
  const link = `https://luna.example/?q=${'x'.repeat(1_500)}`;
  const given = { body: `See ${link} or ${'y'.repeat(501)}`, buttons: [{ label: 'Go', destination: link }] };
  const { result } = timed(cleanerOf(`${text} ${link}`).clean(given));
  expect(result.value).toEqual({ ...given, body: `See ${link} or` });
});
