/** Requests that browsers send ahead of a tap, before a person has seen anything. */

interface Headers {
  /** A header of the request, or an empty string. */
  getHeader(name: string): string;
}

/** `Purpose` of older Chromes, `X-Moz` of older Firefoxes, `X-Purpose: preview` of Safari. */
const purposes = ['purpose', 'x-purpose', 'x-moz'] as const;
const ahead = /^(?:prefetch|preview)$/i;

/**
 * A prefetch or prerender (https://wicg.github.io/nav-speculation/prefetch.html), or an older browser's header for it.
 */
export const isPrefetch = (headers: Headers): boolean => {
  if (headers.getHeader('sec-purpose') !== '') return true;
  for (const name of purposes) {
    const purpose = headers.getHeader(name);
    if (purpose !== '' && ahead.test(purpose)) return true;
  }
  return false;
};
