/**
 * The effect of scans on an item. Every scan of an item also names the first one, and any of them claims it: the
 * redirector that answered the first scan may report later than others, or never if its disk is lost. From then on
 * the first scan is counted, as number 1; its own report then adds nothing.
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
  /** Whether the claiming scan itself was reported. */
  claimReported: boolean;
}

/** A scan of an item, by its number. */
export interface CountedScan extends Moment {
  item: Item;
  scanCount: number;
  firstScannedAtMs: number;
  /** Of a later scan: the redirector's id for it, and the risk of a copy. */
  later?: { reportId: string; risk: DuplicateRisk };
}

export interface CountedItem {
  scans: CountedScan[];
  /** Scans that were answered as first although there was another one. */
  secondClaims: VerificationEvent[];
}

/** Of two at the same time, the one with a country. */
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
 * Claims an item by information about its first scan from elsewhere.
 * @param item is modified
 * @returns the first scan, if it was not known
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
 * Counts the scans of an item, in time order.
 * @param item is modified
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
