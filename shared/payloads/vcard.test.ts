import { expect, test } from 'vitest';
import { parseVcard, writeVcard } from './vcard.ts';

const lines = (...texts: string[]): string => texts.join('\r\n');

test('the author of RFC 6350 is read from the example in its section 8', () => {
  const contact = parseVcard(
    lines(
      'BEGIN:VCARD',
      'VERSION:4.0',
      'FN:Simon Perreault',
      'N:Perreault;Simon;;;ing. jr,M.Sc.',
      'BDAY:--0203',
      'GENDER:M',
      'LANG;PREF=1:fr',
      'ORG;TYPE=work:Viagenie',
      'ADR;TYPE=work:;Suite D2-630;2875 Laurier;',
      ' Quebec;QC;G1V 2M2;Canada',
      'TEL;VALUE=uri;TYPE="work,voice";PREF=1:tel:+1-418-656-9254;ext=102',
      'TEL;VALUE=uri;TYPE="work,cell,voice,video,text":tel:+1-418-262-6501',
      'EMAIL;TYPE=work:simon.perreault@viagenie.ca',
      'GEO;TYPE=work:geo:46.772673,-71.282945',
      'KEY;TYPE=work;VALUE=uri:http://www.viagenie.ca/simon.perreault/simon.asc',
      'URL;TYPE=home:http://nomis80.org',
      'END:VCARD',
    ),
  );
  expect(contact).toEqual({
    name: 'Simon Perreault',
    firstName: 'Simon',
    lastName: 'Perreault',
    organization: 'Viagenie',
    title: '',
    phones: [
      { value: '+1-418-656-9254;ext=102', label: 'work' },
      { value: '+1-418-262-6501', label: 'work, cell, video' },
    ],
    emails: [{ value: 'simon.perreault@viagenie.ca', label: 'work' }],
    websites: ['http://nomis80.org'],
    addresses: [{ value: 'Suite D2-630\n2875 Laurier\nQuebec, QC, G1V 2M2\nCanada', label: 'work' }],
    note: '',
  });
});

test('folding, escapes, groups, bare types and quoted colons', () => {
  const contact = parseVcard(
    lines(
      'begin:vcard',
      'VERSION:3.0',
      'N:Stevenson;John;Philip,Paul;Dr.;Jr.,M.D.,A.C.P.',
      'ORG:ABC\\, Inc.;North American Division;Marketing',
      'item1.TEL;WORK;VOICE:(1) 234',
      'NOTE:This fax number is operational 0800 to 1715',
      '  EST\\, Mon-Fri.\\nTwo\\; lines\\\\',
      'EMAIL;X-LABEL="a:b;c";TYPE=home:john@example.com',
      'end:vcard',
      'TEL:not of this card',
    ),
  );
  expect(contact).toMatchObject({
    name: 'Dr. John Philip,Paul Stevenson Jr.,M.D.,A.C.P.',
    organization: 'ABC, Inc., North American Division, Marketing',
    phones: [{ value: '(1) 234', label: 'work' }],
    emails: [{ value: 'john@example.com', label: 'home' }],
    note: 'This fax number is operational 0800 to 1715 EST, Mon-Fri.\nTwo; lines\\',
  });
});

test('line ends of any kind, a missing end, and texts that are not cards', () => {
  expect(parseVcard('BEGIN:VCARD\nFN:Ann\nTEL:1')?.phones).toHaveLength(1);
  expect(parseVcard('BEGIN:VCARD\rFN:Ann\rEND:VCARD')?.name).toBe('Ann');
  expect(parseVcard('BEGIN:VCARD\nTEL:1\nEND:VCARD')).toBeUndefined();
  expect(parseVcard('FN:Ann')).toBeUndefined();
  expect(parseVcard('BEGIN:VCALENDAR\nFN:Ann')).toBeUndefined();
});

test('a written card folds at 75 bytes, between characters, and lets no line end in', () => {
  const contact = {
    ...parseVcard('BEGIN:VCARD\nFN:Ann\nEND:VCARD')!,
    note: `${'ä'.repeat(100)}\r\nTEL:666`,
  };
  const text = writeVcard(contact);
  expect(Math.max(...text.split('\r\n').map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75);
  expect(text).not.toMatch(/^TEL/m);
  expect(parseVcard(text)?.note).toBe(`${'ä'.repeat(100)}\nTEL:666`);
});
