/** The window of a query, and the rows of a time series in it. */
import {
  type Moment,
  type WindowQuery,
  windowDaysDefault,
  windowDaysMax,
} from '#schemas/api/scan-filters.ts';
import type { AnalyticsInterval } from '#schemas/api/workspace-analytics.ts';
import { ClientError } from '#shared/errors.ts';
import {
  addDays,
  type Calendar,
  calendarOf,
  dayMs,
  hourMs,
  quarterMs,
  startOf,
} from '../../codes/analytics/calendar.ts';

/** `fromMs` is inside, `toMs` is not. */
export interface ScanWindow {
  fromMs: number;
  toMs: number;
}

const invalid = (message: string): ClientError => new ClientError('INVALID_REQUEST', message);

/** A window of days is longer than 24 hours each if a clock is set back in it. */
const windowMsMax = windowDaysMax * dayMs + hourMs;

export const beginOf = (moment: Moment, dayAt: Calendar): number =>
  'day' in moment ? startOf(moment.day, dayAt) : moment.ms;

export const endOf = (moment: Moment, dayAt: Calendar): number =>
  'day' in moment ? startOf(addDays(moment.day, 1), dayAt) : moment.ms;

/** @throws {ClientError} INVALID_REQUEST if the window ends before it begins, or is too long */
export const windowAt = ({ days, from, to, timezone }: WindowQuery, now: Date): ScanWindow => {
  const dayAt = calendarOf(timezone);
  const today = dayAt(now.getTime());
  const first = from ?? { day: addDays(today, 1 - (days ?? windowDaysDefault)) };
  const window = { fromMs: beginOf(first, dayAt), toMs: endOf(to ?? { day: today }, dayAt) };
  if (window.toMs <= window.fromMs) throw invalid('to must be after from');
  if (window.toMs - window.fromMs > windowMsMax)
    throw invalid(`from and to must be at most ${windowDaysMax} days apart`);
  return window;
};

/** The window before, which has as many days of the zone if it consists of days, and else the same length. */
export const windowBefore = ({ fromMs, toMs }: ScanWindow, timezone: string): ScanWindow => {
  const dayAt = calendarOf(timezone);
  const [first, after] = [dayAt(fromMs), dayAt(toMs)];
  const isOfDays = startOf(first, dayAt) === fromMs && startOf(after, dayAt) === toMs;
  if (!isOfDays) return { fromMs: 2 * fromMs - toMs, toMs: fromMs };
  const days = (Date.parse(after) - Date.parse(first)) / dayMs;
  return { fromMs: startOf(addDays(first, -days), dayAt), toMs: fromMs };
};

export const isOfQuarters = ({ fromMs, toMs }: ScanWindow): boolean =>
  fromMs % quarterMs === 0 && toMs % quarterMs === 0;

export const isOfUtcDays = ({ fromMs, toMs }: ScanWindow): boolean =>
  fromMs % dayMs === 0 && toMs % dayMs === 0;

/** The hours of a day on which the clock is set: an hour that comes twice has two rows. */
const unevenHours = (fromMs: number, toMs: number, timezone: string): number[] => {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: timezone, hour: '2-digit', minute: '2-digit' });
  const starts: number[] = [];
  let before = '';
  for (let ms = fromMs; ms < toMs; ms += quarterMs) {
    const [hour = '', minute] = format.format(ms).split(':');
    if (hour !== before || minute === '00') starts.push(ms);
    before = hour;
  }
  return starts;
};

const hoursOf = (fromMs: number, toMs: number, timezone: string): number[] =>
  toMs - fromMs === dayMs
    ? Array.from({ length: 24 }, (_, hour) => fromMs + hour * hourMs)
    : unevenHours(fromMs, toMs, timezone);

const isMonday = (day: string): boolean => new Date(day).getUTCDay() === 1;

/** Where the rows of a window begin, the first one with the window. */
export const rowStarts = (
  { fromMs, toMs }: ScanWindow,
  interval: AnalyticsInterval,
  timezone: string,
): number[] => {
  const dayAt = calendarOf(timezone);
  const starts: number[] = [];
  let day = dayAt(fromMs);
  for (let beginMs = startOf(day, dayAt); beginMs < toMs; ) {
    const next = addDays(day, 1);
    const endMs = startOf(next, dayAt);
    if (interval === 'hour') starts.push(...hoursOf(beginMs, endMs, timezone));
    else if (interval === 'day' || (interval === 'week' ? isMonday(day) : day.endsWith('-01')))
      starts.push(beginMs);
    day = next;
    beginMs = endMs;
  }
  return [fromMs, ...starts.filter((ms) => ms > fromMs && ms < toMs)];
};
