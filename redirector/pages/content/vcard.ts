/** A vCard. Its file is the whole card, with the fields that the page does not show. */
import { parseVcard } from '#shared/payloads/vcard.ts';
import { showContact } from './contact.ts';
import type { Show } from './fragments.ts';

export const showVcard: Show = (payload, viewer) => {
  const contact = parseVcard(payload);
  return contact && showContact(contact, `${payload.trim().replace(/\r\n?|\n/g, '\r\n')}\r\n`, viewer);
};
