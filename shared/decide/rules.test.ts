import { describe, expect, test } from 'vitest';
import type { FurtherCondition } from '#schemas/code-record.ts';
import { isInRange, preferredLanguages } from './preferred-languages.ts';
import { matches } from './rules.ts';

const scan = {
  nowMs: 0,
  country: '',
  device: 'mobile',
  os: 'ios',
  browser: '',
  asked: { acceptLanguage: () => '', query: () => '' },
} as const;

describe('the preferred languages of a header', () => {
  test.each([
    ['', []],
    ['*', []],
    ['de', ['de']],
    ['de-CH, de;q=0.9, en;q=0.8', ['de-ch']],
    ['en;q=0.5 , fr;q=0.7', ['fr']],
    ['de, fr', ['de', 'fr']],
    ['de;q=0', []],
    ['de;q=0, en;q=0.1', ['en']],
    ['de;q=0.0, de-CH;q=0.3', ['de-ch']],
    ['iw-IL', ['he-il']],
    ['de;q=2, fr;q=abc, en;q=0.2', ['en']],
    ['constructor, __proto__', []],
  ])('%j are %j: those of the highest quality, and none of quality 0', (header, languages) => {
    expect(preferredLanguages(header)).toEqual(languages);
  });

  test('end with the last whole entry of 200 characters', () => {
    const filler = `${'en;q=0.1,'.repeat(21)}en;q=0.1`;
    expect(preferredLanguages(`${filler},de`)).toEqual(['de']);
    // Cut in the middle of `de;q=0.1`, the entry would have the quality 1.
    expect(preferredLanguages(`${'en;q=0.1,'.repeat(21)}aaaaa;q=1,de;q=0.1`)).toEqual(['aaaaa']);
  });
});

test('a range has the tags that it begins, subtag by subtag', () => {
  expect(isInRange('de-ch', 'de')).toBe(true);
  expect(isInRange('de', 'de')).toBe(true);
  expect(isInRange('de', 'de-ch')).toBe(false);
  expect(isInRange('den', 'de')).toBe(false);
});

test('what takes work is read only if a rule asks for it', () => {
  const boom = (): never => {
    throw new Error('read');
  };
  const asked = { acceptLanguage: boom, query: boom };
  expect(matches({ country: ['DE'], further: { language: ['de'] } }, { ...scan, asked })).toBe(false);
  expect(matches({ further: { afterMs: 0 } }, { ...scan, asked })).toBe(true);
  expect(() => matches({ further: { language: ['de'] } }, { ...scan, asked })).toThrow('read');
});

describe('a time span', () => {
  const open = (time: NonNullable<FurtherCondition['time']>, at: string) =>
    matches({ further: { time } }, { ...scan, nowMs: Date.parse(at) });

  test('has its first minute and not its last one', () => {
    const time = { fromMinute: 540, toMinute: 1050, timeZone: 'Europe/Berlin' };
    expect(open(time, '2026-07-01T06:59:59.999Z')).toBe(false);
    expect(open(time, '2026-07-01T07:00:00.000Z')).toBe(true);
    expect(open(time, '2026-07-01T15:29:59.999Z')).toBe(true);
    expect(open(time, '2026-07-01T15:30:00.000Z')).toBe(false);
  });

  test('that passes midnight belongs to the day on which it begins', () => {
    // 2026-07-03 is a Friday.
    const time = { days: [5], fromMinute: 1320, toMinute: 120, timeZone: 'UTC' };
    expect(open(time, '2026-07-03T01:00:00Z')).toBe(false);
    expect(open(time, '2026-07-03T22:00:00Z')).toBe(true);
    expect(open(time, '2026-07-04T01:59:00Z')).toBe(true);
    expect(open(time, '2026-07-04T02:00:00Z')).toBe(false);
    expect(open(time, '2026-07-04T22:00:00Z')).toBe(false);
  });

  test('in a zone that this release does not know never matches', () => {
    expect(open({ fromMinute: 0, toMinute: 1440, timeZone: 'Mars/Olympus' }, '2026-07-03T00:00:00Z')).toBe(
      false,
    );
  });
});
