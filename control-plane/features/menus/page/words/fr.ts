/** French. */
import type { MenuWords } from '../words.ts';

export const fr: MenuWords = {
  sections: 'Rubriques de la carte',
  filter: 'Filtrer',
  diet: 'Régime',
  without: 'Masquer les plats indiquant',
  caution:
    'Les allergènes sont ceux indiqués sur la carte. Un plat pour lequel un allergène n’est pas indiqué peut malgré tout en contenir : demandez au personnel.',
  apply: 'Afficher les plats',
  clear: 'Effacer les filtres',
  count: '{shown} sur {total} affichés',
  nothingFound: 'Aucun plat ne correspond à ces filtres.',
  empty: 'Cette carte est encore vide.',
  allergens: 'Allergènes :',
  online: 'Cette carte en ligne :',
  allergenNames: {
    gluten: 'Gluten',
    dairy: 'Lait',
    eggs: 'Œufs',
    nuts: 'Fruits à coque',
    peanuts: 'Arachides',
    soy: 'Soja',
    fish: 'Poisson',
    shellfish: 'Crustacés',
    sesame: 'Sésame',
    celery: 'Céleri',
    mustard: 'Moutarde',
    sulphites: 'Sulfites',
    lupin: 'Lupin',
    molluscs: 'Mollusques',
  },
  dietNames: {
    vegetarian: 'Végétarien',
    vegan: 'Végan',
    'gluten-free': 'Sans gluten',
    'dairy-free': 'Sans lait',
    halal: 'Halal',
    kosher: 'Casher',
    spicy: 'Épicé',
  },
};
