/** The words of the shell itself, in every language. One group per part that shows any. */
import type { SuggestedAllergen, SuggestedDiet } from '#schemas/api/menu-tags.ts';

/** A full-page message. */
export interface Message {
  title: string;
  lead: string;
}

export interface PageWords {
  /** The accessible name of the row of icons. */
  socials: string;
  /** Names of icons that have none of their own. */
  website: string;
  email: string;
}

export interface MenuWords {
  /** The accessible name of the navigation. */
  sections: string;
  filter: string;
  /** The button that closes the filter. */
  close: string;
  diet: string;
  /** The name of the allergen group: choosing one hides items. */
  without: string;
  /** Shown wherever allergens filter the items. It never says that a dish is free of anything. */
  caution: string;
  apply: string;
  clear: string;
  /** With `{shown}` and `{total}`. */
  count: string;
  nothingFound: string;
  /** For a menu without items. */
  empty: string;
  /** Before the allergens of an item. */
  allergens: string;
  /** Between the allergens of an item. */
  separator: string;
  /** In print, before the page's address. */
  online: string;
  allergenNames: Record<SuggestedAllergen, string>;
  dietNames: Record<SuggestedDiet, string>;
}

/** Texts that a visitor gets instead of the page. */
export interface StatusWords {
  unknown: Message;
  paused: Message;
  badRequest: Message;
  forbidden: Message;
  methodNotAllowed: Message;
  tooLarge: Message;
  unsupported: Message;
  rateLimited: Message;
  unavailable: Message;
  failed: Message;
}

export interface Words {
  page: PageWords;
  menu: MenuWords;
  status: StatusWords;
}
