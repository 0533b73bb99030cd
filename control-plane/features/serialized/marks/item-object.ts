/** An item with its mark, as the API shows it. */
import type { SerializedItemDetails } from '#schemas/api/serialized-marks.ts';
import type { ItemUrls } from '../items/item-urls.ts';
import { toItemObject } from '../objects.ts';
import type { StoredBatch } from '../store/batches.ts';
import type { DetailedItem } from './store.ts';

const linksOf = (
  urls: ItemUrls,
  batch: StoredBatch,
  itemId: string,
): Pick<SerializedItemDetails, 'serial' | 'digitalLink'> => {
  const { gtin, keyGeneration } = batch;
  if (gtin === null) return { serial: null, digitalLink: null };
  return {
    serial: urls.serialOf({ gtin, keyGeneration }, itemId),
    digitalLink: urls.inFormat(batch, 'gs1')(itemId),
  };
};

export const toItemDetails = (
  urls: ItemUrls,
  batch: StoredBatch,
  item: DetailedItem,
): SerializedItemDetails => ({
  ...toItemObject(urls, batch, item),
  batchId: batch.id,
  position: item.position,
  ...linksOf(urls, batch, item.id),
  state: item.firstScannedAt === null ? 'unclaimed' : 'claimed',
  lastScannedAt: item.lastScannedAt?.getTime() ?? null,
  lastScanCountry: item.lastScanCountry || null,
  mark: item.mark && { state: item.mark, note: item.note, markedAt: item.markedAt!.getTime() },
});
