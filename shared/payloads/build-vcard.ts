/**
 * A vCard 4.0 (RFC 6350). Its lines are not folded: every byte makes the symbol larger, and readers accept long lines.
 */
import type { FieldsOf } from '#schemas/api/payloads.ts';
import { escapeText } from './content-lines.ts';

export const buildVcard = (card: FieldsOf<'vcard'>): string => {
  const { firstName = '', lastName = '', organization = '' } = card;
  const name = [firstName, lastName].filter((part) => part.trim()).join(' ') || organization;
  const property = (key: string, value: string | undefined): string[] =>
    value ? [`${key}:${escapeText(value)}`] : [];
  return [
    'BEGIN:VCARD',
    'VERSION:4.0',
    `N:${escapeText(lastName)};${escapeText(firstName)};;;`,
    `FN:${escapeText(name)}`,
    ...property('ORG', organization),
    ...property('TITLE', card.title),
    ...property('TEL', card.phone),
    ...property('EMAIL', card.email),
    // A URI, not text: it has no escapes.
    ...(card.website ? [`URL:${new URL(card.website).href}`] : []),
    // As the street: its parts are unknown.
    ...(card.address ? [`ADR:;;${escapeText(card.address)};;;;`] : []),
    'END:VCARD',
    '',
  ].join('\r\n');
};
