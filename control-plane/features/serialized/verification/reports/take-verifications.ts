/** Takes the lines of a segment of verifications: counts their scans, with all consequences. */
import { type VerificationEvent, verificationEvent } from '#schemas/verification.ts';
import type { Outbox } from '../../../../framework/outbox.ts';
import type { Transaction } from '../../../../platform/db/transaction.ts';
import { type LineFormat, type ReadEvent, readingProblems, readLines } from '../../../../reports/lines.ts';
import type { Rejections } from '../../../../reports/rejections.ts';
import { countScans } from './claims.ts';
import { type ClaimedByBatch, recordClaimed, recordScans } from './record-scans.ts';
import { lockItems } from './store.ts';

export const verificationProblems = [...readingProblems, 'unknown_item'] as const;
export type VerificationProblem = (typeof verificationProblems)[number];

const format: LineFormat<VerificationEvent> = { schema: verificationEvent, lineBytesMax: 2_000 };

export interface TakenVerifications {
  /** Counted events, including claims. */
  readonly counted: number;
  /** Claims of items that another scan had claimed. */
  readonly secondClaims: readonly VerificationEvent[];
}

type ReadVerification = ReadEvent<VerificationEvent>;

/** Items locked and written per statement. It takes a tenth of a second; other work runs in between. */
const itemsAtOnce = 5_000;

interface Counted {
  unknown: ReadVerification[];
  secondClaims: VerificationEvent[];
}

/** Counts events item by item, in the order of the items' ids. */
const countAll = async (
  tx: Transaction,
  outbox: Outbox,
  byItem: ReadonlyMap<string, readonly ReadVerification[]>,
): Promise<Counted> => {
  const ids = [...byItem.keys()].sort();
  const claimed: ClaimedByBatch = new Map();
  const unknown: ReadVerification[] = [];
  const secondClaims: VerificationEvent[] = [];
  for (let from = 0; from < ids.length; from += itemsAtOnce) {
    const some = ids.slice(from, from + itemsAtOnce);
    const items = await lockItems(tx, some);
    const counted = items.map((item) => countScans(item, byItem.get(item.id)!));
    const scans = counted.flatMap((each) => each.scans);
    if (items.length > 0) await recordScans(tx, outbox, items, scans, claimed);
    secondClaims.push(...counted.flatMap((each) => each.secondClaims));
    const known = new Set(items.map(({ id }) => id));
    for (const id of some) if (!known.has(id)) unknown.push(...byItem.get(id)!);
  }
  await recordClaimed(tx, claimed);
  return { unknown, secondClaims };
};

/** An event that is there twice counts once. */
const readEvents = async (
  lines: Buffer,
  rejections: Rejections<VerificationProblem>,
): Promise<Map<string, ReadVerification>> => {
  const events = new Map<string, ReadVerification>();
  for await (const some of readLines(lines, format, rejections))
    for (const event of some) if (!events.has(event.id)) events.set(event.id, event);
  return events;
};

/** @throws errors of PostgreSQL: then nothing is taken */
export const takeVerifications = async (
  tx: Transaction,
  outbox: Outbox,
  lines: Buffer,
  rejections: Rejections<VerificationProblem>,
): Promise<TakenVerifications> => {
  const events = await readEvents(lines, rejections);
  const byItem = Map.groupBy(events.values(), ({ itemId }) => itemId);
  const { unknown, secondClaims } = await countAll(tx, outbox, byItem);
  for (const { line, ...event } of unknown) rejections.add(line, 'unknown_item', JSON.stringify(event));
  return { counted: events.size - unknown.length, secondClaims };
};
