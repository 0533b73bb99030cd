/** The tags of menu items that have a name in every language. Any other value is accepted as well, and shown as it is. */

/** The fourteen of the European list (Regulation 1169/2011, Annex II). */
export const suggestedAllergens = [
  'gluten',
  'dairy',
  'eggs',
  'nuts',
  'peanuts',
  'soy',
  'fish',
  'shellfish',
  'sesame',
  'celery',
  'mustard',
  'sulphites',
  'lupin',
  'molluscs',
] as const;
export type SuggestedAllergen = (typeof suggestedAllergens)[number];

export const suggestedDiets = [
  'vegetarian',
  'vegan',
  'gluten-free',
  'dairy-free',
  'halal',
  'kosher',
  'spicy',
] as const;
export type SuggestedDiet = (typeof suggestedDiets)[number];
