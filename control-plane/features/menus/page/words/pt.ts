/** Portuguese. */
import type { MenuWords } from '../words.ts';

export const pt: MenuWords = {
  sections: 'Secções da ementa',
  filter: 'Filtrar',
  diet: 'Dieta',
  without: 'Ocultar pratos que indicam',
  caution:
    'Os alergénios são os indicados na ementa. Um prato em que um alergénio não é indicado pode ainda assim contê-lo: pergunte ao pessoal.',
  apply: 'Mostrar pratos',
  clear: 'Limpar filtros',
  count: 'A mostrar {shown} de {total}',
  nothingFound: 'Nenhum prato corresponde a estes filtros.',
  empty: 'Esta ementa ainda está vazia.',
  allergens: 'Alergénios:',
  online: 'Esta ementa online:',
  allergenNames: {
    gluten: 'Glúten',
    dairy: 'Laticínios',
    eggs: 'Ovos',
    nuts: 'Frutos de casca rija',
    peanuts: 'Amendoins',
    soy: 'Soja',
    fish: 'Peixe',
    shellfish: 'Crustáceos',
    sesame: 'Sésamo',
    celery: 'Aipo',
    mustard: 'Mostarda',
    sulphites: 'Sulfitos',
    lupin: 'Tremoço',
    molluscs: 'Moluscos',
  },
  dietNames: {
    vegetarian: 'Vegetariano',
    vegan: 'Vegano',
    'gluten-free': 'Sem glúten',
    'dairy-free': 'Sem laticínios',
    halal: 'Halal',
    kosher: 'Kosher',
    spicy: 'Picante',
  },
};
