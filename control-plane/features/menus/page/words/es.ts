/** Spanish. */
import type { MenuWords } from '../words.ts';

export const es: MenuWords = {
  sections: 'Secciones de la carta',
  filter: 'Filtrar',
  diet: 'Dieta',
  without: 'Ocultar platos que indican',
  caution:
    'Los alérgenos son los que indica la carta. Un plato en el que no se indica un alérgeno puede contenerlo igualmente: pregunte al personal.',
  apply: 'Mostrar platos',
  clear: 'Quitar filtros',
  count: 'Mostrando {shown} de {total}',
  nothingFound: 'Ningún plato coincide con estos filtros.',
  empty: 'Esta carta todavía está vacía.',
  allergens: 'Alérgenos:',
  online: 'Esta carta en línea:',
  allergenNames: {
    gluten: 'Gluten',
    dairy: 'Lácteos',
    eggs: 'Huevos',
    nuts: 'Frutos de cáscara',
    peanuts: 'Cacahuetes',
    soy: 'Soja',
    fish: 'Pescado',
    shellfish: 'Crustáceos',
    sesame: 'Sésamo',
    celery: 'Apio',
    mustard: 'Mostaza',
    sulphites: 'Sulfitos',
    lupin: 'Altramuces',
    molluscs: 'Moluscos',
  },
  dietNames: {
    vegetarian: 'Vegetariano',
    vegan: 'Vegano',
    'gluten-free': 'Sin gluten',
    'dairy-free': 'Sin lácteos',
    halal: 'Halal',
    kosher: 'Kosher',
    spicy: 'Picante',
  },
};
