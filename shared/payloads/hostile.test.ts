import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseEmail, writeMailto } from './email.ts';
import { parseGeo, writeGeoUri } from './geo.ts';
import { parseMecard } from './mecard.ts';
import { parsePhone, writeTelUri } from './phone.ts';
import { parseSms, writeSmsUri } from './sms.ts';
import { calendarFile, parseVcalendar } from './vcalendar.ts';
import { parseVcard, writeVcard } from './vcard.ts';
import { parseWifi } from './wifi.ts';

/** Any sequence of UTF-16 units, including unpaired surrogates. */
const units = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 60 })
  .map((codes) => String.fromCharCode(...codes));
const words = fc.constantFrom(
  ...[
    'WIFI:',
    'MECARD:',
    'MATMSG:',
    'mailto:',
    'sms:',
    'SMSTO:',
    'tel:',
    'geo:',
    'S:',
    'P:',
    'N:',
    'TEL:',
    'ADR:',
  ],
  ...[
    'BEGIN:VCARD',
    'END:VCARD',
    'BEGIN:VEVENT',
    'END:VEVENT',
    'BEGIN:VCALENDAR',
    'FN:',
    'DTSTART:',
    'DTEND;TZID=x:',
  ],
  ...[
    '20260704',
    '99991231T235959Z',
    'DURATION:P999999W',
    '0000',
    '\r\n',
    '\n ',
    '\\',
    '\\n',
    ';',
    ',',
    ':',
    '?',
    '&',
  ],
  ...[
    'body=',
    'subject=',
    '%',
    '%zz',
    '%ff',
    '"',
    '<script>',
    'javascript:',
    '\u202e',
    '\0',
    '1,2',
    '+1',
    '(',
    ')',
  ],
);
const payload = fc.oneof(
  units,
  fc.array(fc.oneof(words, units), { maxLength: 20 }).map((parts) => parts.join('')),
);

/** Everything done with a payload, and its results. */
const runAll = (text: string): unknown[] => {
  const [vcard, mecard] = [parseVcard(text), parseMecard(text)];
  const [email, sms, phone, geo] = [parseEmail(text), parseSms(text), parsePhone(text), parseGeo(text)];
  return [
    parseWifi(text),
    parseVcalendar(text),
    calendarFile(text, 'uid'),
    vcard && writeVcard(vcard),
    mecard && writeVcard(mecard),
    email && writeMailto(email),
    sms && writeSmsUri(sms),
    phone && writeTelUri(phone),
    geo && writeGeoUri(geo),
  ];
};

test('no payload makes a parser or a writer throw', () => {
  fc.assert(
    fc.property(payload, (text) => {
      runAll(text);
    }),
    { numRuns: 3000 },
  );
});

test('every written link is printable ASCII of its own scheme', () => {
  fc.assert(
    fc.property(payload, (text) => {
      const links = runAll(text)
        .slice(5)
        .filter((link) => link !== undefined);
      for (const link of links) expect(link).toMatch(/^(mailto|sms|tel|geo):[!-~]*$/);
    }),
    { numRuns: 3000 },
  );
});

test('a written card is read as the same card', () => {
  const text = fc.string().map((raw) => raw.trim().replace(/[\p{Cc}]/gu, ''));
  const labelled = fc.record({
    value: text.filter((raw) => raw !== ''),
    label: fc.constantFrom('', 'work', 'home'),
  });
  const contact = fc.record({
    name: text.filter((raw) => raw !== ''),
    firstName: text,
    lastName: text,
    organization: fc.constant(''),
    title: text,
    phones: fc.array(
      labelled.filter(({ value }) => !/^tel:/i.test(value)),
      { maxLength: 3 },
    ),
    emails: fc.array(
      labelled.filter(({ value }) => !/^mailto:/i.test(value)),
      { maxLength: 3 },
    ),
    websites: fc.array(
      text.filter((raw) => raw !== ''),
      { maxLength: 2 },
    ),
    addresses: fc.array(labelled, { maxLength: 2 }),
    note: text,
  });
  fc.assert(
    fc.property(contact, (one) => {
      expect(parseVcard(writeVcard(one))).toEqual(one);
    }),
  );
});

test('a payload of 20,000 characters takes a moment, whatever it repeats', () => {
  const pieces = [
    ' ',
    ';',
    ':',
    ',',
    '\\',
    '"',
    '(',
    '&',
    '?',
    '%',
    '\n ',
    '\n',
    'a',
    '1',
    '&body',
    ';a',
    '^',
    '.',
    'N:a;',
    'TEL:1\n',
  ];
  for (const begin of [
    '',
    'WIFI:',
    'MECARD:',
    'mailto:',
    'sms:',
    'tel:',
    'geo:1,2?q=',
    'BEGIN:VCARD\nFN:a\n',
    'BEGIN:VEVENT\n',
  ]) {
    for (const piece of pieces) {
      const text = begin + piece.repeat(20_000 / piece.length);
      const before = process.cpuUsage();
      runAll(text);
      const usedMs = process.cpuUsage(before).user / 1000;
      expect.soft(usedMs, `${begin}${piece}…`).toBeLessThan(500);
    }
  }
});
