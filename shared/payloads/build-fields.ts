/** `WIFI:` and `MECARD:`: fields between semicolons, with a backslash before every special character. */
import type { FieldsOf } from '#schemas/api/payloads.ts';

const escaped = (text: string): string => text.replace(/[\\;,":]/g, '\\$&');

/**
 * A name that looks like hexadecimal bytes is quoted; the quotes are not part of it. A password is not quoted: a key of
 * an ambiguous length (10, 26, 58, 64) is hexadecimal.
 */
const nameText = (name: string): string => (/^([0-9a-f]{2})+$/i.test(name) ? `"${name}"` : escaped(name));

export const buildWifi = ({ ssid, password, encryption, hidden }: FieldsOf<'wifi'>): string =>
  [
    `WIFI:T:${encryption};S:${nameText(ssid)};`,
    password ? `P:${escaped(password)};` : '',
    hidden ? 'H:true;' : '',
    ';',
  ].join('');

const field = (key: string, value: string | undefined): string => (value ? `${key}:${escaped(value)};` : '');

export const buildMecard = (card: FieldsOf<'mecard'>): string =>
  [
    // A comma separates the family name from the given name.
    `MECARD:N:${escaped(card.name)};`,
    field('TEL', card.phone),
    field('EMAIL', card.email),
    field('URL', card.url),
    field('ADR', card.address),
    field('NOTE', card.note),
    ';',
  ].join('');
