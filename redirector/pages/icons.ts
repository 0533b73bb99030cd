/** Line drawings on a grid of 24, in the colour of the text around them. */
import { raw } from 'hono/html';

const draw = (shapes: string) =>
  raw(
    '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.7" stroke-linecap="round" ' +
      `stroke-linejoin="round" aria-hidden="true">${shapes}</svg>`,
  );

export const icons = {
  app: draw('<rect x="6.5" y="2.5" width="11" height="19" rx="3"/><path d="M11 18.3h2"/>'),
  calendar: draw('<rect x="3.5" y="5" width="17" height="15.5" rx="3"/><path d="M3.5 10h17M8 3v4M16 3v4"/>'),
  clock: draw('<circle cx="12" cy="12" r="9"/><path d="M12 7v5l3.4 2"/>'),
  key: draw(
    '<circle cx="8" cy="16" r="4.5"/><path d="m11.2 12.8 8.6-8.6M16.3 7.7l2.8 2.8M13.6 10.4l1.8 1.8"/>',
  ),
  lock: draw('<rect x="4.5" y="10.5" width="15" height="10" rx="3"/><path d="M8 10.5V7a4 4 0 0 1 8 0v3.5"/>'),
  /** A finder pattern and a cross. */
  lost: draw(
    '<rect x="3" y="3" width="8.5" height="8.5" rx="2.2"/><path d="M7.25 7.25h.01M4 16v4.5h4.5M16 3.5h4.5V8"/>' +
      '<path d="m15 15 5.5 5.5m0-5.5L15 20.5"/>',
  ),
  mail: draw('<rect x="3" y="5" width="18" height="14" rx="3"/><path d="m4 7.2 8 5.8 8-5.8"/>'),
  message: draw(
    '<path d="M4 6.8A2.8 2.8 0 0 1 6.8 4h10.4A2.8 2.8 0 0 1 20 6.8v6.4a2.8 2.8 0 0 1-2.8 2.8H11l-4.4 4v-4A2.7 2.7 0 0 1 4 13.2z"/>',
  ),
  off: draw('<path d="M12 3v8.5M6.7 6.8a8 8 0 1 0 10.6 0"/>'),
  person: draw('<circle cx="12" cy="8" r="4"/><path d="M4.2 20.5c.7-3.9 3.8-6 7.8-6s7.1 2.1 7.8 6"/>'),
  phone: draw(
    '<path d="M6 3.5h2.6c.5 0 .9.3 1 .8l.8 3c.1.5 0 .9-.4 1.2L8.4 9.8a13 13 0 0 0 5.8 5.8l1.3-1.6c.3-.4.7-.5 1.2-.4l3 .8c.5.1.8.5.8 1V18c0 1.5-1.2 2.6-2.7 2.5A16 16 0 0 1 3.5 6.2C3.4 4.7 4.5 3.5 6 3.5z"/>',
  ),
  pin: draw(
    '<path d="M12 21s7-6.2 7-11.5a7 7 0 0 0-14 0C5 14.8 12 21 12 21z"/><circle cx="12" cy="9.5" r="2.5"/>',
  ),
  text: draw('<path d="M5 6h14M5 10.5h14M5 15h14M5 19.5h8"/>'),
  wifi: draw(
    '<path d="M2.5 9a14 14 0 0 1 19 0M5.8 12.7a9 9 0 0 1 12.4 0M9 16.3a4.4 4.4 0 0 1 6 0M12 19.8h.01"/>',
  ),
} as const;
