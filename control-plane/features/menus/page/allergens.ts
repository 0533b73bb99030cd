/**
 * The allergens of an item, whatever the owner's words for them. A guest who hides dairy must not see an item that
 * lists milk. Unknown words are allergens of their own.
 */

import { type SuggestedAllergen, suggestedAllergens } from '#schemas/api/menu-tags.ts';
import { type MenuWords, wordsOf } from '#shared/pages/words.ts';

/** Synonyms, in addition to the names in our own texts. */
const synonyms: Readonly<Record<SuggestedAllergen, string>> = {
  gluten: 'gluten-containing grains, cereals containing gluten, glutenhaltiges getreide',
  dairy:
    'milk, milk products, dairy products, cow’s milk, milchprodukte, milcherzeugnisse, produits laitiers, leche, productos lácteos, latticini, leite, lacticínios, zuivel',
  eggs: 'egg, ei, hühnerei, hühnereier, œuf, oeuf, oeufs, huevo, uovo, ovo, ביצה, بيض',
  nuts: 'nut, tree nut, tree nuts, treenut, treenuts, nüsse, nuss, schalenfrucht, noix, fruits à coques, nueces, frutos secos, noci, frutta secca, frutos secos de casca rija, noot',
  peanuts:
    'peanut, groundnut, groundnuts, erdnuss, arachide, cacahuète, cacahuètes, cacahuete, maní, amendoim, pinda, pindas',
  soy: 'soya, soybean, soybeans, soya beans, soybohnen, sojabohnen, soja beans',
  fish: 'fishes, fische, poissons, pescados, pesci, peixes, vissen, דג',
  shellfish:
    'crustacean, crustaceans, krustentiere, krebstier, crustacé, crustáceo, crostaceo, schaaldier, marisco, mariscos',
  sesame: 'sesame seed, sesame seeds, sesamsamen, graines de sésame, sesamzaad, סומסום',
  celery: 'celeriac, selleriesalz, selderie',
  mustard: 'mustard seed, mustard seeds',
  sulphites:
    'sulphite, sulfite, sulfites, sulphur dioxide, sulfur dioxide, so2, schwefeldioxid, anhydride sulfureux, sulfieten',
  lupin: 'lupine, lupins, lupines, lupini beans, altramuz, lupino, tremoços',
  molluscs: 'mollusc, mollusk, mollusks, weichtier, mollusque, molusco, mollusco, weekdier',
};

/** Kinds of an allergen: they count as it, and the word is shown as well. */
const kinds: Readonly<Partial<Record<SuggestedAllergen, string>>> = {
  gluten:
    'wheat, rye, barley, oats, spelt, kamut, weizen, roggen, gerste, hafer, dinkel, blé, trigo, grano, frumento, tarwe',
  dairy: 'lactose, butter, cream, cheese, casein, whey, laktose, lactosa, lattosio',
  nuts: 'almond, almonds, hazelnut, hazelnuts, walnut, walnuts, cashew, cashews, pecan, pecans, pistachio, pistachios, macadamia, brazil nut, brazil nuts, mandeln, haselnüsse, walnüsse',
  shellfish: 'prawn, prawns, shrimp, shrimps, crab, lobster, crayfish, garnelen, crevettes, gambas, gamberi',
  molluscs:
    'mussel, mussels, oyster, oysters, squid, octopus, clam, clams, scallop, scallops, snails, muscheln, moules, cozze',
};

const plain = (word: string): string => word.normalize('NFC').toLowerCase().replaceAll("'", '’');

const listed = (words: Readonly<Partial<Record<SuggestedAllergen, string>>>) =>
  suggestedAllergens.flatMap((allergen) =>
    (words[allergen]?.split(', ') ?? []).map((word) => [plain(word), allergen] as const),
  );

const named = Object.values(wordsOf).flatMap(({ menu }) =>
  suggestedAllergens.map((allergen) => [plain(menu.allergenNames[allergen]), allergen] as const),
);

const kindOf = new Map<string, SuggestedAllergen>(listed(kinds));
const sameAs = new Map<string, SuggestedAllergen>([
  ...listed(synonyms),
  ...named,
  ...suggestedAllergens.map((allergen) => [allergen, allergen] as const),
]);

/** @returns the suggested value that a tag means, else the tag */
export const allergenOf = (tag: string): string => {
  const word = plain(tag);
  return sameAs.get(word) ?? kindOf.get(word) ?? tag;
};

/** Each once. */
export const allergensOf = (tags: readonly string[]): string[] => [...new Set(tags.map(allergenOf))];

export const allergenName = ({ allergenNames }: MenuWords, allergen: string): string =>
  Object.hasOwn(allergenNames, allergen) ? allergenNames[allergen as SuggestedAllergen] : allergen;

/** Each allergen once, with its kinds as the owner wrote them: `Gluten (wheat, rye)`. */
export const shownAllergens = (words: MenuWords, tags: readonly string[]): string[] =>
  allergensOf(tags).map((allergen) => {
    const itsKinds = tags.filter((tag) => kindOf.get(plain(tag)) === allergen);
    const name = allergenName(words, allergen);
    return itsKinds.length > 0 ? `${name} (${itsKinds.join(words.separator)})` : name;
  });
