/**
 * Links on a page for its visitors. Only schemes on the list are links, however they are spelt: the text itself must
 * begin with the scheme, and must not contain white space or control characters, which browsers drop.
 */
import { httpWithHost } from '../web-url.ts';
import { unseenInUrl, whyNoWebUrl } from './web-address.ts';

const notLink = 'must be an http:, https:, mailto: or tel: URL';

/** Before a query: addresses, separated by commas. */
const mailto =
  /^mailto:(?!\/\/)[^?#@,]{1,64}(?:@|%40)[^?#@,]{1,256}(?:,[^?#@,]{1,64}(?:@|%40)[^?#@,]{1,256}){0,9}(?:\?|$)/i;
const mailtoQuery = /^mailto:\?(?:[^#]*&)?to=/i;

/** RFC 3966: digits with separators, followed by parameters. An internal number may have * and #. */
const tel = /^tel:\+?[\d*().#-]{1,60}(?:;|$)/i;
/** A whole number with separators, without parameters. */
const number = /^\+?[\d().-]{3,40}$/;
/** From an emergency number to the longest that networks dial. */
const digits = /^\+?\d{3,20}$/;
const telParameters = /^[\w.~!$&'()*+,%=:@/?;-]*$/;

/** A line break would begin another header of the letter. */
const lineBreak = /%0[ad]/i;

const isMailto = (text: string): boolean =>
  (mailto.test(text) || mailtoQuery.test(text)) && !lineBreak.test(text.split('?')[0]!);

const isTel = (text: string): boolean => {
  const [number = '', ...parameters] = text.split(';');
  return tel.test(text) && /\d/.test(number) && telParameters.test(parameters.join(';'));
};

/** @returns the error in a button's destination; undefined if it is valid */
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

/** Characters that a reader of the address does not see, and an empty part of a host name: no letter would arrive. */
const unreachable = /\p{Default_Ignorable_Code_Point}|\.\./u;

/** A bare address: without a display name or list separators. */
const address = /^[^\s@<>()[\]\\,;:"/?#&]{1,64}@(?=[^.])[^\s@<>()[\]\\,;:"/?#&]{1,253}$/;

const isAddress = (text: string): boolean =>
  address.test(text) && /\.[^.]+$/.test(text) && !unreachable.test(text);

/** Of a number: 40 digits and separators after a plus. */
export const phoneLengthMax = 41;
/** Of an address: RFC 5321, section 4.5.3.1. */
export const emailLengthMax = 254;

/** @returns the error in a bare telephone number, which is called as `tel:` and the number */
export const whyNoPhone = (text: string): string | undefined =>
  number.test(text) && digits.test(text.replace(/[().-]/g, ''))
    ? undefined
    : 'must be a telephone number without spaces, such as +4930123456';

/** @returns the error in a bare address, which is written to as `mailto:` and the address */
export const whyNoEmail = (text: string): string | undefined => {
  if (unseenInUrl.test(text) || !text.isWellFormed())
    return 'must not contain white space or control characters';
  return isAddress(text) && text.length <= emailLengthMax && !text.includes('%')
    ? undefined
    : 'must be an e-mail address such as info@example.com';
};

/** @returns the error in the target of `email`: an address, a mailto: URL or a page */
export const whyNoSocialUrl = (text: string): string | undefined => {
  if (unseenInUrl.test(text) || !text.isWellFormed())
    return 'must not contain white space or control characters';
  const isLink = /^(https?|mailto):/i.test(text);
  if (isLink) return whyNoLink(text);
  return isAddress(text)
    ? undefined
    : 'must be an address such as info@example.com, or a mailto:, http: or https: URL';
};
