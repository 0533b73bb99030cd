/** Routing rules: the first whose condition matches the scan decides. */
import type { FurtherCondition, RoutingCondition } from '#schemas/code-record.ts';
import type { Device, OperatingSystem } from '#schemas/scan-event.ts';
import { isInRange, preferredLanguages } from './preferred-languages.ts';
import { scanParameter } from './scan-query.ts';
import { wallClock } from './wall-clock.ts';

/** What takes work to read: asked only for a code whose rules or parameters need it. */
export interface AskedScan {
  /** The header Accept-Language. */
  acceptLanguage(): string;
  /** The query of the scanned URL, without the question mark. */
  query(): string;
}

/** What conditions look at. */
export interface MatchedScan {
  nowMs: number;
  /** ISO 3166-1 alpha-2, upper case; empty if unknown. */
  country: string;
  device: Device;
  os: OperatingSystem;
  /** Empty if unknown. */
  browser: string;
  asked: AskedScan;
}

const lists = <T>(values: readonly T[] | undefined, value: T): boolean =>
  values === undefined || values.includes(value);

const speaks = (ranges: readonly string[], scan: MatchedScan): boolean =>
  preferredLanguages(scan.asked.acceptLanguage()).some((tag) =>
    ranges.some((range) => isInRange(tag, range)),
  );

/** Whether the scan has the parameter with one of the values. @param wanted true: any value */
export const hasParameter = (name: string, wanted: true | readonly string[], scan: MatchedScan): boolean => {
  const value = scanParameter(scan.asked.query(), name);
  return value !== undefined && (wanted === true || wanted.includes(value));
};

/** A span that passes midnight belongs to the day on which it begins. */
const isWithin = (
  { days, fromMinute, toMinute, timeZone }: NonNullable<FurtherCondition['time']>,
  { nowMs }: MatchedScan,
): boolean => {
  const clock = wallClock(timeZone, nowMs);
  if (clock === undefined) return false;
  const { weekday, minute } = clock;
  if (fromMinute < toMinute) return minute >= fromMinute && minute < toMinute && lists(days, weekday);
  if (minute >= fromMinute) return lists(days, weekday);
  return minute < toMinute && lists(days, (weekday + 6) % 7);
};

type Check<Key extends keyof FurtherCondition> = (
  wanted: NonNullable<FurtherCondition[Key]>,
  scan: MatchedScan,
) => boolean;

/** Of each further condition. */
export const furtherChecks: { readonly [Key in keyof Required<FurtherCondition>]: Check<Key> } = {
  afterMs: (atMs, { nowMs }) => nowMs >= atMs,
  beforeMs: (atMs, { nowMs }) => nowMs < atMs,
  browser: (names, { browser }) => names.includes(browser.toLowerCase()),
  time: isWithin,
  language: speaks,
  query: (names, scan) => Object.entries(names).every(([name, wanted]) => hasParameter(name, wanted, scan)),
};

const furtherKeys = Object.keys(furtherChecks) as (keyof FurtherCondition)[];

const holds = <Key extends keyof FurtherCondition>(
  key: Key,
  wanted: FurtherCondition[Key],
  scan: MatchedScan,
): boolean => wanted === undefined || furtherChecks[key](wanted as NonNullable<FurtherCondition[Key]>, scan);

/** An absent part of a condition matches every scan. */
export const matches = ({ country, device, os, further }: RoutingCondition, scan: MatchedScan): boolean =>
  lists(country, scan.country) &&
  lists(device, scan.device) &&
  lists(os, scan.os) &&
  (further === undefined || furtherKeys.every((key) => holds(key, further[key], scan)));
