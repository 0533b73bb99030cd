/**
 * What scans make of an item. An item is claimed by what any of its scans tells of the first one: the redirector that answered the
 * first may report later than others, or, if its disk is lost, never. From then on the first scan is counted, as number 1; when its own
 * report comes, it adds nothing.
 */

import type { DuplicateRisk } from '#schemas/events.ts';
import type { VerificationEvent } from '#schemas/verification.ts';
import { type Moment, riskOf } from '../risk/risk.ts';

export interface Item {
  readonly id: string;
  readonly batchId: string;
  scanCount: number;
  first: Moment | undefined;
  last: Moment | undefined;
  /** Whether the scan that claimed it was reported itself. */
  claimReported: boolean;
}

/** A scan of an item, by its number. */
export interface CountedScan extends Moment {
  item: Item;
  scanCount: number;
  firstScannedAtMs: number;
  /** Of a later scan: the redirector's id of it, and how likely a copy is. */
  later?: { reportId: string; risk: DuplicateRisk };
}

export interface CountedItem {
  scans: CountedScan[];
  /** Scans that were told to be the first beside another one. */
  secondClaims: VerificationEvent[];
}

/** One with a country, of those of the same time. */
const earlier = (a: Moment, b: Moment): Moment => {
  if (a.atMs !== b.atMs) return a.atMs < b.atMs ? a : b;
  return a.country === '' ? b : a;
};

const later = (a: Moment | undefined, b: Moment): Moment => (a && a.atMs > b.atMs ? a : b);

const momentOf = ({ atMs, country }: Moment): Moment => ({ atMs, country });

/** Counts the scan that claimed the item. */
const claim = (item: Item, first: Moment): CountedScan => {
  item.first = momentOf(first);
  item.last = later(item.last, item.first);
  item.scanCount++;
  return { ...item.first, item, scanCount: item.scanCount, firstScannedAtMs: first.atMs };
};

/**
 * Claims an item by what is known of its first scan from elsewhere.
 * @param item is changed
 * @returns the first scan, where it was not known
 */
export const claimBy = (item: Item, first: Moment): CountedScan | undefined => {
  if (!item.first) return claim(item, first);
  item.first = earlier(item.first, momentOf(first));
  return undefined;
};

/** Counts a later scan. */
const countScan = (item: Item, first: Moment, event: VerificationEvent): CountedScan => {
  const risk = event.sameDevice ? 'low' : riskOf(event, [first, item.last ?? first]);
  item.last = later(item.last, momentOf(event));
  item.scanCount++;
  const { atMs, country } = event;
  return {
    atMs,
    country,
    item,
    scanCount: item.scanCount,
    firstScannedAtMs: first.atMs,
    later: { reportId: event.id, risk },
  };
};

/**
 * Counts the scans of an item, in the order of their times.
 * @param item is changed
 */
export const countScans = (item: Item, events: readonly VerificationEvent[]): CountedItem => {
  const scans: CountedScan[] = [];
  const secondClaims: VerificationEvent[] = [];
  for (const event of events.toSorted((a, b) => a.atMs - b.atMs)) {
    const first = claimBy(item, event.first);
    if (first) scans.push(first);
    if (event.claimed && !item.claimReported) {
      item.claimReported = true;
      continue;
    }
    if (event.claimed) secondClaims.push(event);
    scans.push(countScan(item, item.first!, event));
  }
  return { scans, secondClaims };
};
