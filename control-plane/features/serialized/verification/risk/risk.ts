/** The likelihood that a repeated scan of an item is of a copy. */
import type { DuplicateRisk } from '#schemas/events.ts';
import { distanceMinKm } from './distance-bounds.ts';

/** Epoch milliseconds; ISO 3166-1 alpha-2, or empty if the country is unknown. */
export interface Moment {
  readonly atMs: number;
  readonly country: string;
}

/** As fast as an airliner. */
const kmPerHourMax = 900;
const hourMs = 3_600_000;

const ranks: readonly DuplicateRisk[] = ['low', 'medium', 'high'];

/** Scans may be reported in any order: only the time between them counts, not which was first. */
const compare = (a: Moment, b: Moment): DuplicateRisk => {
  if (a.country === b.country || a.country === '' || b.country === '') return 'low';
  const kmReached = (Math.abs(a.atMs - b.atMs) / hourMs) * kmPerHourMax;
  return distanceMinKm(a.country, b.country) > kmReached ? 'high' : 'medium';
};

/**
 * @param others the first and the last of the item's other scans
 * @returns the highest risk compared with any of them
 */
export const riskOf = (scan: Moment, others: readonly Moment[]): DuplicateRisk =>
  ranks[Math.max(...others.map((other) => ranks.indexOf(compare(scan, other))))]!;
