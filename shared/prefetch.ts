/** Requests that browsers send ahead of a tap: nobody has looked at anything yet. */

interface Headers {
  /** A header of the request, or an empty string. */
  getHeader(name: string): string;
}

/**
 * A prefetch or prerender (https://wicg.github.io/nav-speculation/prefetch.html). Only Firefox sends X-Moz.
 * @param browser as the User-Agent tells it
 */
export const isPrefetch = (headers: Headers, { browser }: { browser: string }): boolean =>
  headers.getHeader('sec-purpose') !== '' ||
  headers.getHeader('purpose') === 'prefetch' ||
  (browser === 'Firefox' && headers.getHeader('x-moz') === 'prefetch');
