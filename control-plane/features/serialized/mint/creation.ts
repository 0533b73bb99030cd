/** A mint is accepted: its items are taken from the quota, the batch and its job exist, and the work is enqueued; all of it or nothing. */
import type { MintAnswer, MintBody } from '#schemas/api/serialized.ts';
import type { Principal } from '../../../access/authentication.ts';
import type { Create } from '../../../creation/creation-request.ts';
import type { Reply } from '../../../creation/reply.ts';
import type { Transaction } from '../../../db/transaction.ts';
import { allotmentExceeded, allotmentOf } from '../quota.ts';
import { insertBatch, type StoredBatch } from '../store/batches.ts';
import { insertJob, mintJobIds, type StoredJob } from '../store/jobs.ts';
import { reserveItems } from '../store/quotas.ts';
import { mintTurns } from './turns.ts';

export interface MintOptions {
  /** The key that signs what is minted from now on. */
  generation: number;
  /** The URL of a job. */
  locationOf(jobId: string): string;
}

/** @throws {ClientError} ALLOTMENT_EXCEEDED, and what the creation throws */
export type Mint = (principal: Principal, body: MintBody, create: Create) => Promise<Reply>;

const accept = async (
  tx: Transaction,
  { workspaceId, subscriptionId, terms }: Principal,
  body: MintBody,
  keyGeneration: number,
): Promise<{ batch: StoredBatch; job: StoredJob }> => {
  const { batchName, count, productSku = null, productName = null, gtin = null, brandName = null } = body;
  const use = await reserveItems(tx, subscriptionId, count, allotmentOf(terms));
  if (use) throw allotmentExceeded(terms, use, count);
  const product = { productSku, productName, gtin, brandName };
  const batch = await insertBatch(tx, {
    workspaceId,
    subscriptionId,
    name: batchName,
    ...product,
    count,
    keyGeneration,
  });
  const job = await insertJob(tx, {
    id: mintJobIds.create(),
    workspaceId,
    batchId: batch.id,
    type: 'mint',
    count,
  });
  await mintTurns.enqueue(tx, workspaceId);
  return { batch, job };
};

export const createMint =
  ({ generation, locationOf }: MintOptions): Mint =>
  (principal, body, create) =>
    create({
      prepare: async () => undefined,
      async effect(tx) {
        const { batch, job } = await accept(tx, principal, body, generation);
        const answer: MintAnswer = { jobId: job.id, batchId: batch.id, count: batch.count };
        return { status: 202, headers: { location: locationOf(job.id) }, body: answer };
      },
    });
