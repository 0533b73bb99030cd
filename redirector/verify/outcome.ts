/** The outcomes of verifications. */
import type { Verdict } from '#schemas/verification.ts';

export type VerificationOutcome =
  | Verdict
  /** A bot, HEAD, or a page that embeds or fetches the item: no verdict. */
  | 'neutral'
  /** A browser prefetched, and must ask again. */
  | 'prefetched'
  /** It cannot be said at the moment. */
  | 'unavailable'
  /** The signature is of a key that may exist, but that this process lacks. */
  | 'unknown_key'
  | 'limited'
  /** The body of a POST is not a verification. */
  | 'invalid'
  /** An internal error. */
  | 'failed';

export const noVerifications = (): Record<VerificationOutcome, number> => ({
  authentic: 0,
  already_scanned: 0,
  marked: 0,
  not_genuine: 0,
  not_known: 0,
  neutral: 0,
  prefetched: 0,
  unavailable: 0,
  unknown_key: 0,
  limited: 0,
  invalid: 0,
  failed: 0,
});
