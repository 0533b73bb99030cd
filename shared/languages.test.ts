import { describe, expect, test } from 'vitest';
import { acceptedLanguage, directionOf, languages } from './languages.ts';

describe('the language of a visitor', () => {
  test.each([
    ['fr-CH', 'fr'],
    ['da, he-IL;q=0.9, en;q=0.8', 'he'],
    ['de-AT,de;q=0.9,en-US;q=0.8,en;q=0.7', 'de'],
    ['pt-BR', 'pt'],
    ['zh-Hant-TW,NL;q=0.5', 'nl'],
    ['iw-IL', 'he'],
    // The first of equals.
    ['it, es', 'it'],
    ['es, it', 'es'],
  ])('is of %s %s', (header, language) => {
    expect(acceptedLanguage(header)).toBe(language);
  });

  test.each([
    ['en;q=0.1, de;q=0.9', 'de'],
    ['en ; q=0.5 , ar ; Q=0.6', 'ar'],
    ['fr;q=0, es;q=0.001', 'es'],
    ['fr;q=0', 'en'],
  ])('is of %s, by its weights, %s', (header, language) => {
    expect(acceptedLanguage(header)).toBe(language);
  });

  test('does not match by first letters only', () => {
    for (const header of ['fil', 'arn', 'deu', 'e', 'x-de']) expect(acceptedLanguage(header)).toBe('en');
  });

  test('is English if the header has none of ours', () => {
    for (const header of ['', '*', 'xx', ';q=1', 'd e', '\0']) expect(acceptedLanguage(header)).toBe('en');
  });

  test('is found in a limited part of the header', () => {
    expect(acceptedLanguage(`${'xx,'.repeat(60)}de`)).toBe('de');
    expect(acceptedLanguage(`${'xx,'.repeat(100_000)}de`)).toBe('en');
  });

  test('is read from the right in Arabic and Hebrew', () => {
    expect(languages.filter((language) => directionOf(language) === 'rtl')).toEqual(['ar', 'he']);
  });
});
