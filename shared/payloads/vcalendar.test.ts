import { expect, test } from 'vitest';
import { calendarFile, parseVcalendar } from './vcalendar.ts';

const event = (...lines: string[]): string =>
  ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', ...lines, 'END:VEVENT', 'END:VCALENDAR'].join('\r\n');
const times = (...lines: string[]) => {
  const { start, end, timeZone } = parseVcalendar(event(...lines)) ?? {};
  return [start, end, timeZone];
};

test('the first event of RFC 5545 section 4 is read', () => {
  expect(
    parseVcalendar(
      event(
        'DTSTAMP:19960704T120000Z',
        'UID:uid1@example.com',
        'ORGANIZER:mailto:jsmith@example.com',
        'DTSTART:19960918T143000Z',
        'DTEND:19960920T220000Z',
        'SUMMARY:Networld+Interop Conference',
        'DESCRIPTION:Networld+Interop Conference',
        '  and Exhibit\\nAtlanta World Congress Center\\n',
        ' Atlanta\\, Georgia',
      ),
    ),
  ).toEqual({
    title: 'Networld+Interop Conference',
    start: '1996-09-18T14:30:00Z',
    end: '1996-09-20T22:00:00Z',
    description: 'Networld+Interop Conference and Exhibit\nAtlanta World Congress Center\nAtlanta, Georgia',
  });
});

test.each([
  ['a time of anywhere', ['DTSTART:19980118T230000'], ['1998-01-18T23:00:00', undefined, undefined]],
  ['an instant', ['DTSTART:19980119T070000Z'], ['1998-01-19T07:00:00Z', undefined, undefined]],
  [
    'a time of a zone',
    ['DTSTART;TZID=America/New_York:19980119T020000', 'DTEND;TZID=America/New_York:19980119T030000'],
    ['1998-01-19T02:00:00', '1998-01-19T03:00:00', 'America/New_York'],
  ],
  [
    'a day',
    ['DTSTART;VALUE=DATE:19971102', 'DTEND;VALUE=DATE:19971103'],
    ['1997-11-02', '1997-11-03', undefined],
  ],
  ['no seconds', ['DTSTART:19980118T2300'], ['1998-01-18T23:00:00', undefined, undefined]],
  ['a leap second', ['DTSTART:20161231T235960Z'], ['2016-12-31T23:59:59Z', undefined, undefined]],
  [
    'a duration',
    ['DTSTART:19970714T083000Z', 'DURATION:P15DT5H0M20S'],
    ['1997-07-14T08:30:00Z', '1997-07-29T13:30:20Z', undefined],
  ],
  ['weeks', ['DTSTART;VALUE=DATE:20260101', 'DURATION:P7W'], ['2026-01-01', '2026-02-19', undefined]],
  ['an end before the start', ['DTSTART:20260102', 'DTEND:20260101'], ['2026-01-02', undefined, undefined]],
  [
    'an end of another form',
    ['DTSTART:20260102', 'DTEND:20260103T100000Z'],
    ['2026-01-02', undefined, undefined],
  ],
  ['a day that is none', ['DTSTART:20260230'], [undefined, undefined, undefined]],
  ['an hour that is none', ['DTSTART:20260203T250000'], [undefined, undefined, undefined]],
])('%s', (_, lines, expected) => {
  expect(times(...lines)).toEqual(expected);
});

test("an alarm's description is not the event's; a second event is not shown", () => {
  const parsed = parseVcalendar(
    event(
      'DTSTART:20260101T100000Z',
      'BEGIN:VALARM',
      'DESCRIPTION:wake up',
      'END:VALARM',
      'SUMMARY:First',
      'END:VEVENT',
      'BEGIN:VEVENT',
      'SUMMARY:Second',
    ),
  );
  expect(parsed).toEqual({ title: 'First', start: '2026-01-01T10:00:00Z' });
});

test('the file of a bare event is a calendar with everything RFC 5545 requires', () => {
  const payload = 'BEGIN:VEVENT\nSUMMARY:Tea\nDTSTART:20260101T100000Z\nEND:VEVENT';
  const file = calendarFile(payload, '1'.repeat(32));
  expect(file).toMatch(
    /^BEGIN:VCALENDAR\r\nVERSION:2\.0\r\nPRODID:.*\r\nBEGIN:VEVENT\r\nUID:1{32}\r\nDTSTAMP:.*\r\nSUMMARY:Tea\r\nDTSTART:20260101T100000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n$/,
  );
  expect(parseVcalendar(file)).toEqual(parseVcalendar(payload));
});

test('a whole calendar is unchanged except for its line ends', () => {
  const payload = event('UID:1', 'DTSTAMP:20260101T000000Z', 'DTSTART:20260101T100000Z');
  expect(calendarFile(payload.replaceAll('\r\n', '\n'), 'x')).toBe(`${payload}\r\n`);
});
