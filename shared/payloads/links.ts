/**
 * Texts that may become links: the author of a payload is not trusted with a scanner's browser. All modules in this
 * folder that read a payload also run in the browsers of sealed codes, including older ones: they use nothing specific
 * to Node, and nothing as new as `URL.parse` and `toWellFormed`.
 */

import { unsafeSchemes } from '#schemas/schemes.ts';
import { httpWithHost } from '#schemas/web-url.ts';

/** Only printable ASCII: browsers drop tabs and line ends, and would open another URL than the one checked. */
const schemeAndRest = /^([a-z][a-z0-9+.-]*):[!-~]+$/i;

/**
 * Whether a link may open the URL in an app: ASCII only, and any scheme except those for running script or reading
 * files.
 */
export const isAppUrl = (url: string): boolean => {
  const scheme = schemeAndRest.exec(url)?.[1];
  return scheme !== undefined && !unsafeSchemes.has(scheme.toLowerCase());
};

/** The ASCII form of an http or https URL with a host; otherwise undefined. */
export const webUrl = (text: string): string | undefined => {
  if (!httpWithHost.test(text)) return undefined;
  try {
    return new URL(text).href;
  } catch {
    return undefined;
  }
};

/** What a page links of a text: a web URL, or `https://` and a host with an optional path; otherwise undefined. */
export const linkedUrl = (text: string): string | undefined =>
  webUrl(text) ?? (/^[\w-]+(\.[\w-]+)+(\/\S*)?$/.test(text) ? webUrl(`https://${text}`) : undefined);

/** `mailto:`, percent-encoded by RFC 6068; the `@` stays readable. Lone surrogates become U+FFFD. */
export const encodePart = (text: string): string =>
  encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));

/** The digits of a phone number for `tel:` and `sms:`, without visual separators; empty without digits. */
export const dialable = (phone: string): string => {
  const digits = phone.replace(/[^0-9+*#,;]/g, '');
  return /\d/.test(digits) ? digits.replaceAll('#', '%23') : '';
};

/** The percent-decoded text; unchanged if the encoding is invalid. */
export const decodePart = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
