/**
 * The wall clock of a time zone. Intl takes some 50 µs for one, so the offset of a zone is remembered for the time in which it
 * does not change: a day, or up to the change itself, to the second.
 */
import { createMemo } from '../memo.ts';

export interface WallClock {
  /** 0 is Sunday. */
  weekday: number;
  /** Of the day. */
  minute: number;
}

/** What is known of a zone: its offset from one moment to another. */
interface Known {
  fromMs: number;
  untilMs: number;
  offsetMs: number;
}

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const dayMs = 24 * 60 * minuteMs;
/** 1970-01-01 was a Thursday. */
const epochWeekday = 4;

/** There are fewer zones. */
const zonesMax = 1000;

const offset = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/;

/** @throws {RangeError} for an unknown zone */
const createOffsetOf = (timeZone: string): ((atMs: number) => number) => {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  return (atMs) => {
    const [, sign, hours = 0, minutes = 0, seconds = 0] = offset.exec(format.format(atMs)) ?? [];
    const ms = Number(hours) * 60 * minuteMs + Number(minutes) * minuteMs + Number(seconds) * secondMs;
    return sign === '-' ? -ms : ms;
  };
};

/** The first second with another offset than at `fromMs`, if it has another one at `untilMs`. */
const changeBetween = (offsetOf: (atMs: number) => number, fromMs: number, untilMs: number): number => {
  const before = offsetOf(fromMs);
  let [low, high] = [Math.floor(fromMs / secondMs), Math.ceil(untilMs / secondMs)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetOf(middle * secondMs) === before) low = middle;
    else high = middle;
  }
  return high * secondMs;
};

const find = (timeZone: string, atMs: number): Known => {
  const offsetOf = createOffsetOf(timeZone);
  const offsetMs = offsetOf(atMs);
  const end = atMs + dayMs;
  const untilMs = offsetOf(end) === offsetMs ? end : changeBetween(offsetOf, atMs, end);
  return { fromMs: atMs, untilMs, offsetMs };
};

const known = createMemo<string, Known>(zonesMax, () => ({ fromMs: 0, untilMs: 0, offsetMs: 0 }));

/**
 * @param timeZone an IANA name
 * @returns undefined for a zone that this release does not know
 */
export const wallClock = (timeZone: string, atMs: number): WallClock | undefined => {
  const zone = known.get(timeZone);
  if (atMs < zone.fromMs || atMs >= zone.untilMs) {
    try {
      Object.assign(zone, find(timeZone, atMs));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return undefined;
    }
  }
  const localMs = atMs + zone.offsetMs;
  const day = Math.floor(localMs / dayMs);
  return {
    weekday: (((day + epochWeekday) % 7) + 7) % 7,
    minute: Math.floor((localMs - day * dayMs) / minuteMs),
  };
};
