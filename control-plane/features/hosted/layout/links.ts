/** Link targets of a page. */
import type { Social } from '#schemas/api/blocks.ts';
import { whyNoLink } from '#schemas/api/links.ts';

/**
 * @returns undefined unless it is an http:, https:, mailto: or tel: URL. Stored links are; this is a second check.
 */
export const linkOf = (destination: string): string | undefined =>
  whyNoLink(destination) === undefined ? destination : undefined;

/** Adds the scheme to a bare address. */
export const socialLinkOf = ({ platform, url }: Social): string | undefined =>
  platform === 'email' && !/^(https?|mailto):/i.test(url) ? linkOf(`mailto:${url}`) : linkOf(url);
