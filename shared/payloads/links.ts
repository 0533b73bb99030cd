/**
 * The texts that may become links: the author of a payload is not trusted with a scanner's browser. All modules of this folder that read
 * a payload run in the browsers of sealed codes as well, older ones among them: nothing in them is Node's alone, or as new as
 * `URL.parse` and `toWellFormed`.
 */

import { unsafeSchemes } from '#schemas/schemes.ts';
import { httpWithHost } from '#schemas/web-url.ts';

/** Printable ASCII alone: browsers drop tabs and line ends, and would open another URL than the checked one. */
const schemeAndRest = /^([a-z][a-z0-9+.-]*):[!-~]+$/i;

/** Whether a link may open the URL in an app: any scheme but those that run script or read files; ASCII only. */
export const isAppUrl = (url: string): boolean => {
  const scheme = schemeAndRest.exec(url)?.[1];
  return scheme !== undefined && !unsafeSchemes.has(scheme.toLowerCase());
};

/** The URL in its ASCII form when it is an http or https one with a host, otherwise undefined. */
export const webUrl = (text: string): string | undefined => {
  if (!httpWithHost.test(text)) return undefined;
  try {
    return new URL(text).href;
  } catch {
    return undefined;
  }
};

/** `mailto:`, percent-encoded by RFC 6068; the `@` stays readable. Lone surrogates become U+FFFD. */
export const encodePart = (text: string): string =>
  encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));

/** The digits of a phone number as `tel:` and `sms:` take them, without the visual separators; empty if there are none. */
export const dialable = (phone: string): string => {
  const digits = phone.replace(/[^0-9+*#,;]/g, '');
  return /\d/.test(digits) ? digits.replaceAll('#', '%23') : '';
};

/** The text without percent-encoding, or as it is where the encoding is invalid. */
export const decodePart = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
