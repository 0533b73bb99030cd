/** `WIFI:` and `MECARD:`: fields between semicolons, with a backslash before every character that means something. */
import type { FieldsOf } from '#schemas/api/payloads.ts';

const escaped = (text: string): string => text.replace(/[\\;,":]/g, '\\$&');

/** What could be read as hexadecimal digits is put in quotes, which then are not part of it. */
const quoted = (text: string): string => (/^[0-9a-f]+$/i.test(text) ? `"${text}"` : escaped(text));

export const buildWifi = ({ ssid, password, encryption, hidden }: FieldsOf<'wifi'>): string =>
  [
    `WIFI:T:${encryption};S:${quoted(ssid)};`,
    password ? `P:${quoted(password)};` : '',
    hidden ? 'H:true;' : '',
    ';',
  ].join('');

const field = (key: string, value: string | undefined): string => (value ? `${key}:${escaped(value)};` : '');

export const buildMecard = (card: FieldsOf<'mecard'>): string =>
  [
    // A comma in it would part a family name from a given one.
    `MECARD:N:${escaped(card.name)};`,
    field('TEL', card.phone),
    field('EMAIL', card.email),
    field('URL', card.url),
    field('ADR', card.address),
    field('NOTE', card.note),
    ';',
  ].join('');
