/** Marks items of a batch, or removes their marks: in one transaction, with the events, the audit log and what is published. */

import type { ItemMarkBody } from '#schemas/api/serialized-marks.ts';
import type { NewEvent } from '#schemas/events.ts';
import { isItemIdShaped } from '#shared/serial-signatures.ts';
import type { Outbox } from '../../../framework/outbox.ts';
import { isNoChange } from '../../../platform/db/actions.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import { inTransaction, type Transaction } from '../../../platform/db/transaction.ts';
import { type DocumentPublishing, documentsChanged } from '../../../publishing/documents.ts';
import { changeBatch, findBatch, type PicturedBatch, requireCompleted } from '../store/batches.ts';
import { pageIdOf } from './documents.ts';
import {
  addPages,
  changePages,
  findPlaces,
  lockPages,
  type NewMark,
  type PlacedItem,
  readMarks,
  removeMarks,
  type StoredMark,
  writeMarks,
} from './store.ts';

export interface MarkChangerOptions {
  pool: Pool;
  outbox: Outbox;
  publishing: DocumentPublishing;
}

export interface ChangedMarks {
  batch: PicturedBatch;
  /** The ids that are items of the batch. */
  known: ReadonlySet<string>;
  /** The ones of them whose mark was not as asked for. */
  changed: ReadonlySet<string>;
}

/**
 * It notifies redirectors before it returns, unless Redis is away.
 * @param mark null removes the one that an item has
 * @throws {ClientError} NOT_FOUND, or FORBIDDEN if the batch is another workspace's; CONFLICT if it is not minted
 */
export type ChangeMarks = (
  workspaceId: string,
  batchId: string,
  itemIds: readonly string[],
  mark: ItemMarkBody | null,
) => Promise<ChangedMarks>;

/** The mark that an item gets. A mark whose state stays keeps its time, unless a new one is given. */
const markFor = (
  { state, note = null, markedAt }: ItemMarkBody,
  itemId: string,
  before: StoredMark | undefined,
  now: Date,
): StoredMark => ({
  itemId,
  state,
  note,
  markedAt: markedAt ?? (before?.state === state ? before.markedAt : now),
});

const isSame = (a: StoredMark | undefined, b: StoredMark | undefined): boolean =>
  a?.state === b?.state && a?.note === b?.note && a?.markedAt.getTime() === b?.markedAt.getTime();

interface Change {
  item: PlacedItem;
  before: StoredMark | undefined;
  /** Undefined: none. */
  after: StoredMark | undefined;
}

const eventOf = (
  { id, workspaceId, productSku, productName }: PicturedBatch,
  { item, before, after }: Change,
  version: number,
  now: Date,
): NewEvent => ({
  type: 'serialized.item_marked',
  workspaceId,
  subject: { id: item.id, version },
  occurredAt: now,
  data: {
    batchId: id,
    productSku,
    productName,
    mark: after?.state ?? null,
    previousMark: before?.state ?? null,
    note: after?.note ?? null,
    markedAt: after?.markedAt.getTime() ?? null,
  },
});

/** Locks the pages of the items, and finds out which marks differ. */
const findChanges = async (
  tx: Transaction,
  items: readonly PlacedItem[],
  pageIds: readonly string[],
  mark: ItemMarkBody | null,
  now: Date,
): Promise<Change[]> => {
  await lockPages(tx, pageIds);
  const marks = await readMarks(
    tx,
    items.map(({ id }) => id),
  );
  const byItem = new Map(marks.map((each) => [each.itemId, each]));
  return items
    .map((item) => {
      const before = byItem.get(item.id);
      return { item, before, after: mark === null ? undefined : markFor(mark, item.id, before, now) };
    })
    .filter(({ before, after }) => !isSame(before, after));
};

const write = async (tx: Transaction, batchId: string, changes: readonly Change[]): Promise<void> => {
  const marks = changes.flatMap(({ item, after }): NewMark[] =>
    after ? [{ ...after, pageId: pageIdOf(batchId, item.id), position: item.position }] : [],
  );
  if (marks.length > 0) await writeMarks(tx, batchId, marks);
  const removed = changes.flatMap(({ item, after }) => (after ? [] : [item.id]));
  if (removed.length > 0) await removeMarks(tx, removed);
};

/** @returns what has changed, and the documents that redirectors must learn of */
const change = async (
  tx: Transaction,
  outbox: Outbox,
  batch: PicturedBatch,
  items: readonly PlacedItem[],
  mark: ItemMarkBody | null,
): Promise<{ changed: string[]; documents: string[] }> => {
  const now = new Date();
  const pageIds = [...new Set(items.map(({ id }) => pageIdOf(batch.id, id)))];
  const added = mark === null ? 0 : await addPages(tx, batch.id, pageIds);
  const changes = await findChanges(tx, items, pageIds, mark, now);
  if (changes.length === 0) {
    isNoChange(tx);
    return { changed: [], documents: [] };
  }
  await write(tx, batch.id, changes);
  const pages = await changePages(tx, [...new Set(changes.map(({ item }) => pageIdOf(batch.id, item.id)))]);
  // The document of the batch names its pages.
  const documents = added === 0 ? pages : [...pages, await changeBatch(tx, batch)];
  await documentsChanged(tx, documents);
  const versions = new Map(pages.map(({ id, version }) => [id, version]));
  await outbox.emit(
    tx,
    changes.map((each) => eventOf(batch, each, versions.get(pageIdOf(batch.id, each.item.id))!, now)),
  );
  return { changed: changes.map(({ item }) => item.id), documents: documents.map(({ id }) => id) };
};

export const createMarkChanger =
  ({ pool, outbox, publishing }: MarkChangerOptions): ChangeMarks =>
  async (workspaceId, batchId, itemIds, mark) => {
    const batch = await findBatch(pool, workspaceId, batchId);
    requireCompleted(batch);
    const asked = [...new Set(itemIds.filter(isItemIdShaped))];
    const items = await findPlaces(pool, batch.id, asked);
    if (items.length === 0) return { batch, known: new Set(), changed: new Set() };
    const { changed, documents } = await inTransaction(pool, (tx) => change(tx, outbox, batch, items, mark));
    if (documents.length > 0) await publishing.publish(documents);
    return { batch, known: new Set(items.map(({ id }) => id)), changed: new Set(changed) };
  };
