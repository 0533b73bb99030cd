/**
 * Links that a page has for its visitors. What is not on the list of schemes is no link, however it is spelt: the scheme is the
 * beginning of the text itself, and no white space or control character, which browsers drop, is in it.
 */
import { httpWithHost } from '../web-url.ts';
import { unseenInUrl, whyNoWebUrl } from './web-address.ts';

const notLink = 'must be an http:, https:, mailto: or tel: URL';

/** Before a query: addresses, with commas between several of them. */
const mailto =
  /^mailto:(?!\/\/)[^?#@,]{1,64}(?:@|%40)[^?#@,]{1,256}(?:,[^?#@,]{1,64}(?:@|%40)[^?#@,]{1,256}){0,9}(?:\?|$)/i;
const mailtoQuery = /^mailto:\?(?:[^#]*&)?to=/i;

/** RFC 3966: digits with separators, and parameters after them. An internal number may have * and #. */
const tel = /^tel:\+?[\d*().#-]{1,60}(?:;|$)/i;
const telParameters = /^[\w.~!$&'()*+,%=:@/?;-]*$/;

const isMailto = (text: string): boolean => mailto.test(text) || mailtoQuery.test(text);

const isTel = (text: string): boolean => {
  const [number = '', ...parameters] = text.split(';');
  return tel.test(text) && /\d/.test(number) && telParameters.test(parameters.join(';'));
};

/** @returns what is wrong with the destination of a button; undefined where nothing is */
export const whyNoLink = (text: string): string | undefined => {
  if (unseenInUrl.test(text) || !text.isWellFormed())
    return 'must not contain white space or control characters';
  if (/^https?:/i.test(text)) return httpWithHost.test(text) ? whyNoWebUrl(text) : notLink;
  if (/^mailto:/i.test(text))
    return isMailto(text) ? undefined : 'must have an address after mailto:, such as mailto:info@example.com';
  if (/^tel:/i.test(text))
    return isTel(text) ? undefined : 'must have a telephone number after tel:, such as tel:+4930123456';
  return notLink;
};

/** A bare address: without a display name, and without what separates several. */
const address = /^[^\s@<>()[\]\\,;:"/?#&]{1,64}@(?=[^.])[^\s@<>()[\]\\,;:"/?#&]{1,253}$/;

/** @returns what is wrong with where `email` leads: an address, a mailto: URL or a page */
export const whyNoSocialUrl = (text: string): string | undefined => {
  if (unseenInUrl.test(text) || !text.isWellFormed())
    return 'must not contain white space or control characters';
  const isLink = /^(https?|mailto):/i.test(text);
  if (isLink) return whyNoLink(text);
  return address.test(text) && /\.[^.]+$/.test(text)
    ? undefined
    : 'must be an address such as info@example.com, or a mailto:, http: or https: URL';
};
