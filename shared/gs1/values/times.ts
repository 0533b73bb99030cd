/** Days and times of day within values. */
import { type ContentRule, type Wrong, wrong } from './wrong.ts';

const daysIn = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

/** @param at the index of the month's first digit */
const checkMonthAndDay = (text: string, at: number, year: number, dayMin: number): Wrong | undefined => {
  const month = Number(text.slice(at, at + 2));
  if (month < 1 || month > 12)
    return wrong(at, 'The date contains an illegal month of the year.', 'a month from 01 to 12');
  const day = Number(text.slice(at + 2, at + 4));
  const last = daysIn(year, month);
  if (day >= dayMin && day <= last) return undefined;
  const expected = `a day from ${String(dayMin).padStart(2, '0')} to ${last}`;
  return wrong(at + 2, 'The date contains an illegal day of the month.', expected);
};

/** The century does not matter: of the possible ones, only 2000 ends in 00, and it has a 29 February. */
const shortYear = (text: string): number => 2000 + Number(text.slice(0, 2));

export const yymmdd: ContentRule = (text) => checkMonthAndDay(text, 2, shortYear(text), 1);

/** Day 00 means the whole month, or its end. */
export const yymmd0: ContentRule = (text) => checkMonthAndDay(text, 2, shortYear(text), 0);

export const yyyymmdd: ContentRule = (text) => checkMonthAndDay(text, 4, Number(text.slice(0, 4)), 1);

const twoDigits =
  (name: string, max: number): ContentRule =>
  (text) =>
    Number(text.slice(0, 2)) > max
      ? wrong(0, `The time contains an illegal ${name}.`, `00 to ${max}`)
      : undefined;

export const hour = twoDigits('hour', 23);
export const minute = twoDigits('minute', 59);
export const second = twoDigits('seconds', 59);

export const hourAndMinute: ContentRule = (text) => {
  const inMinute = minute(text.slice(2));
  return hour(text) ?? (inMinute && { ...inMinute, position: 2 });
};
