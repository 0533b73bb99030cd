/** What an answer keeps of links and markup, for any text and any answer. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCleaner } from './clean.ts';
import { linksOf } from './links.ts';

const text = `Café Luna (https://luna.example/menu?x=1). See www.luna.shop/Karte, luna.shop; write to Info@Luna.example!
Call +49 30 123 45 67 or 030/1234568. Soup 6.50, cake 4,20.`;

describe('of a text', () => {
  const links = linksOf(text);
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
      const { value } = createCleaner({ text, links: linksOf(text) }).clean(given);
      const kept = JSON.stringify(value);
      expect(kept).not.toMatch(/<\/?[a-z!]/i);
      expect(kept).not.toMatch(/https?:|javascript:|imageurl|@evil|(?<![\w.-])(?:www\.)?evil\.com(?![\w-])/i);
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
  expect(createCleaner({ text, links: linksOf(text) }).clean(given)).toEqual({ value: given, warnings: [] });
});
