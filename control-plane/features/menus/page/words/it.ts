/** Italian. */
import type { MenuWords } from '../words.ts';

export const it: MenuWords = {
  sections: 'Sezioni del menù',
  filter: 'Filtra',
  diet: 'Dieta',
  without: 'Nascondi i piatti che indicano',
  caution:
    'Gli allergeni sono quelli indicati nel menù. Un piatto per cui un allergene non è indicato può comunque contenerlo: chiedere al personale.',
  apply: 'Mostra i piatti',
  clear: 'Rimuovi i filtri',
  count: '{shown} di {total} visualizzati',
  nothingFound: 'Nessun piatto corrisponde a questi filtri.',
  empty: 'Questo menù è ancora vuoto.',
  allergens: 'Allergeni:',
  online: 'Questo menù online:',
  allergenNames: {
    gluten: 'Glutine',
    dairy: 'Latte',
    eggs: 'Uova',
    nuts: 'Frutta a guscio',
    peanuts: 'Arachidi',
    soy: 'Soia',
    fish: 'Pesce',
    shellfish: 'Crostacei',
    sesame: 'Sesamo',
    celery: 'Sedano',
    mustard: 'Senape',
    sulphites: 'Solfiti',
    lupin: 'Lupini',
    molluscs: 'Molluschi',
  },
  dietNames: {
    vegetarian: 'Vegetariano',
    vegan: 'Vegano',
    'gluten-free': 'Senza glutine',
    'dairy-free': 'Senza latte',
    halal: 'Halal',
    kosher: 'Kosher',
    spicy: 'Piccante',
  },
};
