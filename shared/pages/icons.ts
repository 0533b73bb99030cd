/** Icons of all pages, on a grid of 24, two pixels wide, in the colour of the text around them. */
import { raw } from 'hono/html';
import type { Html } from './html.ts';

/** For marks of brands. */
export const solid = (shapes: string): Html =>
  raw(`<svg viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">${shapes}</svg>`);

export const line = (shapes: string, attributes = ''): Html =>
  raw(
    `<svg${attributes} viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" ` +
      `stroke-linejoin="round" aria-hidden="true">${shapes}</svg>`,
  );

export const icons = {
  /** Points towards a text's destination; mirrored in right-to-left text. */
  arrow: line('<path d="m9 6 6 6-6 6"/>', ' class="arrow"'),
  /** Points to where a visitor came from; mirrored as well. */
  back: line('<path d="m15 6-6 6 6 6"/>', ' class="arrow"'),
  mail: line('<rect x="2" y="4" width="20" height="16" rx="3.5"/><path d="m3 7.5 9 6 9-6"/>'),
  phone: line(
    '<path d="M6 3h2.6a1.3 1.3 0 0 1 1.3 1l.8 3.4a1.3 1.3 0 0 1-.4 1.3L8.5 10.3a13.5 13.5 0 0 0 5.2 5.2l1.6-1.8a1.3 1.3 0 0 1 1.3-.4l3.4.8a1.3 1.3 0 0 1 1 1.3V18a3 3 0 0 1-3.2 3A17 17 0 0 1 3 6.2 3 3 0 0 1 6 3z"/>',
  ),
  filter: line('<path d="M4 7h16M7 12h10m-7 5h4"/>'),
  close: line('<path d="m6 6 12 12M18 6 6 18"/>'),
  /** A finder pattern and a cross. */
  lost: line(
    '<rect x="3" y="3" width="8" height="8" rx="2.2"/><path d="M7 7h.01M4 16v4.5h4.5M16 3.5h4.5V8m-5.5 7 5.5 5.5m0-5.5L15 20.5"/>',
  ),
  pause: line('<circle cx="12" cy="12" r="9.5"/><path d="M9.8 8.8v6.4m4.4-6.4v6.4"/>'),
  clock: line('<circle cx="12" cy="12" r="9.5"/><path d="M12 6.5V12l3.5 2"/>'),
  fault: line('<circle cx="12" cy="12" r="9.5"/><path d="M12 7v6m0 3.5h.01"/>'),
  done: line('<circle cx="12" cy="12" r="9.5"/><path d="m8 12.3 2.8 2.7 5.2-5.7"/>'),
  app: line('<rect x="6.5" y="2.5" width="11" height="19" rx="3"/><path d="M11 18.3h2"/>'),
  calendar: line('<rect x="3.5" y="5" width="17" height="15.5" rx="3"/><path d="M3.5 10h17M8 3v4M16 3v4"/>'),
  key: line(
    '<circle cx="8" cy="16" r="4.5"/><path d="m11.2 12.8 8.6-8.6M16.3 7.7l2.8 2.8M13.6 10.4l1.8 1.8"/>',
  ),
  lock: line('<rect x="4.5" y="10.5" width="15" height="10" rx="3"/><path d="M8 10.5V7a4 4 0 0 1 8 0v3.5"/>'),
  /** A fork and a knife. */
  meal: line('<path d="M5.5 3v5a3 3 0 0 0 6 0V3m-3 0v18M18.5 14V3c-2.2 1.2-3.5 4.2-3.5 7.5V14zm0 0v7"/>'),
  message: line(
    '<path d="M4 6.8A2.8 2.8 0 0 1 6.8 4h10.4A2.8 2.8 0 0 1 20 6.8v6.4a2.8 2.8 0 0 1-2.8 2.8H11l-4.4 4v-4A2.7 2.7 0 0 1 4 13.2z"/>',
  ),
  off: line('<path d="M12 3v8.5M6.7 6.8a8 8 0 1 0 10.6 0"/>'),
  person: line('<circle cx="12" cy="8" r="4"/><path d="M4.2 20.5c.7-3.9 3.8-6 7.8-6s7.1 2.1 7.8 6"/>'),
  pin: line(
    '<path d="M12 21s7-6.2 7-11.5a7 7 0 0 0-14 0C5 14.8 12 21 12 21z"/><circle cx="12" cy="9.5" r="2.5"/>',
  ),
  product: line(
    '<path d="M3.5 12.5V5a1.5 1.5 0 0 1 1.5-1.5h7.5l8 8a1.5 1.5 0 0 1 0 2.1l-6.9 6.9a1.5 1.5 0 0 1-2.1 0z"/><path d="M8 8h.01"/>',
  ),
  text: line('<path d="M5 6h14M5 10.5h14M5 15h14M5 19.5h8"/>'),
  wifi: line(
    '<path d="M2.5 9a14 14 0 0 1 19 0M5.8 12.7a9 9 0 0 1 12.4 0M9 16.3a4.4 4.4 0 0 1 6 0M12 19.8h.01"/>',
  ),
} as const;
