/** An event: when and where, a file for the calendar, and links to the calendars of the web. */

import { filled } from '#shared/pages/filled.ts';
import { type CalendarEvent, calendarFile, parseVcalendar } from '#shared/payloads/vcalendar.ts';
import { type Element, element } from './elements.ts';
import {
  button,
  card,
  fileButton,
  fileName,
  hint,
  row,
  type Show,
  type Viewer,
  webLink,
} from './fragments.ts';
import { unbroken } from './unbroken.ts';

const dayMs = 86_400_000;

/** English readers are of many countries: theirs is the date that all of them read in the same way. */
const localeOf = ({ language }: Pick<Viewer, 'language'>): string => (language === 'en' ? 'en-GB' : language);

/** The end of an all-day event is exclusive: it ends on the day before. */
const daysText = (start: string, end: string | undefined, locale: string): string =>
  new Intl.DateTimeFormat(locale, {
    dateStyle: 'full',
    numberingSystem: 'latn',
    timeZone: 'UTC',
  }).formatRange(new Date(start), new Date(end ? Date.parse(end) - dayMs : start));

/** The time in the event's own zone, with the zone's name. The page's script shows an instant in the reader's zone. */
const whenText = ({ start, end = start, timeZone }: CalendarEvent, locale: string): string | Element => {
  if (!start.includes('T')) return unbroken(daysText(start, end === start ? undefined : end, locale));
  const isInstant = start.endsWith('Z');
  const [from, to] = [start, end].map((iso) => new Date(isInstant ? iso : `${iso}Z`));
  const format = new Intl.DateTimeFormat(locale, {
    dateStyle: 'full',
    timeStyle: 'short',
    hourCycle: 'h23',
    numberingSystem: 'latn',
    timeZone: 'UTC',
  });
  const text = format.formatRange(from!, to!);
  if (isInstant) return element('span', { 'data-start': start, 'data-end': end }, unbroken(`${text} UTC`));
  return unbroken(timeZone ? `${text} (${timeZone.replaceAll('_', ' ')})` : text);
};

/** In characters of a field: servers refuse long links. */
const fieldLengthMax = 300;

/** `20260704T180000Z`, the form of RFC 5545. */
const compact = (iso: string): string => iso.replace(/[-:]/g, '');

/** A filled-in form of Google Calendar (its parameters are those of its own button generator). */
const googleCalendar = ({ title, start, end, location, description, timeZone }: CalendarEvent): string => {
  const wholeDayEnd = (): string => new Date(Date.parse(start) + dayMs).toISOString().slice(0, 10);
  const dates = [start, end ?? (start.includes('T') ? start : wholeDayEnd())].map(compact).join('/');
  const query = new URLSearchParams({ action: 'TEMPLATE', text: title.slice(0, fieldLengthMax), dates });
  if (timeZone && /^[A-Za-z]+\/[\w/+-]+$/.test(timeZone)) query.set('ctz', timeZone);
  if (location) query.set('location', location.slice(0, fieldLengthMax));
  if (description) query.set('details', description.slice(0, fieldLengthMax));
  return `https://calendar.google.com/calendar/render?${query}`;
};

export const showVcalendar: Show = (payload, viewer) => {
  const event = parseVcalendar(payload);
  if (!event) return undefined;
  const words = viewer.words.event;
  return {
    title: event.title,
    body: [
      card(
        row(words.when, whenText(event, localeOf(viewer))),
        row(words.where, event.location && webLink(event.location)),
        row(words.about, event.description),
      ),
      fileButton(
        fileName(event.title, 'ics'),
        'text/calendar',
        calendarFile(payload, viewer.uid()),
        words.add,
      ),
      button(googleCalendar(event), filled(words.addTo, { calendar: 'Google Calendar' }), 'second'),
      hint(words.hint),
    ],
  };
};
