/** Batches, items and jobs as the API shows them. */
import type { BatchObject, BatchSummary, SerializedItem, SerializedJob } from '#schemas/api/serialized.ts';
import type { ItemUrls } from './items/item-urls.ts';
import type { PicturedBatch, StoredBatch } from './store/batches.ts';
import type { StoredItem } from './store/items.ts';
import type { StoredJob } from './store/jobs.ts';

export const toBatchSummary = (batch: StoredBatch): BatchSummary => ({
  batchId: batch.id,
  batchName: batch.name,
  count: batch.count,
  scanned: batch.scanned,
  status: batch.status,
  productSku: batch.productSku,
  productName: batch.productName,
  gtin: batch.gtin,
  createdAt: batch.createdAt.getTime(),
  ...(batch.brandName !== null && { brandName: batch.brandName }),
  ...(batch.notice !== null && { notice: batch.notice }),
  ...(batch.brandUrl !== null && { brandUrl: batch.brandUrl }),
  ...(batch.supportUrl !== null && { supportUrl: batch.supportUrl }),
  ...(batch.registerUrl !== null && { registerUrl: batch.registerUrl }),
});

/** A batch by itself. */
export const toBatchObject = (batch: PicturedBatch): BatchObject => ({
  ...toBatchSummary(batch),
  ...(batch.productImage !== null && { productImage: batch.productImage }),
});

export const toItemObject = (urls: ItemUrls, batch: StoredBatch, item: StoredItem): SerializedItem => ({
  itemId: item.id,
  url: urls.urlOf(batch, item.id),
  productSku: batch.productSku,
  productName: batch.productName,
  scanCount: item.scanCount,
  firstScannedAt: item.firstScannedAt?.getTime() ?? null,
  firstScanCountry: item.firstScanCountry || null,
});

export const isResultReady = ({ status, resultUntil }: StoredJob, now = new Date()): boolean =>
  status === 'completed' && (resultUntil === null || resultUntil > now);

export const toJobObject = (job: StoredJob): SerializedJob => ({
  jobId: job.id,
  jobType: job.kind,
  status: job.status,
  count: job.total,
  itemsWritten: job.done,
  batchId: job.batchId,
  imageFormat: job.imageFormat,
  resultReady: isResultReady(job),
  createdAt: job.createdAt.getTime(),
  updatedAt: job.updatedAt.getTime(),
  ...(job.error !== null && { error: job.error }),
});
