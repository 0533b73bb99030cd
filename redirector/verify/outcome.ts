/** The outcomes of verifications. */
import type { Verdict } from '#schemas/verification.ts';

export type VerificationOutcome =
  | Verdict
  /** A bot, HEAD or a page that embeds or fetches asked: no verdict. */
  | 'neutral'
  /** A browser asked ahead of a tap, and is to ask again. */
  | 'prefetched'
  /** Nobody can say at the moment. */
  | 'unavailable'
  /** The signature is of a key that this process does not have, and that may exist. */
  | 'unknown_key'
  | 'limited'
  /** The body of a POST is not one of a verification. */
  | 'invalid'
  /** By a fault of ours. */
  | 'failed';

export const noVerifications = (): Record<VerificationOutcome, number> => ({
  authentic: 0,
  already_scanned: 0,
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
