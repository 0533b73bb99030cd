import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { linkedText } from './linked-text.ts';

const hrefsIn = (text: string): string[] =>
  [...String(linkedText(text)).matchAll(/<a href="([^"]*)"/g)].map(([, href]) => href!);

/** The text that a browser shows. */
const contentOf = (markup: string): string =>
  markup
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

const addressPart = fc.constantFrom(
  'https://',
  'http://',
  'javascript:',
  'www.',
  'mailto:',
  'tel:',
  'a@b.example',
  '@',
  '.',
  '+49 30',
  ' ',
  '\n',
  '(',
  ')',
  '<',
  '>',
  '"',
  "'",
  '&amp;',
  '&',
  '123',
  '/',
  'x.example',
  'é',
  '-',
  '\u202e',
  '\0',
);
const anyText = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.array(addressPart, { maxLength: 30 }).map((all) => all.join('')),
);

describe('addresses in a text', () => {
  test.each([
    ['See https://menu.example/a?b=1&c=2.', ['https://menu.example/a?b=1&amp;c=2']],
    ['(http://a.example/x_(y))', ['http://a.example/x_(y)']],
    ['www.shop.example, open daily', ['https://www.shop.example']],
    ['Write to info@shop.example!', ['mailto:info@shop.example']],
    ['Call +49 30 1234567 or +1 (555) 010-9999.', ['tel:+49301234567', 'tel:+15550109999']],
    ['030 1234567, 12+13 euros, +5 more, 4+1234567890', []],
    ['javascript:alert(1) data:text/html,x ftp://a.example', []],
    ['https://user:secret@a.example', []],
    ['Tea e.g. mint.Fresh a@b @handle', []],
    ['https://', []],
  ])('are links: %s', (text, hrefs) => {
    expect(hrefsIn(text)).toEqual(hrefs);
  });

  test('get the attributes of other outward links', () => {
    expect(String(linkedText('https://a.example'))).toBe(
      '<a href="https://a.example" rel="noopener nofollow ugc" dir="ltr">https://a.example</a>',
    );
  });

  test.each(['+49 30 1234567', 'a@b.example', 'https://a.example/'])(
    'are written left to right, also in right-to-left text: %s',
    (address) => {
      expect(String(linkedText(`اتصل ${address}`))).toMatch(/ dir="ltr">/);
    },
  );

  test('leave the text unchanged, and lead only to http, https, mailto and tel', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(contentOf(String(linkedText(text)))).toBe(text);
        for (const href of hrefsIn(text)) expect(href).toMatch(/^(https?:\/\/|mailto:|tel:\+\d)/i);
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    'a.',
    'a@',
    '+1 ',
    '+1(',
    '(',
    ').',
    'www.',
    'http://',
    '@a.',
    "'*_",
    '+',
    '1-',
    'https://a(',
    '+12345678 ',
  ])('are looked for in 4,000 characters of %j, which stay as they are', (part) => {
    const text = part.repeat(4_000).slice(0, 4_000);
    expect(contentOf(String(linkedText(text)))).toBe(text);
  });
});
