/** The words of the shell itself, which every language has. A group for each part that shows any. */

export const languages = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'ar', 'he'] as const;
export type Language = (typeof languages)[number];

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
  status: StatusWords;
}
