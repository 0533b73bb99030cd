import { describe, expect, test } from 'vitest';
import { type Language, languages } from '#shared/languages.ts';
import { detectLanguage } from './language.ts';

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

/** Typical texts of owners: a headline, a description, a few labels. */
const pages: readonly (readonly [language: Language | undefined, ...texts: string[]])[] = [
  // Short texts and names are not enough.
  [undefined, 'Opening soon'],
  [undefined, 'Coming soon', 'Follow us'],
  [undefined, 'Grand opening'],
  [undefined, 'Contact form', 'Name', 'Email', 'Message', 'Send'],
  [undefined, 'Guest list', 'Name', 'Email', 'Phone'],
  [undefined, 'Anna Keller', 'Photographer'],
  [undefined, 'Studio Berlin', 'Instagram', 'Website', 'Portfolio'],
  [undefined, 'Portfolio', 'Shop', 'Newsletter', 'Podcast', 'Contact'],
  [undefined, 'Restaurant Roma', 'Menu', 'Reservation', 'Instagram'],
  [undefined, 'Espresso', 'Cappuccino', 'Latte macchiato', 'Flat white'],
  ['en', 'El Toro', 'Opening hours', 'Call us', 'Directions'],
  [undefined, 'Opening soon in Amsterdam'],
  ['en', 'Le Petit Bistrot de la Gare', 'Book a table'],
  [undefined, 'Hotel Bar Restaurant Garten'],
  [undefined, 'Anna & Jan, 4 July 2026, Utrecht'],
  [undefined, 'Willkommen'],
  [undefined, 'Bienvenidos'],
  [undefined, 'Benvenuti'],
  [undefined, 'Bem-vindos'],
  [undefined, 'Yoga Pilates Meditation Retreats'],
  // English sentences, also next to foreign names.
  ['en', 'We open soon, see you there'],
  ['en', 'Maja Lindqvist', 'Ceramics from a small studio by the sea'],
  ['en', 'Bella Napoli', 'The pizza of Naples in the heart of London', 'Order online'],
  ['en', 'Beit Sahour', 'Fresh food every day, come and see us', 'الياسمين'],
  // Sentences in other languages.
  ['de', 'Wir backen jeden Morgen frisch für Sie'],
  ['de', 'Wie hat es Ihnen gefallen?', 'Sehr gut', 'Gut', 'Weniger gut'],
  ['de', 'Wir eröffnen bald in der Altstadt'],
  ['fr', 'Nous sommes ouverts tous les jours de midi à minuit'],
  ['fr', 'Votre avis nous intéresse : dites-nous tout en deux minutes'],
  ['fr', 'Le meilleur café de la ville'],
  ['es', 'Estamos abiertos todos los días desde las ocho de la mañana'],
  ['es', 'El mejor café de la ciudad'],
  ['it', 'Siamo aperti tutti i giorni dalle otto fino a mezzanotte'],
  ['it', 'Il miglior caffè della città'],
  ['pt', 'Estamos abertos todos os dias das oito da manhã até à meia-noite'],
  ['pt', 'Petiscos e vinho da região, todos os dias'],
  ['nl', 'Wij zijn elke dag open van acht uur tot middernacht'],
  ['nl', 'Dank je wel voor je bezoek'],
  ['ar', 'نحن مفتوحون كل يوم من الثامنة صباحا حتى منتصف الليل'],
  ['ar', 'حمص'],
  ['he', 'אנחנו פתוחים כל יום משמונה בבוקר עד חצות'],
  ['he', 'שלום', 'ברוכים הבאים', 'Instagram'],
  // Labels, if there are many of them.
  ['de', 'Speisekarte', 'Tisch reservieren', 'Öffnungszeiten', 'Anfahrt und Parkplätze', 'Gutscheine kaufen'],
  ['fr', 'Réserver une table', 'Voir la carte', 'Nos horaires', 'Offrir un bon cadeau', 'Nous écrire'],
];

describe('the language of a page', () => {
  test.each(pages)('is %s for %s', (language, ...texts) => {
    expect(detectLanguage(texts)).toBe(language);
  });

  for (const language of languages)
    test(`is ${language} if its texts are`, () => {
      expect(detectLanguage(samples[language])).toBe(language);
    });

  test('is undefined if there are few letters, none, or only letters of other languages', () => {
    for (const texts of [[], [undefined], ['Menu'], ['12345 – 67890 12345'], ['qwert zuiop asdf jklö yxcv']])
      expect(detectLanguage(texts)).toBeUndefined();
  });

  test('is undefined for scripts of no supported language, and only the first 500 characters are read', () => {
    const looked = new Set<number>();
    const texts = [
      '我们每天早上八点开门欢迎光临',
      '私たちは毎朝八時に開店します',
      'เราเปิดทุกวันตั้งแต่แปดโมงเช้า',
      '𠮷野家',
    ];
    for (const text of texts) expect(detectLanguage([text.repeat(500)])).toBeUndefined();
    // Later text changes nothing. Counted by code points, so that no character is cut in two.
    const many = '𠮷'.repeat(300);
    expect(detectLanguage([many, 'نحن مفتوحون كل يوم من الثامنة صباحا '.repeat(50)])).toBeUndefined();
    expect(detectLanguage(['𠮷'.repeat(90), 'نحن مفتوحون كل يوم من الثامنة صباحا '.repeat(50)])).toBe('ar');
    // A list of texts is read only as far as needed.
    const list = new Proxy(
      Array.from({ length: 1_000 }, () => 'Guten Morgen zusammen. '.repeat(3)),
      {
        get: (target, name) => {
          if (typeof name === 'string' && /^\d+$/.test(name)) looked.add(Number(name));
          return Reflect.get(target, name);
        },
      },
    );
    expect(detectLanguage(list)).toBe('de');
    expect(looked.size).toBeLessThan(20);
  });

  test('is detected in a bounded part of long texts', () => {
    const german = samples.de.join('. ').repeat(30);
    expect(detectLanguage([german, 'The rest is in English, all of it. '.repeat(10_000)])).toBe('de');
  });
});
