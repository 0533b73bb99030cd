/** A vCard. Its file is the card as it was given, with what the page does not show. */
import { parseVcard } from '#shared/payloads/vcard.ts';
import { showContact } from './contact.ts';
import type { View } from './parts.ts';

export const showVcard = (payload: string): View => {
  const contact = parseVcard(payload);
  return contact && showContact(contact, `${payload.trim().replace(/\r\n?|\n/g, '\r\n')}\r\n`);
};
