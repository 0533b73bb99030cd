/** German. */
import type { MenuWords } from '../words.ts';

export const de: MenuWords = {
  sections: 'Abschnitte der Speisekarte',
  filter: 'Filter',
  diet: 'Ernährung',
  without: 'Gerichte ausblenden mit',
  caution:
    'Allergene wie auf der Karte angegeben. Ein Gericht, bei dem ein Allergen nicht angegeben ist, kann es trotzdem enthalten: Bitte fragen Sie das Personal.',
  apply: 'Gerichte anzeigen',
  clear: 'Filter löschen',
  count: '{shown} von {total} angezeigt',
  nothingFound: 'Kein Gericht passt zu diesen Filtern.',
  empty: 'Auf dieser Karte steht noch nichts.',
  allergens: 'Allergene:',
  online: 'Diese Karte im Internet:',
  allergenNames: {
    gluten: 'Gluten',
    dairy: 'Milch',
    eggs: 'Eier',
    nuts: 'Schalenfrüchte',
    peanuts: 'Erdnüsse',
    soy: 'Soja',
    fish: 'Fisch',
    shellfish: 'Krebstiere',
    sesame: 'Sesam',
    celery: 'Sellerie',
    mustard: 'Senf',
    sulphites: 'Sulfite',
    lupin: 'Lupinen',
    molluscs: 'Weichtiere',
  },
  dietNames: {
    vegetarian: 'Vegetarisch',
    vegan: 'Vegan',
    'gluten-free': 'Glutenfrei',
    'dairy-free': 'Milchfrei',
    halal: 'Halal',
    kosher: 'Koscher',
    spicy: 'Scharf',
  },
};
