/** The language of a menu's page. */
import { expect, test } from 'vitest';
import type { MenuContent } from '#schemas/api/menus.ts';
import { languageOf } from './page-language.ts';
import { emptyMenu } from './testing/samples.ts';

const menuOf = (names: string, more: Partial<MenuContent> = {}): MenuContent => ({
  ...emptyMenu,
  sections: [
    {
      name: 'Menu',
      items: names
        .split(', ')
        .map((name) => ({ id: name, name, allergens: [], dietary: [], customTags: {} })),
    },
  ],
  ...more,
});

test.each([
  ['Espresso, Cappuccino, Latte macchiato, Flat white'],
  ['Cheeseburger, Bacon burger, Veggie burger, Fries, Onion rings'],
  ['Water, Wine, Beer'],
])('a few names of dishes do not tell it: %s', (names) => {
  expect(languageOf({ name: 'Menu', content: menuOf(names) })).toBeUndefined();
});

test('is detected from sentences, whatever the dishes are called', () => {
  const subheadline = 'Wir backen jeden Morgen frisch und kochen mit Gemüse aus der Region.';
  expect(
    languageOf({
      name: 'Menu',
      content: menuOf('Pizza Margherita, Quattro stagioni, Tiramisù', { subheadline }),
    }),
  ).toBe('de');
});

test('is detected from many names', () => {
  const names =
    'Tomatensuppe mit Sahne, Gemischter Salat mit Ei, Schnitzel mit Pommes, Gebratene Forelle mit Kartoffeln, ' +
    'Rinderbraten mit Knödeln, Käsespätzle mit Zwiebeln, Apfelstrudel mit Vanillesoße, Rote Grütze mit Sahne';
  expect(languageOf({ name: 'Menu', content: menuOf(names) })).toBe('de');
});

test.each([
  ['حمص, فتوش', 'ar'],
  ['חומוס, סלט', 'he'],
])('a word of a script that one language has tells it: %s', (names, language) => {
  expect(languageOf({ name: 'Menu', content: menuOf(names, { headline: names }) })).toBe(language);
});

test('is detected from the menu’s name and its buttons’ labels', () => {
  expect(languageOf({ name: 'Abendkarte', content: menuOf('Pizza, Pasta') })).toBeUndefined();
  expect(languageOf({ name: 'Unsere Speisekarte', content: menuOf('Pizza, Pasta') })).toBe('de');
  const buttons = [{ id: 'a', label: 'Tisch reservieren', destination: 'tel:+4930123' }];
  expect(languageOf({ name: 'Menu', content: menuOf('Pizza, Pasta', { buttons }) })).toBe('de');
});
