/** An event: when and where, and a file for the calendar. */
import { type CalendarEvent, calendarFile, parseVcalendar } from '#shared/payloads/vcalendar.ts';
import { type Element, element } from './elements.ts';
import { card, fileButton, fileName, hint, row, type Show, webLink } from './fragments.ts';

const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' });
const dateAndTime = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'full',
  timeStyle: 'short',
  timeZone: 'UTC',
});

const dayMs = 86_400_000;

/** The end of an all-day event is exclusive: it ends on the day before. */
const daysText = (start: string, end: string | undefined): string =>
  date.formatRange(new Date(start), new Date(end ? Date.parse(end) - dayMs : start));

/** The time in the event's own zone, with the zone's name. The page's script shows an instant in the reader's zone. */
const whenText = ({ start, end = start, timeZone }: CalendarEvent): string | Element => {
  if (!start.includes('T')) return daysText(start, end === start ? undefined : end);
  const isInstant = start.endsWith('Z');
  const [from, to] = [start, end].map((iso) => new Date(isInstant ? iso : `${iso}Z`));
  const text = dateAndTime.formatRange(from!, to!);
  if (isInstant) return element('span', { 'data-start': start, 'data-end': end }, `${text} UTC`);
  return timeZone ? `${text} (${timeZone.replaceAll('_', ' ')})` : text;
};

export const showVcalendar: Show = (payload, uid) => {
  const event = parseVcalendar(payload);
  if (!event) return undefined;
  const file = calendarFile(payload, uid());
  return {
    title: event.title,
    body: [
      card(
        row('When', whenText(event)),
        row('Where', event.location && webLink(event.location)),
        row('About', event.description),
      ),
      fileButton(fileName(event.title, 'ics'), 'text/calendar', file, 'Add to calendar'),
      hint('Open the file when it is saved: your phone adds it to your calendar.'),
    ],
  };
};
