/**
 * An iCalendar object with one event (RFC 5545), as small as barcode readers accept: without UID and DTSTAMP, which
 * matter only to a calendar that receives the same event again.
 */
import type { FieldsOf } from '#schemas/api/payloads.ts';
import { escapeText } from './content-lines.ts';

const digits = (iso: string): string => iso.replace(/[-:]/g, '').replace(/\.\d+/, '');

/** `2030-01-31` → a day; with an offset → the instant in UTC; otherwise a local time. */
const moment = (property: string, text: string, timeZone: string | undefined): string => {
  if (text.length === 10) return `${property};VALUE=DATE:${digits(text)}`;
  if (/(Z|[+-]\d\d:\d\d)$/.test(text)) return `${property}:${digits(new Date(text).toISOString())}`;
  const local = new Date(`${text}Z`).toISOString().slice(0, 19);
  return `${property}${timeZone === undefined ? '' : `;TZID=${timeZone}`}:${digits(local)}`;
};

export const buildVcalendar = (event: FieldsOf<'vcalendar'>): string => {
  const property = (key: string, value: string | undefined): string[] =>
    value ? [`${key}:${escapeText(value)}`] : [];
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Waymark//EN',
    'BEGIN:VEVENT',
    ...property('SUMMARY', event.title),
    moment('DTSTART', event.start, event.timeZone),
    moment('DTEND', event.end, event.timeZone),
    ...property('LOCATION', event.location),
    ...property('DESCRIPTION', event.description),
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n');
};
