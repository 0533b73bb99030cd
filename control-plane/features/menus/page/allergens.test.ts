import { describe, expect, test } from 'vitest';
import { suggestedAllergens } from '#schemas/api/menu-tags.ts';
import type { MenuContent } from '#schemas/api/menus.ts';
import { wordsOf } from '#shared/pages/words.ts';
import { allergenOf, shownAllergens } from './allergens.ts';
import { chooseFilter } from './chosen-filter.ts';
import { filterOptionsOf } from './filter-options.ts';
import { emptyMenu } from './testing/samples.ts';

const menu: MenuContent = {
  ...emptyMenu,
  sections: [
    {
      name: 'All',
      items: [['milk'], ['dairy', 'milch'], ['lactose'], ['house blend'], []].map((allergens, at) => ({
        id: `i${at}`,
        name: `Item ${at}`,
        allergens,
        dietary: [],
        customTags: {},
      })),
    },
  ],
};

describe('an allergen in the owner’s words', () => {
  test.each([
    ['milk', 'dairy'],
    ['lactose', 'dairy'],
    ['egg', 'eggs'],
    ['tree nuts', 'nuts'],
    ['nut', 'nuts'],
    ['peanut', 'peanuts'],
    ['wheat', 'gluten'],
    ['soya', 'soy'],
    ['crustaceans', 'shellfish'],
    ['sulfites', 'sulphites'],
    ['mollusks', 'molluscs'],
    ["pinda's", 'peanuts'],
    ['coconut', 'coconut'],
    ['buckwheat', 'buckwheat'],
    ['constructor', 'constructor'],
  ])('%s counts as %s', (tag, allergen) => {
    expect(allergenOf(tag)).toBe(allergen);
  });

  test('is recognised by the names that pages have for it in every language, and each name means only one', () => {
    for (const { menu: words } of Object.values(wordsOf))
      for (const allergen of suggestedAllergens)
        expect(allergenOf(words.allergenNames[allergen].toLowerCase())).toBe(allergen);
  });

  test('is one option of the form, and hiding it hides every item that lists it in any words', () => {
    const options = filterOptionsOf(menu);
    expect(options.groups.flatMap(({ options: all }) => all.map(({ value }) => value))).toEqual([
      'dairy',
      'house blend',
    ]);
    for (const query of ['without=dairy', 'without=milk', 'without=Milch&without=dairy']) {
      const filter = chooseFilter(options, new URLSearchParams(query));
      expect(filter.query).toBe('without=dairy');
      const shown = menu.sections[0]!.items.filter((item) => filter.shows(options.tagsOf(item)));
      expect(shown.map(({ name }) => name)).toEqual(['Item 3', 'Item 4']);
    }
  });

  test('is named once in the language of the page, with its kinds as they were written', () => {
    expect(shownAllergens(wordsOf.de.menu, ['milk', 'dairy', 'wheat', 'rye', 'house blend'])).toEqual([
      'Milch',
      'Gluten (wheat, rye)',
      'house blend',
    ]);
  });
});
