/** When a delivery that failed is tried again. */

/** SPEC's, in seconds: after the first send, the five retries. */
const delaysSeconds = [30, 300, 1_800, 7_200, 21_600] as const;
/** Of a delay, so that what failed at once is not sent at once. */
const jitter = 0.1;
/** Receivers that ask for more are asked again after an hour. */
export const retryAfterSecondsMax = 3_600;

/**
 * Seconds until the next attempt.
 * @param failed attempts of this round that have failed, at least 1
 * @param retryAfterSeconds what the receiver asks for; it prolongs a delay, and shortens none
 * @returns undefined where there is no further one
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
 * What a receiver asks for by `Retry-After` (RFC 9110 §10.2.3): seconds, or a date.
 * @param nowMs epoch milliseconds
 * @returns seconds, from 0 to {@link retryAfterSecondsMax}; 0 for what is neither
 */
export const retryAfterSeconds = (header: unknown, nowMs: number): number => {
  if (typeof header !== 'string' || header.length > 64) return 0;
  const text = header.trim();
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - nowMs) / 1000;
  return Number.isNaN(seconds) ? 0 : Math.min(Math.max(seconds, 0), retryAfterSecondsMax);
};
