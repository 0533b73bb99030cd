/** The queue of documents that are to be published. A change adds its row in its own transaction. */
import type { Transaction } from '../../db/transaction.ts';
import { addUnpublished, type QueueTable, type Unpublished } from '../codes/publishing/unpublished-codes.ts';

export const documentQueue: QueueTable = {
  table: 'unpublished_documents',
  column: 'document_id',
  noun: 'document',
};

/**
 * Remembers that documents have changed, to be called in the transaction of the change. Each is published even where the process
 * ends before it could publish it itself.
 * @param changed with the versions as PostgreSQL has them
 */
export const documentsChanged = (tx: Transaction, changed: readonly Unpublished[]): Promise<void> =>
  addUnpublished(tx, changed, documentQueue);
