/** vCard 3.0 (RFC 2426) and 4.0 (RFC 6350), and the parts of 2.1 that are the same. */
import { splitEscaped } from './backslash.ts';
import type { Contact, Labelled } from './contact.ts';
import { type ContentLine, escapeText, foldLines, parseContentLines, unescapeText } from './content-lines.ts';

/** `Public;John;Quinlan;Mr.;Esq.`: text parts between semicolons. */
const partsOf = (value: string): string[] =>
  splitEscaped(value, ';').map((part) => unescapeText(part).trim());

/** The type for people to read. `voice`, `internet` and `pref` are omitted. */
const labels = ['work', 'home', 'cell', 'mobile', 'fax', 'pager', 'video', 'main'];

const labelOf = ({ parameters }: ContentLine): string => {
  const types = (parameters.get('TYPE') ?? '').toLowerCase().split(',');
  return labels.filter((label) => types.includes(label)).join(', ');
};

/** RFC 6350 writes numbers and addresses as URIs; older versions write text. */
const withoutScheme = (value: string, scheme: string): string =>
  value.toLowerCase().startsWith(scheme) ? value.slice(scheme.length) : value;

/** In envelope order: extended address, street, box; locality, region, code; country. */
const addressText = (value: string): string => {
  const [box, extended, street, locality, region, code, country] = partsOf(value);
  const town = [locality, region, code].filter(Boolean).join(', ');
  return [extended, street, box, town, country].filter(Boolean).join('\n');
};

/** The lines of the first card; none if the payload does not begin as a card. */
const cardLines = (payload: string): ContentLine[] => {
  const lines = parseContentLines(payload.trim());
  const isCard = lines[0]?.name === 'BEGIN' && /^vcard$/i.test(lines[0].value.trim());
  const end = lines.findIndex(({ name }) => name === 'END');
  return isCard ? lines.slice(1, end < 0 ? undefined : end) : [];
};

/** @returns undefined if the payload is not a card, or has no name */
export const parseVcard = (payload: string): Contact | undefined => {
  const lines = cardLines(payload);
  const all = (name: string): ContentLine[] =>
    lines.filter((line) => line.name === name && line.value.trim() !== '');
  const text = (name: string): string => unescapeText(all(name)[0]?.value ?? '').trim();
  const labelled = (name: string, read: (value: string) => string): Labelled[] =>
    all(name)
      .map((line) => ({ value: read(line.value), label: labelOf(line) }))
      .filter(({ value }) => value !== '');

  const [lastName = '', firstName = '', middle = '', prefix = '', suffix = ''] = partsOf(
    all('N')[0]?.value ?? '',
  );
  const organization = partsOf(all('ORG')[0]?.value ?? '')
    .filter(Boolean)
    .join(', ');
  const name =
    text('FN') || [prefix, firstName, middle, lastName, suffix].filter(Boolean).join(' ') || organization;
  if (name === '') return undefined;
  return {
    name,
    firstName,
    lastName,
    organization,
    title: text('TITLE'),
    phones: labelled('TEL', (value) => withoutScheme(unescapeText(value).trim(), 'tel:')),
    emails: labelled('EMAIL', (value) => withoutScheme(unescapeText(value).trim(), 'mailto:')),
    websites: all('URL').map(({ value }) => unescapeText(value).trim()),
    addresses: labelled('ADR', addressText),
    note: text('NOTE'),
  };
};

const property = (name: string, values: readonly string[]): string[] =>
  values.filter((value) => value !== '').map((value) => `${name}:${escapeText(value)}`);

/** Labels that are types in RFC 2426; `mobile` is its `cell`. */
const typed = (name: string, { value, label }: Labelled, escaped = escapeText(value)): string => {
  const type = label.replace('mobile', 'cell').replaceAll(', ', ',').toUpperCase();
  return `${name}${type && `;TYPE=${type}`}:${escaped}`;
};

/** A vCard 3.0, which every phone's address book reads. */
export const writeVcard = (contact: Contact): string =>
  foldLines([
    'BEGIN:VCARD',
    'VERSION:3.0',
    `N:${escapeText(contact.lastName)};${escapeText(contact.firstName)};;;`,
    `FN:${escapeText(contact.name)}`,
    ...property('ORG', [contact.organization]),
    ...property('TITLE', [contact.title]),
    ...contact.phones.map((phone) => typed('TEL', phone)),
    ...contact.emails.map((email) => typed('EMAIL', email)),
    ...property('URL', contact.websites),
    // As the street: its parts are unknown.
    ...contact.addresses.map((address) => typed('ADR', address, `;;${escapeText(address.value)};;;;`)),
    ...property('NOTE', [contact.note]),
    'END:VCARD',
  ]);
