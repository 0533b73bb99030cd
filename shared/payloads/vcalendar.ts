/** The first VEVENT of an iCalendar object (RFC 5545), with or without its VCALENDAR. */
import { type ContentLine, parseContentLines, unescapeText } from './content-lines.ts';

export interface CalendarEvent {
  title: string;
  /**
   * ISO 8601. `2026-07-04`: that whole day. `2026-07-04T18:00:00Z`: that instant. `2026-07-04T18:00:00`: that local
   * time in `timeZone`, or wherever the reader is.
   */
  start: string;
  /** In the same form as `start`; for whole days the day after the last, as in RFC 5545. */
  end?: string;
  location?: string;
  description?: string;
  /** The TZID, usually an IANA name such as `Europe/Berlin`. */
  timeZone?: string;
}

const dateTime = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)?(Z)?)?$/i;

/** `20260704T180000Z` → `2026-07-04T18:00:00Z`. Undefined for a text that is not a date. */
const toIso = (value: string): string | undefined => {
  const match = dateTime.exec(value.trim());
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second = '00', utc = ''] = match;
  const date = `${year}-${month}-${day}`;
  // A leap second is written as the second before it: JavaScript has no 60.
  const time = hour === undefined ? '' : `T${hour}:${minute}:${second === '60' ? '59' : second}`;
  const parsed = Date.parse(time ? `${date}${time}Z` : date);
  // The 31st of a 30-day month is parsed as the first of the next.
  if (Number.isNaN(parsed) || !new Date(parsed).toISOString().startsWith(date)) return undefined;
  return date + time + (time && utc.toUpperCase());
};

const durationParts =
  /^\+?P(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})S)?)?$/i;

/** The end after `duration` (RFC 5545, section 3.3.6), in the form of its start. */
const after = (start: string, duration: string): string | undefined => {
  const match = durationParts.exec(duration.trim());
  if (!match) return undefined;
  const [weeks, days, hours, minutes, seconds] = match.slice(1).map((digits) => Number(digits ?? 0));
  const lastsMs = ((((weeks! * 7 + days!) * 24 + hours!) * 60 + minutes!) * 60 + seconds!) * 1000;
  const endMs = Date.parse(/T[^Z]*$/.test(start) ? `${start}Z` : start) + lastsMs;
  // Years beyond 9999 have a sign, which readers do not know.
  if (lastsMs === 0 || Number.isNaN(endMs) || endMs > Date.UTC(9999, 11, 31)) return undefined;
  const iso = new Date(endMs).toISOString();
  if (!start.includes('T')) return iso.slice(0, 10);
  return start.endsWith('Z') ? `${iso.slice(0, 19)}Z` : iso.slice(0, 19);
};

/** The lines directly in the first VEVENT: an alarm inside it has its own description. */
const eventLines = (payload: string): ContentLine[] => {
  const open: string[] = [];
  const found: ContentLine[] = [];
  for (const line of parseContentLines(payload.trim())) {
    const value = line.value.trim().toUpperCase();
    if (line.name === 'BEGIN') open.push(value);
    else if (line.name === 'END') {
      if (open.pop() === 'VEVENT') return found;
    } else if (open[open.length - 1] === 'VEVENT') found.push(line);
  }
  return found;
};

/** Undefined if it is not after the start, or has another form or time zone. */
const endOf = (
  start: string,
  startLine: ContentLine,
  endLine: ContentLine | undefined,
  duration: string,
): string | undefined => {
  if (!endLine) return after(start, duration);
  const end = toIso(endLine.value);
  const sameZone = endLine.parameters.get('TZID') === startLine.parameters.get('TZID');
  return end && sameZone && end.length === start.length && end > start ? end : undefined;
};

/** @returns undefined if there is no event, or it has no start */
export const parseVcalendar = (payload: string): CalendarEvent | undefined => {
  const lines = eventLines(payload);
  const find = (name: string) => lines.find((line) => line.name === name);
  const text = (name: string): string => unescapeText(find(name)?.value ?? '').trim();
  const startLine = find('DTSTART');
  const start = startLine && toIso(startLine.value);
  if (!start) return undefined;
  const end = endOf(start, startLine, find('DTEND'), find('DURATION')?.value ?? '');
  const isLocal = start.includes('T') && !start.endsWith('Z');
  const timeZone = isLocal ? startLine.parameters.get('TZID')?.replace(/^\//, '') : undefined;
  const [location, description] = [text('LOCATION'), text('DESCRIPTION')];
  return {
    title: text('SUMMARY') || 'Event',
    start,
    ...(end && { end }),
    ...(location && { location }),
    ...(description && { description }),
    ...(timeZone && { timeZone }),
  };
};

const wrap = (event: string): string =>
  `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Waymark//EN\r\n${event}\r\nEND:VCALENDAR`;

/**
 * The payload as a file that calendars import: CRLF line ends, a VCALENDAR around it, and the UID and DTSTAMP that RFC
 * 5545 requires and codes omit for brevity.
 * @param uid the same for the same payload, so that adding an event twice does not duplicate it
 */
export const calendarFile = (payload: string, uid: string): string => {
  const lines = payload.trim().split(/\r\n?|\n/);
  const begin = lines.findIndex((line) => /^BEGIN:VEVENT\s*$/i.test(line));
  const has = (name: string) => lines.some((line) => new RegExp(`^${name}[:;]`, 'i').test(line));
  const missing = [
    ...(has('UID') ? [] : [`UID:${uid}`]),
    ...(has('DTSTAMP') ? [] : ['DTSTAMP:20000101T000000Z']),
  ];
  const text = [...lines.slice(0, begin + 1), ...missing, ...lines.slice(begin + 1)].join('\r\n');
  return `${/^BEGIN:VCALENDAR\s*$/i.test(lines[0]!) ? text : wrap(text)}\r\n`;
};
