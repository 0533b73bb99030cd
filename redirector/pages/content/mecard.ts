/** A MECARD. Its file is a vCard with the same contents, because address books do not read MECARDs. */
import { parseMecard } from '#shared/payloads/mecard.ts';
import { writeVcard } from '#shared/payloads/vcard.ts';
import { showContact } from './contact.ts';
import type { Show } from './fragments.ts';

export const showMecard: Show = (payload, viewer) => {
  const contact = parseMecard(payload);
  return contact && showContact(contact, writeVcard(contact), viewer);
};
