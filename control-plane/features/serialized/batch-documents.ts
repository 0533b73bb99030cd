/** The documents of batches: the fields of items that redirectors show, and their owner's notice. */

import { batchIdShape } from '#schemas/api/serialized.ts';
import { batchDocuments } from '#schemas/documents.ts';
import type { BatchRecord } from '#schemas/verification.ts';
import type { SourceOfDocuments } from '../../publishing/documents.ts';
import { listBatchesById, type PublishedBatch } from './store/batches.ts';

/** A key that is not set is absent. */
const toDocument = (batch: PublishedBatch): BatchRecord => ({
  id: batch.id,
  workspaceId: batch.workspaceId,
  version: batch.version,
  ...(batch.productSku !== null && { productSku: batch.productSku }),
  ...(batch.productName !== null && { productName: batch.productName }),
  ...(batch.gtin !== null && { gtin: batch.gtin }),
  ...(batch.brandName !== null && { brandName: batch.brandName }),
  ...(batch.notice !== null && { notice: batch.notice }),
  ...(batch.productImage !== null && { productImage: batch.productImage }),
  ...(batch.brandUrl !== null && { brandUrl: batch.brandUrl }),
  ...(batch.supportUrl !== null && { supportUrl: batch.supportUrl }),
  ...(batch.registerUrl !== null && { registerUrl: batch.registerUrl }),
  ...(batch.markPages !== null && { markPages: batch.markPages }),
});

export const batchDocumentSource: SourceOfDocuments<BatchRecord> = {
  ...batchDocuments,
  isIdShaped: (id) => batchIdShape.test(id),
  build: async (db, ids) => (await listBatchesById(db, ids)).map(toDocument),
};
