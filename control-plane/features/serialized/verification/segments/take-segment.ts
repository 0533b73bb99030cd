/** Takes a segment: its scans are counted once, with everything that follows from them, in one transaction. */
import type { VerificationEvent } from '#schemas/verification.ts';
import type { Pool } from '../../../../db/pool.ts';
import { inTransaction, type Transaction } from '../../../../db/transaction.ts';
import type { Outbox } from '../../../../outbox/outbox.ts';
import { countScans } from './claims.ts';
import { type ReadEvent, type ReadSegment, type RejectedLine, rejectLine } from './lines.ts';
import { type ClaimedByBatch, recordClaimed, recordScans } from './record-scans.ts';
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

/** Items that are locked and written by one statement: it takes a tenth of a second, and others are answered in between. */
const itemsAtOnce = 5_000;

const rejectUnknown = ({ line, ...event }: ReadEvent): RejectedLine =>
  rejectLine(line, 'unknown_item', JSON.stringify(event));

interface Counted {
  unknown: RejectedLine[];
  secondClaims: VerificationEvent[];
}

/** Counts events item by item, in the order of the items' ids. */
const countAll = async (
  tx: Transaction,
  outbox: Outbox,
  byItem: ReadonlyMap<string, readonly ReadEvent[]>,
): Promise<Counted> => {
  const ids = [...byItem.keys()].sort();
  const claimed: ClaimedByBatch = new Map();
  const unknown: RejectedLine[] = [];
  const secondClaims: VerificationEvent[] = [];
  for (let from = 0; from < ids.length; from += itemsAtOnce) {
    const some = ids.slice(from, from + itemsAtOnce);
    const items = await lockItems(tx, some);
    const counted = items.map((item) => countScans(item, byItem.get(item.id)!));
    const scans = counted.flatMap((each) => each.scans);
    if (items.length > 0) await recordScans(tx, outbox, items, scans, claimed);
    secondClaims.push(...counted.flatMap((each) => each.secondClaims));
    const known = new Set(items.map(({ id }) => id));
    for (const id of some) if (!known.has(id)) unknown.push(...byItem.get(id)!.map(rejectUnknown));
  }
  await recordClaimed(tx, claimed);
  return { unknown, secondClaims };
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
    const byItem = Map.groupBy(events, ({ itemId }) => itemId);
    const { unknown, secondClaims } = await countAll(tx, outbox, byItem);
    const rejected = [...unread, ...unknown].sort((a, b) => a.line - b.line);
    if (rejected.length > 0) await insertRejectedLines(tx, name, rejected.slice(0, rejectedKeptMax));
    return { repeated: false, counted: events.length - unknown.length, rejected, secondClaims };
  });
