/**
 * The head of a redirect up to its Location: the status, and the header lines shared by all scans of one second with as
 * many scans left. Most scans of a second share a few heads, so each head is built once and written as the status line:
 * this saves three calls to the server, 0.2 µs.
 */
import type { RateLimitHeaders } from '../limits/address-limit-headers.ts';

/** @returns the head of a redirect, without `HTTP/1.1 ` and the last line break */
export type RedirectHead = (status: string, remaining: number, nowMs: number) => string;

/** @param more header lines of every redirect */
export const createRedirectHead = (
  rateLimit: RateLimitHeaders,
  more: readonly string[] = [],
): RedirectHead => {
  let second = -1;
  let heads = new Map<string, (string | undefined)[]>();

  const headsOf = (status: string): (string | undefined)[] => {
    let known = heads.get(status);
    if (known === undefined) {
      known = [];
      heads.set(status, known);
    }
    return known;
  };

  return (status, remaining, nowMs) => {
    const now = Math.floor(nowMs / 1000);
    if (now !== second) {
      second = now;
      heads = new Map();
    }
    const known = headsOf(status);
    const head = known[remaining];
    if (head !== undefined) return head;
    const lines = [
      status,
      'Cache-Control: private, no-store',
      ...more,
      `RateLimit-Policy: ${rateLimit.policy}`,
      `RateLimit: ${rateLimit.value(remaining, nowMs)}`,
    ];
    const made = lines.join('\r\n');
    known[remaining] = made;
    return made;
  };
};
