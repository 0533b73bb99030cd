/** The words of the verification page, by state. */
import type { Words } from '#shared/pages/words.ts';

export type VerificationWords = Words['verification'];

/** The page's message at a glance, and its advice to buyers. */
interface StateWords {
  title: string;
  lead: string;
  advice: readonly string[];
}

export type VerificationState = {
  [Key in keyof VerificationWords]: VerificationWords[Key] extends StateWords ? Key : never;
}[keyof VerificationWords];
