/** `MECARD:N:Doe,John;TEL:+1…;EMAIL:…;;` (NTT DOCOMO; https://github.com/zxing/zxing/wiki/Barcode-Contents#contact-information). */
import { readFields, splitEscaped, unescaped, valuesOf } from './backslash.ts';
import type { Contact, Labelled } from './contact.ts';

const unlabelled = (values: readonly string[]): Labelled[] => values.map((value) => ({ value, label: '' }));

/** An address's parts are separated by commas; some may be empty. */
const joinParts = (escaped: string): string =>
  splitEscaped(escaped, ',')
    .map((part) => unescaped(part).trim())
    .filter((part) => part !== '')
    .join(', ');

/** @returns undefined if the payload has neither a name nor a number or address */
export const parseMecard = (payload: string): Contact | undefined => {
  const fields = readFields(payload, 'MECARD:');
  if (fields === undefined) return undefined;
  const escapedOf = (key: string): string[] =>
    fields.filter((field) => field.key === key).map(({ escaped }) => escaped);
  const [lastName = '', firstName = ''] = splitEscaped(escapedOf('N')[0] ?? '', ',').map((part) =>
    unescaped(part).trim(),
  );
  const phones = [
    ...unlabelled(valuesOf(fields, 'TEL')),
    ...valuesOf(fields, 'TEL-AV').map((value) => ({ value, label: 'video' })),
  ];
  const emails = unlabelled(valuesOf(fields, 'EMAIL'));
  const organization = valuesOf(fields, 'ORG')[0] ?? '';
  const name =
    [firstName, lastName].filter(Boolean).join(' ') || organization || phones[0]?.value || emails[0]?.value;
  if (!name) return undefined;
  return {
    name,
    firstName,
    lastName,
    organization,
    title: valuesOf(fields, 'TITLE')[0] ?? '',
    phones,
    emails,
    websites: valuesOf(fields, 'URL'),
    addresses: unlabelled(escapedOf('ADR').map(joinParts).filter(Boolean)),
    note: valuesOf(fields, 'NOTE').join('\n'),
  };
};
