/** A sealed event: when and where, and a file for the calendar. */
import { fileButton } from './sealed-file.js';
import { card, linkTo, make, row, unescaped, views, webUrl } from './sealed-views.js';

/** The lines directly in the first VEVENT: an alarm inside it has a description of its own. */
const eventLines = (text) => {
  const open = [];
  const found = [];
  for (const line of text
    .trim()
    .replace(/\r\n?/g, '\n')
    .replace(/\n[ \t]/g, '')
    .split('\n')) {
    const [, name, value] = /^(BEGIN|END):\s*(\w+)/i.exec(line) ?? [];
    if (name?.toUpperCase() === 'BEGIN') open.push(value.toUpperCase());
    else if (name) {
      if (open.pop() === 'VEVENT') return found;
    } else if (open[open.length - 1] === 'VEVENT') found.push(line);
  }
  return found;
};

const dateTime = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)?(Z)?)?$/i;
const dayMs = 86_400_000;

/** A date, a time on some clock, or an instant; undefined for anything else. */
const readTime = (value) => {
  const [, year, month, day, hour, minute, second = '00', utc] = dateTime.exec(value?.trim()) ?? [];
  if (!year) return undefined;
  const ms = Date.parse(`${year}-${month}-${day}T${hour ?? '00'}:${minute ?? '00'}:${second}Z`);
  return Number.isNaN(ms) ? undefined : { ms, isDay: !hour, isInstant: Boolean(utc) };
};

/** An instant is shown on the reader's clock, a time on the clock of its own zone, which is named. */
const whenText = (start, end, zone) => {
  const isSame = end && end.isDay === start.isDay && end.isInstant === start.isInstant && end.ms > start.ms;
  const timeZone = start.isInstant ? {} : { timeZone: 'UTC' };
  if (start.isDay) {
    const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' });
    return format.formatRange(start.ms, isSame ? end.ms - dayMs : start.ms);
  }
  const format = new Intl.DateTimeFormat(start.isInstant ? undefined : 'en-GB', {
    dateStyle: 'full',
    timeStyle: 'short',
    ...timeZone,
  });
  const text = format.formatRange(start.ms, isSame ? end.ms : start.ms);
  return zone && !start.isInstant ? `${text} (${zone.replace(/^\//, '').replaceAll('_', ' ')})` : text;
};

/** As calendars import it: CRLF line ends, and a VCALENDAR around it, with the UID and DTSTAMP that RFC 5545 demands. */
const calendarFile = (text) => {
  const lines = text.trim().split(/\r\n?|\n/);
  const begin = lines.findIndex((line) => /^BEGIN:VEVENT\s*$/i.test(line));
  const has = (name) => lines.some((line) => new RegExp(`^${name}[:;]`, 'i').test(line));
  const missing = [
    ...(has('UID') ? [] : [`UID:${crypto.randomUUID()}`]),
    ...(has('DTSTAMP') ? [] : ['DTSTAMP:20000101T000000Z']),
  ];
  lines.splice(begin + 1, 0, ...missing);
  const isWhole = /^BEGIN:VCALENDAR\s*$/i.test(lines[0]);
  const all = isWhole
    ? lines
    : ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Waymark//EN', ...lines, 'END:VCALENDAR'];
  return `${all.join('\r\n')}\r\n`;
};

const showEvent = (text) => {
  const lines = eventLines(text);
  const find = (name) =>
    lines.map((line) => new RegExp(`^${name}((?:;(?:"[^"]*"|[^":])*)?):(.*)$`, 'i').exec(line)).find(Boolean);
  const textOf = (name) => unescaped((find(name)?.[2] ?? '').replace(/\\n/gi, '\n')).trim();
  const start = readTime(find('DTSTART')?.[2]);
  if (!start) return undefined;
  const zone = /;TZID="?([^";:]*)/i.exec(find('DTSTART')[1])?.[1];
  const title = textOf('SUMMARY') || 'Event';
  const place = textOf('LOCATION');
  const url = webUrl(place);
  return {
    title,
    content: [
      card(
        row('When', whenText(start, readTime(find('DTEND')?.[2]), zone)),
        row('Where', url ? linkTo(url.href, url.href) : place),
        row('About', textOf('DESCRIPTION')),
      ),
      fileButton(title, 'ics', 'text/calendar', calendarFile(text), 'Add to calendar'),
      make('p', { class: 'hint' }, 'Open the file when it is saved: your phone adds it to your calendar.'),
    ],
  };
};

views.vcalendar = showEvent;
