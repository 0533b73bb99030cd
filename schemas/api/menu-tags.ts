/** The tags of menu items with a name in every language. Any other value is accepted too, and shown unchanged. */

/** The fourteen allergens of the European list (Regulation 1169/2011, Annex II). */
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
