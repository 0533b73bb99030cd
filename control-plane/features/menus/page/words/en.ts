/** English. */
import type { MenuWords } from '../words.ts';

export const en: MenuWords = {
  sections: 'Sections of the menu',
  filter: 'Filter',
  diet: 'Diet',
  without: 'Hide dishes that list',
  caution:
    'Allergens are as the menu lists them. A dish that is not listed as containing an allergen may still contain it: please ask the staff.',
  apply: 'Show dishes',
  clear: 'Clear filters',
  count: 'Showing {shown} of {total}',
  nothingFound: 'No dish matches these filters.',
  empty: 'There is nothing on this menu yet.',
  allergens: 'Allergens:',
  online: 'This menu online:',
  allergenNames: {
    gluten: 'Gluten',
    dairy: 'Dairy',
    eggs: 'Eggs',
    nuts: 'Nuts',
    peanuts: 'Peanuts',
    soy: 'Soy',
    fish: 'Fish',
    shellfish: 'Shellfish',
    sesame: 'Sesame',
    celery: 'Celery',
    mustard: 'Mustard',
    sulphites: 'Sulphites',
    lupin: 'Lupin',
    molluscs: 'Molluscs',
  },
  dietNames: {
    vegetarian: 'Vegetarian',
    vegan: 'Vegan',
    'gluten-free': 'Gluten-free',
    'dairy-free': 'Dairy-free',
    halal: 'Halal',
    kosher: 'Kosher',
    spicy: 'Spicy',
  },
};
