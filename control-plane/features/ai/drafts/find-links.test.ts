/** What is found in any word is what plain expressions find, which are slow. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bare, domainsIn, emailsIn, hasScheme, isEmail } from './find-links.ts';

const slowly = {
  bare: (word: string) => word.replace(/^[¡¿*_~,;:]+|[.,;:!?*_~…]+$/gu, ''),
  isEmail: (text: string) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text),
  emailsIn: (word: string) => [...(word.match(/[^\s@]+@[^\s@]+\.[^\s@]+/g) ?? [])],
  domainsIn: (word: string) => [
    ...(word.match(/(?<![\p{L}\p{N}])(?:[\p{L}\p{N}-]+\.)+\p{L}[\p{L}\p{N}-]*(?:[/?#:]\S*)?/gu) ?? []),
  ],
  hasScheme: (word: string) => /[a-z][a-z\d+.-]*:\/\/|(?:javascript|data|vbscript|mailto|tel):/i.test(word),
};

const signs = [
  'a',
  'B',
  'ü',
  '漢',
  '𝒳',
  '1',
  '-',
  '.',
  '.',
  '@',
  '@',
  ':',
  '/',
  '://',
  '?',
  '#',
  '_',
  '!',
  '…',
  '¿',
  '+',
];
const word = fc.oneof(
  fc.string({ unit: fc.constantFrom(...signs), maxLength: 16 }),
  fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => text.replace(/\s/g, '')),
  fc.webUrl(),
  fc.emailAddress(),
);

test('in any word the same addresses, names and schemes are found as by slow expressions', () => {
  fc.assert(
    fc.property(word, (given) => {
      expect(bare(given)).toBe(slowly.bare(given));
      expect(isEmail(given)).toBe(slowly.isEmail(given));
      expect(emailsIn(given)).toEqual(slowly.emailsIn(given));
      expect(domainsIn(given, () => true)).toEqual(slowly.domainsIn(given));
      expect(hasScheme(given)).toBe(slowly.hasScheme(given));
    }),
    { numRuns: 5_000 },
  );
});
