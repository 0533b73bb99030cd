/** How likely it is that a scan of an item that was scanned before is one of a copy. */
import type { DuplicateRisk } from '#schemas/events.ts';
import { distanceMinKm } from './distance-bounds.ts';

/** Epoch milliseconds; ISO 3166-1 alpha-2, or empty where the country is not known. */
export interface Moment {
  readonly atMs: number;
  readonly country: string;
}

/** As fast as an airliner. */
const kmPerHourMax = 900;
const hourMs = 3_600_000;

const ranks: readonly DuplicateRisk[] = ['low', 'medium', 'high'];

/** Scans may be reported in any order: the time between them counts, not which was first. */
const compare = (a: Moment, b: Moment): DuplicateRisk => {
  if (a.country === b.country || a.country === '' || b.country === '') return 'low';
  const kmReached = (Math.abs(a.atMs - b.atMs) / hourMs) * kmPerHourMax;
  return distanceMinKm(a.country, b.country) > kmReached ? 'high' : 'medium';
};

/** @param others of the item's scans: the first one and the last one @returns the highest risk beside any of them */
export const riskOf = (scan: Moment, others: readonly Moment[]): DuplicateRisk =>
  ranks[Math.max(...others.map((other) => ranks.indexOf(compare(scan, other))))]!;
