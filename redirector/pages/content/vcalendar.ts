/** An event: when and where, and a file for the calendar. */
import { html } from 'hono/html';
import { type CalendarEvent, calendarFile, parseVcalendar } from '#shared/payloads/vcalendar.ts';
import type { Html } from '../layout.ts';
import { card, fileButton, fileName, row, type View, webLink } from './parts.ts';

const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' });
const dateAndTime = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'full',
  timeStyle: 'short',
  timeZone: 'UTC',
});

const dayMs = 86_400_000;

/** An event of whole days ends on the day before its end. */
const daysText = (start: string, end: string | undefined): string =>
  date.formatRange(new Date(start), new Date(end ? Date.parse(end) - dayMs : start));

/** The time in the event's own zone, with the zone's name. The page's script shows an instant in the reader's zone. */
const whenText = ({ start, end = start, timeZone }: CalendarEvent): string | Html => {
  if (!start.includes('T')) return daysText(start, end === start ? undefined : end);
  const isInstant = start.endsWith('Z');
  const [from, to] = [start, end].map((iso) => new Date(isInstant ? iso : `${iso}Z`));
  const text = dateAndTime.formatRange(from!, to!);
  if (isInstant) return html`<span data-start="${start}" data-end="${end}">${text} UTC</span>`;
  return timeZone ? `${text} (${timeZone.replaceAll('_', ' ')})` : text;
};

export const showVcalendar = (payload: string): View => {
  const event = parseVcalendar(payload);
  if (!event) return undefined;
  return {
    icon: 'calendar',
    title: event.title,
    body: html`${card(
      row('When', whenText(event)),
      row('Where', event.location && webLink(event.location)),
      row('About', event.description),
    )}
${fileButton(fileName(event.title, 'ics'), 'text/calendar', calendarFile(payload), 'Add to calendar')}
<p class="hint">Open the file when it is saved: your phone adds it to your calendar.</p>`,
  };
};
