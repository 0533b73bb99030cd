/**
 * Times, countries and numbers in the words of a language. Formatters are created once: creating one takes longer than
 * a page.
 */
import type { Language } from '#shared/languages.ts';
import { unbroken } from '../content/unbroken.ts';

export interface Formats {
  /** Such as "22 November 2026 at 19:52 UTC": only the visitor's device knows its zone. */
  date(atMs: number): string;
  /** Such as "2 minutes ago"; undefined below a minute. @param ageMs at least 0 */
  ago(ageMs: number): string | undefined;
  /** @param code ISO 3166-1 alpha-2, in upper case; any other text has no name */
  country(code: string): string | undefined;
  number(value: number): string;
}

const minuteMs = 60_000;
/** Largest first. A month is the Gregorian calendar's mean. */
const units: readonly (readonly [Intl.RelativeTimeFormatUnit, ms: number])[] = [
  ['year', 365.2425 * 1440 * minuteMs],
  ['month', (365.2425 / 12) * 1440 * minuteMs],
  ['day', 1440 * minuteMs],
  ['hour', 60 * minuteMs],
  ['minute', minuteMs],
];

/** "11/3" is two different days: English dates use an unambiguous form. */
const dateLocale = (language: Language): string => (language === 'en' ? 'en-GB' : language);

export const createFormats = (language: Language): Formats => {
  const dates = new Intl.DateTimeFormat(dateLocale(language), {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    // Numbers of the catalogues are Latin ones in every language.
    numberingSystem: 'latn',
    timeZone: 'UTC',
    timeZoneName: 'short',
  });
  const ages = new Intl.RelativeTimeFormat(`${language}-u-nu-latn`, { numeric: 'always' });
  const countries = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
  const numbers = new Intl.NumberFormat(language, { numberingSystem: 'latn' });
  return {
    date: (atMs) => unbroken(dates.format(atMs)),
    ago(ageMs) {
      const unit = units.find(([, ms]) => ageMs >= ms);
      // Hebrew has a word for one and for two, and its data repeat the number in brackets.
      return unit && ages.format(-Math.floor(ageMs / unit[1]), unit[0]).replace(/ \(\d\)$/, '');
    },
    country: (code) => (/^[A-Z]{2}$/.test(code) ? countries.of(code) : undefined),
    number: (value) => numbers.format(value),
  };
};
