/** The buttons of a page about an item: to register it, to ask the brand, and to the brand's site. */
import { html } from 'hono/html';
import type { Html } from '#shared/pages/html.ts';
import { icons } from '#shared/pages/icons.ts';
import type { Words } from '#shared/pages/words.ts';
import { around } from '../brand.ts';
import { withBrand } from './cards.ts';
import type { ShownBatch } from './shown-batch.ts';
import type { VerificationState } from './words.ts';

const way = (url: URL, label: Html | string, isPrimary: boolean, icon?: Html): Html =>
  html`<a class="button${isPrimary && ' primary'}" href="${url.href}" rel="noreferrer">${icon}${label}</a>`;

/** A call or a letter should not come as a surprise. */
const contactIcons: Readonly<Record<string, Html>> = { 'tel:': icons.phone, 'mailto:': icons.mail };

/** An item that may be a copy, is recalled, stolen or returned is not to be registered. */
const registers: ReadonlySet<VerificationState> = new Set(['authentic', 'sameDevice']);
/** The brand has to be asked what to do with the item. */
const asksFirst: ReadonlySet<VerificationState> = new Set(['recalled', 'stolen', 'returned']);

/** Of a brand on a button: a longer one, in characters, would be a paragraph. */
const nameLengthMax = 40;

/** @param brand as shown */
export const waysOf = (
  state: VerificationState,
  { home, support, register }: ShownBatch,
  brand: string | undefined,
  { verification: words, scan }: Words,
): Html | undefined => {
  const ways: Html[] = [];
  if (register && registers.has(state)) ways.push(way(register, words.register, true));
  if (support) {
    const label =
      brand === undefined || brand.length > nameLengthMax ? words.askBrand : withBrand(words.ask, brand);
    ways.push(way(support, label, asksFirst.has(state), contactIcons[support.protocol]));
  }
  if (home) ways.push(way(home, around(scan.home, 'host', home.host), false));
  return ways.length === 0 ? undefined : html`<div class="ways">${ways}</div>`;
};
