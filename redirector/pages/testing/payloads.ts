/** Payloads of each data type, in many people's notations, and some of no type. */
import fc from 'fast-check';
import type { DataType } from '#schemas/api/data-types.ts';

const words = [
  ...['Ada', 'Łódź', '東京', 'שלום', 'O’Neill', 'a b', '', ' ', '<b>x</b>', '"', '&amp;', 'x'.repeat(300)],
  ...['\\,', '\\;', '\\:', '\\n', '\\\\', ';', ',', ':', '%2C', '%', '+', '?', '\n', '\r\n ', '\n '],
  ...[
    'https://a.example/ü?b=c#d',
    'a.example',
    'javascript:alert(1)',
    'a@b.example',
    'tel:+49-30-1',
    '+49 30 123',
  ],
];
const text = fc.array(fc.constantFrom(...words), { maxLength: 4 }).map((parts) => parts.join(''));

const ends = fc.constantFrom('\n', '\r\n', '\r');

/** Some of these lines, each with its value, in any order. */
const lines = (names: readonly string[], value = text) =>
  fc
    .tuple(fc.array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 9 }), ends)
    .map(([all, end]) => all.map(([name, one]) => `${name}:${one}${end}`).join(''));

const fields = (prefix: string, names: readonly string[]) =>
  fc
    .array(fc.tuple(fc.constantFrom(...names), text), { maxLength: 7 })
    .map((all) => `${prefix}${all.map(([name, value]) => `${name}:${value};`).join('')};`);

const types = [
  '',
  ';TYPE=work',
  ';TYPE="cell,voice"',
  ';TYPE=HOME;TYPE=pref',
  ';WORK;FAX',
  ';VALUE=uri;TYPE=pager',
];
const labelled = (name: string) => types.map((type) => `${name}${type}`);

const name = fc
  .array(fc.constantFrom('Public', 'John', 'Quinlan', 'Dr.', 'Esq.', '', 'a\\;b', 'a\\,b,c'), {
    maxLength: 6,
  })
  .map((parts) => `N:${parts.join(';')}\n`);

const vcard = fc
  .tuple(
    name,
    lines([
      ...['FN', 'ORG', 'TITLE', 'URL', 'item1.URL', 'NOTE', 'note', 'X-A;B="c:d"'],
      ...[...labelled('TEL'), ...labelled('item2.EMAIL'), ...labelled('ADR')],
    ]),
    fc.constantFrom('END:VCARD', 'END:VCARD\nBEGIN:VCARD\nFN:second\nEND:VCARD', ''),
  )
  .map(([n, others, end]) => `BEGIN:VCARD\nVERSION:4.0\n${n}${others}${end}`);

const times = fc.constantFrom(
  ...['20260918', '20260919', '20260230', '20260918T190000', '20260918T2300', '20260918T190000Z'],
  ...['20260919T010060Z', '20260918T250000', 'P2D', 'PT90M', 'P1W', 'PT0S', 'soon', ''],
);
const vcalendar = fc
  .tuple(
    fc.constantFrom('BEGIN:VEVENT\n', 'BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VEVENT\n'),
    lines(
      [
        ...['DTSTART', 'DTSTART', 'DTSTART;TZID=Europe/Berlin', 'DTSTART;TZID="/America/New_York"'],
        ...['DTEND', 'DTEND;TZID=Europe/Berlin', 'DTEND;VALUE=DATE', 'DURATION'],
      ],
      times,
    ),
    lines(['SUMMARY', 'LOCATION', 'DESCRIPTION', 'DESCRIPTION;LANGUAGE=de', 'UID', 'DTSTAMP']),
    fc.constantFrom(
      'END:VEVENT',
      'END:VEVENT\nEND:VCALENDAR',
      'BEGIN:VALARM\nDESCRIPTION:x\nEND:VALARM\nEND:VEVENT',
    ),
  )
  .map((parts) => parts.join(''));

const after = (beginnings: readonly string[]) =>
  fc.tuple(fc.constantFrom(...beginnings), text).map((parts) => parts.join(''));

const locations = [
  'https://',
  'http://a.example/',
  'HTTPS://bücher.example/',
  'https://id.gs1.org/01/',
  'ftp://',
];

const ofType: Record<DataType, fc.Arbitrary<string>> = {
  url: after(locations),
  gs1: after(locations),
  text,
  email: fc.oneof(
    after([
      'mailto:',
      'MAILTO:a@b.example?subject=',
      'mailto:a@b?to=c@d&cc=e&body=',
      'a@',
      'mailto:?bcc=x&Subject=',
    ]),
    fields('MATMSG:', ['TO', 'SUB', 'BODY', 'to']),
  ),
  wifi: fc.oneof(
    fields('WIFI:', ['S', 'S', 'P', 'H', 's']),
    after([
      'WIFI:T:WEP;S:net;P:',
      'wifi:T:nopass;H:true;S:',
      'WIFI:S:"0a0B";T:sae;P:"12',
      'WIFI:S:net;H:TRUE;P:x;X:',
    ]),
  ),
  vcard,
  sms: after([
    'SMSTO:+1 2:',
    'sms:+12,+34?body=',
    'sms://1;x=y?&body=',
    'mmsto:',
    'sms:1:x?body=',
    '+49 (30) ',
    '12',
  ]),
  phone: after(['tel:+1-2', 'TEL://*21#', 'tel:12;ext=', '+49 ', '0', 'tel:%2B49', '1;2p']),
  geo: after([
    'geo:1.5,-2',
    'geo:91,0',
    '52.52,13.405',
    'geo:1,2,3;crs=wgs84?q=',
    'geo:1,2;crs=moon',
    'geo:1,2?q=1,2(Ha',
    'geo:+1, 2?z=3&q=',
  ]),
  vcalendar,
  mecard: fields('MECARD:', ['N', 'N', 'TEL', 'TEL-AV', 'EMAIL', 'URL', 'ADR', 'ORG', 'TITLE', 'NOTE']),
};

/** Characters that payloads cannot have are left out. */
export const payloadOf = (dataType: DataType): fc.Arbitrary<string> =>
  fc.oneof({ weight: 9, arbitrary: ofType[dataType] }, { weight: 1, arbitrary: text });
