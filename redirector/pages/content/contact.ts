/** A person or an organization: to reach by a tap, and to add to the contacts. */
import type { Contact, Labelled } from '#shared/payloads/contact.ts';
import { parseEmail, writeMailto } from '#shared/payloads/email.ts';
import { parsePhone, writeTelUri } from '#shared/payloads/phone.ts';
import { type Element, element } from './elements.ts';
import { card, fileButton, fileName, hint, row, type View, type Viewer, webLink } from './fragments.ts';

type ContactWords = Viewer['words']['contact'];

/** The kinds that most cards have, in the page's language; others stay as they are. */
const kindIn = ({ kinds }: ContactWords, kind: string): string =>
  Object.entries({ ...kinds, mobile: kinds.cell }).find(([name]) => name === kind)?.[1] ?? kind;

const createNamed =
  ({ language, words: { contact: words } }: Viewer) =>
  (name: string, { label }: Labelled): string => {
    const kinds = label.split(', ').filter(Boolean);
    return [name, ...kinds.map((kind) => kindIn(words, kind))].join(language === 'ar' ? '، ' : ', ');
  };

const phoneLink = (value: string): string | Element => {
  const phone = parsePhone(value);
  return phone ? element('a', { href: writeTelUri(phone) }, value) : value;
};

const emailLink = (value: string): string | Element => {
  const email = parseEmail(value);
  return email ? element('a', { href: writeMailto({ to: email.to }) }, value) : value;
};

/** Entries shown of each kind; the file has all of them. */
const shownMax = 6;

/** @param file the contact as a vCard */
export const showContact = (contact: Contact, file: string, viewer: Viewer): View => {
  const words = viewer.words.contact;
  const named = createNamed(viewer);
  return {
    title: contact.name,
    lead: [contact.title, contact.organization]
      .filter((part) => part !== '' && part !== contact.name)
      .join(' · '),
    body: [
      card(
        ...contact.phones
          .slice(0, shownMax)
          .map((phone) => row(named(words.phone, phone), phoneLink(phone.value))),
        ...contact.emails
          .slice(0, shownMax)
          .map((email) => row(named(words.email, email), emailLink(email.value))),
        ...contact.websites.slice(0, shownMax).map((website) => row(words.website, webLink(website))),
        ...contact.addresses
          .slice(0, shownMax)
          .map((address) => row(named(words.address, address), address.value)),
        row(words.note, contact.note),
      ),
      fileButton(fileName(contact.name, 'vcf'), 'text/vcard', file, words.add),
      hint(words.hint),
    ],
  };
};
