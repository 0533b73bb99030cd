/** Texts that an owner has written, as they are shown: what would change the text around them is left out. */

/** Controls, line ends, and marks that turn the direction of what follows. LRM and RLM act where they are, and stay. */
const unshown = /[\p{Cc}\u2028-\u202e\u2066-\u2069\ufeff]+/gu;

/** @returns undefined where nothing is left to be shown */
export const shownText = (text: string | null | undefined): string | undefined =>
  text?.toWellFormed().replace(unshown, ' ').trim() || undefined;
