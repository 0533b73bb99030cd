/** `tel:` (RFC 3966), or a bare number. */
import { decodePart, dialable } from './links.ts';

export interface Phone {
  /** As meant to be read, with its separators. */
  phone: string;
}

/** @returns undefined if there is no digit to dial */
export const parsePhone = (payload: string): Phone | undefined => {
  const text = payload.trim();
  const phone = /^tel:/i.test(text) ? decodePart(text.slice(4).replace(/^\/\//, '')) : text;
  // Without RFC 3966's parameters, such as phone-context; but `;` before digits is a pause.
  const number = phone.replace(/;[a-z].*$/is, '').trim();
  return /^[-+\d\s().*#,;/]+$/.test(number) && dialable(number) ? { phone: number } : undefined;
};

export const writeTelUri = ({ phone }: Phone): string => `tel:${dialable(phone)}`;
