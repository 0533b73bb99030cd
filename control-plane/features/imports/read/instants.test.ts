import fc from 'fast-check';
import { expect, test } from 'vitest';
import { instantOf } from './instants.ts';

test('an ISO 8601 instant with any offset is read as Date reads it', () => {
  const date = fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true });
  const offset = fc.tuple(fc.constantFrom('+', '-'), fc.nat(14), fc.constantFrom('00', '30', '45'));
  fc.assert(
    fc.property(date, offset, fc.constantFrom(':', ''), (at, [sign, hours, minutes], colon) => {
      const hour = String(hours).padStart(2, '0');
      const local = at.toISOString().slice(0, -1);
      const expected = Date.parse(`${local}${sign}${hour}:${minutes}`);
      expect(instantOf(`${local}${sign}${hour}${colon}${minutes}`)?.getTime()).toBe(expected);
      expect(instantOf(at.toISOString())).toEqual(at);
      expect(instantOf(String(at.getTime()).padStart(13, '0'))).toEqual(at);
    }),
  );
});

test.each([
  ['2019-06-14 09:21:07', '2019-06-14T09:21:07.000Z'],
  ['2019-06-14', '2019-06-14T00:00:00.000Z'],
  ['2016-11-14T17:14:48+0000', '2016-11-14T17:14:48.000Z'],
  ['1560504067', '2019-06-14T09:21:07.000Z'],
  ['2024-02-30', undefined],
  ['2024-02-29 24:00', undefined],
  ['31.12.2024', undefined],
  ['', undefined],
])('%j is read as %j', (text, expected) => {
  expect(instantOf(text)?.toISOString()).toBe(expected);
});
