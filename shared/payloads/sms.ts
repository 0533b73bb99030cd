/** `sms:` (RFC 5724), the `SMSTO:number:message` of barcodes, or a bare number. */
import { decodePart, dialable, encodePart } from './links.ts';

export interface Sms {
  /** One number, or several separated by commas. */
  phone: string;
  message?: string;
}

const scheme = /^(?:sms|mms)(to)?:(?:\/\/)?/i;
const bareNumber = /^[+\d][\d\s().,-]*$/;

const smsOf = (phone: string, message: string): Sms | undefined => {
  const number = phone.trim();
  return number || message ? { phone: number, ...(message && { message }) } : undefined;
};

/** @returns undefined if there is neither a number nor a message */
export const parseSms = (payload: string): Sms | undefined => {
  const text = payload.trim();
  const begin = scheme.exec(text);
  if (!begin) return bareNumber.test(text) ? { phone: text } : undefined;
  const rest = text.slice(begin[0].length);
  // iOS writes `&body=` instead of RFC 5724's `?body=`; a `;` begins a parameter of the number.
  const [number = '', ...parameters] = rest.split(/[?&;]/);
  const body = parameters.find((parameter) => /^body=/i.test(parameter));
  if (body) return smsOf(decodePart(number), decodePart(body.slice(5)));
  const colon = rest.indexOf(':');
  // The text after the colon is not a URI: its percent signs are literal.
  return colon < 0
    ? smsOf(decodePart(number), '')
    : smsOf(decodePart(rest.slice(0, colon)), rest.slice(colon + 1));
};

/**
 * Opens the messages app with number and text filled in. It writes `?&body=` instead of RFC 5724's `?body=`: iOS reads
 * the text after the ampersand, Android the text after the question mark, and each ignores the other's sign.
 */
export const writeSmsUri = ({ phone, message }: Sms): string => {
  const numbers = phone.split(',').map(dialable).filter(Boolean).join(',');
  return `sms:${numbers}${message ? `?&body=${encodePart(message)}` : ''}`;
};
