/** Dutch. */
import type { MenuWords } from '../words.ts';

export const nl: MenuWords = {
  sections: 'Onderdelen van de kaart',
  filter: 'Filteren',
  diet: 'Dieet',
  without: 'Verberg gerechten met',
  caution:
    'Allergenen zoals vermeld op de kaart. Een gerecht waarbij een allergeen niet is vermeld, kan het toch bevatten: vraag het personeel.',
  apply: 'Gerechten tonen',
  clear: 'Filters wissen',
  count: '{shown} van {total} getoond',
  nothingFound: 'Geen gerecht past bij deze filters.',
  empty: 'Er staat nog niets op deze kaart.',
  allergens: 'Allergenen:',
  online: 'Deze kaart online:',
  allergenNames: {
    gluten: 'Gluten',
    dairy: 'Melk',
    eggs: 'Eieren',
    nuts: 'Noten',
    peanuts: 'Pinda’s',
    soy: 'Soja',
    fish: 'Vis',
    shellfish: 'Schaaldieren',
    sesame: 'Sesam',
    celery: 'Selderij',
    mustard: 'Mosterd',
    sulphites: 'Sulfiet',
    lupin: 'Lupine',
    molluscs: 'Weekdieren',
  },
  dietNames: {
    vegetarian: 'Vegetarisch',
    vegan: 'Veganistisch',
    'gluten-free': 'Glutenvrij',
    'dairy-free': 'Zuivelvrij',
    halal: 'Halal',
    kosher: 'Koosjer',
    spicy: 'Pittig',
  },
};
