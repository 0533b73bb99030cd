import { expect, test } from 'vitest';
import { parseMecard } from './mecard.ts';
import { parseVcard, writeVcard } from './vcard.ts';

const owen = {
  name: 'Sean Owen',
  firstName: 'Sean',
  lastName: 'Owen',
  organization: '',
  title: '',
  phones: [{ value: '+12125551212', label: '' }],
  emails: [{ value: 'srowen@example.com', label: '' }],
  websites: ['https://example.com'],
  addresses: [{ value: '76 9th Avenue, 4th Floor, New York, NY 10011', label: '' }],
  note: 'a; b',
};
const payload =
  'MECARD:N:Owen,Sean;ADR:76 9th Avenue, 4th Floor, New York, NY 10011;TEL:+12125551212;EMAIL:srowen@example.com;URL:https\\://example.com;NOTE:a\\; b;;';

test('a MECARD is read with its escapes, the last name first', () => {
  expect(parseMecard(payload)).toEqual(owen);
});

test('the parts of a DOCOMO address are joined, without empty ones', () => {
  expect(parseMecard('MECARD:N:Sato;ADR:,,2-1,Chiyoda,Tokyo,1000001,Japan;;')?.addresses).toEqual([
    { value: '2-1, Chiyoda, Tokyo, 1000001, Japan', label: '' },
  ]);
});

test('a card without a name is named by its other fields', () => {
  expect(parseMecard('MECARD:TEL:123;;')?.name).toBe('123');
  expect(parseMecard('MECARD:NOTE:nobody;;')).toBeUndefined();
  expect(parseMecard('BEGIN:VCARD')).toBeUndefined();
});

test('the vCard written from a MECARD has the same contact', () => {
  const contact = parseMecard(payload)!;
  expect(parseVcard(writeVcard(contact))).toEqual(contact);
});
