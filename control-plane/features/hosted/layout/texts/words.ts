/** The words of the shell itself, which every language has. A group for each part that shows any. */
import type { SuggestedAllergen, SuggestedDiet } from '#schemas/api/menu-tags.ts';

/** A message that takes a whole page. */
export interface Message {
  title: string;
  lead: string;
}

export interface PageWords {
  /** The name of the row of icons. */
  socials: string;
  /** Names of icons that have none of their own. */
  website: string;
  email: string;
}

export interface MenuWords {
  /** The name of the navigation. */
  sections: string;
  filter: string;
  /** The button that closes the filter. */
  close: string;
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
  /** Between the allergens of an item. */
  separator: string;
  /** On paper, before the address of the page. */
  online: string;
  allergenNames: Record<SuggestedAllergen, string>;
  dietNames: Record<SuggestedDiet, string>;
}

/** What a visitor is told instead of the page. */
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
