/**
 * The fields that tell a client its limit: limit, remaining and reset in one RateLimit field
 * (draft-ietf-httpapi-ratelimit-headers-07, section 4), and the policy.
 */

/** Scans of one address (IPv6: one /64) in each minute of the clock; answers of 4xx are not counted. */
export const scanLimit = { limit: 600, windowMs: 60_000 };

/** The value of RateLimit-Policy. */
export const rateLimitPolicy = (limit: number, windowMs: number): string => `${limit};w=${windowMs / 1000}`;

export interface RateLimitHeaders {
  readonly policy: string;
  /** The value of RateLimit. Most scans within a second have the same: it is made once for each `remaining`. */
  value(remaining: number, nowMs: number): string;
  /** Whole seconds until the window ends, at least 1. */
  resetS(nowMs: number): number;
}

export const createRateLimitHeaders = (limit: number, windowMs: number): RateLimitHeaders => {
  const resetS = (nowMs: number): number => Math.ceil((windowMs - (nowMs % windowMs)) / 1000);
  let second = -1;
  let values: (string | undefined)[] = [];
  return {
    policy: rateLimitPolicy(limit, windowMs),
    resetS,
    value(remaining, nowMs) {
      const now = Math.floor(nowMs / 1000);
      if (now !== second) {
        second = now;
        values = [];
      }
      const known = values[remaining];
      if (known !== undefined) return known;
      const value = `limit=${limit}, remaining=${remaining}, reset=${resetS(nowMs)}`;
      values[remaining] = value;
      return value;
    },
  };
};
