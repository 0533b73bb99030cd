/** The GS1 key of a batch with a GTIN. It belongs to the workspace, and its serials are verified while it has batches. */
import type { Transaction } from '../../../platform/db/transaction.ts';
import { gs1KeyOf, markSerialized, takeKey, unmarkSerialized } from '../../gs1/keys.ts';

const keyOf = (gtin: string): string => gs1KeyOf('01', gtin);

/**
 * @param gtin 14 digits
 * @returns the id of the key's document, to be published after the commit
 * @throws {ClientError} CONFLICT where the key belongs to another workspace
 */
export const takeBatchKey = async (tx: Transaction, workspaceId: string, gtin: string): Promise<string> => {
  const key = keyOf(gtin);
  await takeKey(tx, workspaceId, key, 'gtin');
  return markSerialized(tx, key);
};

/** A batch of the key has no items any more. */
export const leaveBatchKey = async (tx: Transaction, gtin: string): Promise<void> => {
  await unmarkSerialized(tx, keyOf(gtin));
};
