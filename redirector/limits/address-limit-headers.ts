/**
 * The rate limit headers: limit, remaining and reset in one RateLimit field (draft-ietf-httpapi-ratelimit-headers-07,
 * section 4), and the policy.
 */

/** Scans of one address (IPv6: one /64) per clock minute. 4xx answers are not counted. */
export const scanLimit = { limit: 600, windowMs: 60_000 };

/** Verifications of serialized items by one address, whatever the answer. */
export const verificationLimit = { limit: 60, windowMs: 60_000 };

/** Requests of one address to the GS1 resolver per clock minute, whatever the answer. */
export const gs1Limit = { limit: 60, windowMs: 60_000 };

/** Lookups for one address of aliases that this process does not hold, per clock minute. */
export const aliasLimit = { limit: 120, windowMs: 60_000 };

/** Hosted pages that this process serves to one address, per clock minute. */
export const pageLimit = { limit: 120, windowMs: 60_000 };

export interface RateLimitHeaders {
  /** The value of RateLimit-Policy. */
  readonly policy: string;
  /** The value of RateLimit. */
  value(remaining: number, nowMs: number): string;
  /** Whole seconds until the window ends, at least 1. */
  resetS(nowMs: number): number;
}

export const createRateLimitHeaders = (limit: number, windowMs: number): RateLimitHeaders => {
  const resetS = (nowMs: number): number => Math.ceil((windowMs - (nowMs % windowMs)) / 1000);
  return {
    policy: `${limit};w=${windowMs / 1000}`,
    resetS,
    value: (remaining, nowMs) => `limit=${limit}, remaining=${remaining}, reset=${resetS(nowMs)}`,
  };
};
