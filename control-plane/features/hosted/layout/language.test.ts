import { describe, expect, test } from 'vitest';
import { acceptedLanguage } from './accept-language.ts';
import { detectLanguage } from './language.ts';
import { directionOf, wordsOf } from './texts/index.ts';
import { type Language, languages } from './texts/words.ts';

const samples: Readonly<Record<Language, readonly string[]>> = {
  en: ['Corner Café', 'Coffee and cake since 1987', 'See the menu', 'Call us'],
  de: ['Gasthaus zur Linde', 'Regionale Küche und hausgemachte Kuchen', 'Tisch reservieren'],
  fr: ['Le Petit Bistrot', 'Cuisine de saison et vins naturels', 'Réserver une table'],
  es: ['Casa Lola', 'Cocina casera y tapas de toda la vida', 'Reserva una mesa'],
  it: ['Osteria del Porto', 'Cucina di mare e vini della casa', 'Prenota un tavolo'],
  pt: ['Tasca do Chico', 'Petiscos e vinho da região, todos os dias', 'Reservar mesa'],
  nl: ['Café de Brug', 'Koffie, gebak en uitzicht op het water', 'Reserveer een tafel'],
  ar: ['مطعم الياسمين', 'احجز طاولتك'],
  he: ['מסעדת הגפן', 'הזמינו שולחן'],
};

describe('the language of a page', () => {
  for (const language of languages)
    test(`is ${language} where its texts are`, () => {
      expect(detectLanguage(samples[language])).toBe(language);
    });

  test('is English where there are few letters, none, or those of no language of ours', () => {
    for (const texts of [[], [undefined], ['Menu'], ['12345 – 67890 12345'], ['qwert zuiop asdf jklö yxcv']])
      expect(detectLanguage(texts)).toBe('en');
  });

  test('is found in a bounded part of long texts', () => {
    const german = samples.de.join('. ').repeat(30);
    expect(detectLanguage([german, 'The rest is in English, all of it. '.repeat(10_000)])).toBe('de');
  });

  test('of a visitor is the first of ours in Accept-Language', () => {
    expect(acceptedLanguage('da, he-IL;q=0.9, en;q=0.8')).toBe('he');
    expect(acceptedLanguage('fr-CH')).toBe('fr');
    for (const header of ['', '*', 'xx', ','.repeat(10_000)]) expect(acceptedLanguage(header)).toBe('en');
  });
});

describe('the words of the shell', () => {
  /** Every text with its path. */
  const textsOf = (value: unknown, path: string): [string, string][] =>
    typeof value === 'string'
      ? [[path, value]]
      : Object.entries(value ?? {}).flatMap(([name, inner]) => textsOf(inner, `${path}.${name}`));

  test('exist in every language, and sentences are not left in English', () => {
    const english = new Map(textsOf(wordsOf.en, ''));
    for (const language of languages.filter((one) => one !== 'en')) {
      const texts = textsOf(wordsOf[language], '');
      expect(texts.map(([path]) => path)).toEqual([...english.keys()]);
      expect(texts.filter(([, text]) => text.trim() === '')).toEqual([]);
      const same = texts.filter(([path, text]) => text.trim().includes(' ') && text === english.get(path));
      expect([language, same]).toEqual([language, []]);
    }
  });

  test('are read from the right in Arabic and Hebrew', () => {
    expect(languages.filter((language) => directionOf(language) === 'rtl')).toEqual(['ar', 'he']);
  });
});
