/** Where links of a page lead. */
import type { Social } from '#schemas/api/blocks.ts';
import { whyNoLink } from '#schemas/api/links.ts';

/** @returns undefined for what is no http:, https:, mailto: or tel: URL. Stored links are; this is the second lock. */
export const linkOf = (destination: string): string | undefined =>
  whyNoLink(destination) === undefined ? destination : undefined;

/** A bare address gets its scheme. */
export const socialLinkOf = ({ platform, url }: Social): string | undefined =>
  platform === 'email' && !/^(https?|mailto):/i.test(url) ? linkOf(`mailto:${url}`) : linkOf(url);
