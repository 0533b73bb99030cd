/** An owner's texts, as shown: characters that would change the surrounding text are removed. */

/**
 * Controls, line ends, and marks that change the direction of the text after them. LRM and RLM act only in place, and
 * stay.
 */
const unshown = /[\p{Cc}\u2028-\u202e\u2066-\u2069\ufeff]+/gu;

/** @returns undefined if nothing visible is left */
export const shownText = (text: string | null | undefined): string | undefined =>
  text?.toWellFormed().replace(unshown, ' ').trim() || undefined;
