/** When a failed delivery is retried. */

/** SPEC's delays in seconds: the five retries after the first send. */
const delaysSeconds = [30, 300, 1_800, 7_200, 21_600] as const;
/** The random share of a delay, so that deliveries that failed together are not retried together. */
const jitter = 0.1;
/** If receivers ask for a longer wait, they are retried after an hour. */
export const retryAfterSecondsMax = 3_600;

/**
 * Seconds until the next attempt.
 * @param failed failed attempts of this round, at least 1
 * @param retryAfterSeconds the receiver's wish; it prolongs a delay, but does not shorten it
 * @returns undefined if there is no further attempt
 */
export const nextDelaySeconds = (
  failed: number,
  retryAfterSeconds = 0,
  random: () => number = Math.random,
): number | undefined => {
  const delay = delaysSeconds[failed - 1];
  if (delay === undefined) return undefined;
  return Math.max(delay * (1 + jitter * (2 * random() - 1)), retryAfterSeconds);
};

/**
 * The wait that a receiver asks for by `Retry-After` (RFC 9110 §10.2.3): seconds, or a date.
 * @param nowMs epoch milliseconds
 * @returns seconds, from 0 to {@link retryAfterSecondsMax}; 0 if the header is neither
 */
export const retryAfterSeconds = (header: unknown, nowMs: number): number => {
  if (typeof header !== 'string' || header.length > 64) return 0;
  const text = header.trim();
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - nowMs) / 1000;
  return Number.isNaN(seconds) ? 0 : Math.min(Math.max(seconds, 0), retryAfterSecondsMax);
};
