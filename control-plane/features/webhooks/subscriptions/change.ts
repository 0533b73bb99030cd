/** Changes of a workspace's webhooks, with their consequences for redirectors. */
import type { Pool } from '../../../platform/db/pool.ts';
import { inTransaction, type Transaction } from '../../../platform/db/transaction.ts';
import type { DocumentPublishing } from '../../../publishing/documents.ts';
import { scanEventsChanged } from '../scans/workspace-documents.ts';

/** Runs a change of a workspace's webhooks in a transaction. When it returns, redirectors know of it. */
export type ChangeWebhooks = <Result>(
  workspaceId: string,
  work: (tx: Transaction) => Promise<Result>,
) => Promise<Result>;

export const createChangeWebhooks =
  (pool: Pool, publishing: Pick<DocumentPublishing, 'publish'>): ChangeWebhooks =>
  async (workspaceId, work) => {
    const { result, documentId } = await inTransaction(pool, async (tx) => ({
      result: await work(tx),
      documentId: await scanEventsChanged(tx, workspaceId),
    }));
    await publishing.publish([documentId]);
    return result;
  };
