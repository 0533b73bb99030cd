/** Takes a segment: its scans are counted once, with everything that follows from them, in one transaction. */
import type { VerificationEvent } from '#schemas/verification.ts';
import type { Pool } from '../../../../db/pool.ts';
import { inTransaction } from '../../../../db/transaction.ts';
import type { Outbox } from '../../../../outbox/outbox.ts';
import { countScans, type Item } from './claims.ts';
import { type ReadEvent, type ReadSegment, type RejectedLine, rejectLine } from './lines.ts';
import { recordScans } from './record-scans.ts';
import { insertRejectedLines, lockItems, noteSegment } from './store.ts';

/** Lines of a segment that are kept; the others are counted. */
const rejectedKeptMax = 100;

export interface TakenSegment {
  /** Whether it was taken before: then it adds nothing. */
  repeated: boolean;
  /** Events that were counted, those of claims among them. */
  counted: number;
  rejected: readonly RejectedLine[];
  /** Claims of items that were claimed by another scan. */
  secondClaims: readonly VerificationEvent[];
}

const repeated: TakenSegment = { repeated: true, counted: 0, rejected: [], secondClaims: [] };

/** @param items locked @returns the scans that are counted, and claims beside others */
const countAll = (items: readonly Item[], events: readonly ReadEvent[]) => {
  const byItem = Map.groupBy(events, ({ itemId }) => itemId);
  const counted = items.map((item) => countScans(item, byItem.get(item.id) ?? []));
  return {
    scans: counted.flatMap(({ scans }) => scans),
    secondClaims: counted.flatMap(({ secondClaims }) => secondClaims),
  };
};

/**
 * @param name of the segment: one that was taken before adds nothing, also where it is being taken by another process now
 * @throws what PostgreSQL says: then nothing is taken
 */
export const takeSegment = (
  pool: Pool,
  outbox: Outbox,
  name: string,
  { events, rejected: unread }: ReadSegment,
): Promise<TakenSegment> =>
  inTransaction(pool, async (tx) => {
    if (!(await noteSegment(tx, name))) return repeated;
    const items =
      events.length > 0 ? await lockItems(tx, [...new Set(events.map(({ itemId }) => itemId))]) : [];
    const known = new Set(items.map(({ id }) => id));
    const unknown = events
      .filter(({ itemId }) => !known.has(itemId))
      .map(({ line, ...event }) => rejectLine(line, 'unknown_item', JSON.stringify(event)));
    const rejected = [...unread, ...unknown];
    if (rejected.length > 0) await insertRejectedLines(tx, name, rejected.slice(0, rejectedKeptMax));
    const { scans, secondClaims } = countAll(items, events);
    if (items.length > 0) await recordScans(tx, outbox, items, scans);
    return { repeated: false, counted: events.length - unknown.length, rejected, secondClaims };
  });
