/** The words of a menu's page that are not its owner's. */
import type { SuggestedAllergen, SuggestedDiet } from '#schemas/api/menu-tags.ts';

export interface MenuWords {
  /** The name of the navigation. */
  sections: string;
  filter: string;
  diet: string;
  /** Names the group of allergens: what is chosen there hides items. */
  without: string;
  /** Stands wherever allergens decide what is shown: it never says that a dish is free of something. */
  caution: string;
  apply: string;
  clear: string;
  /** With `{shown}` and `{total}`. */
  count: string;
  nothingFound: string;
  /** A menu without items. */
  empty: string;
  /** Before the allergens of an item. */
  allergens: string;
  /** On paper, before the address of the page. */
  online: string;
  allergenNames: Record<SuggestedAllergen, string>;
  dietNames: Record<SuggestedDiet, string>;
}
