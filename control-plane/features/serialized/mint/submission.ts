/** A mint is accepted: its items are taken from the quota, the batch and its job exist, and the work is enqueued; all of it or nothing. */
import type { MintAnswer, MintBody } from '#schemas/api/serialized.ts';
import type { Principal } from '../../../api/access/authentication.ts';
import type { Reply } from '../../../api/idempotency/reply.ts';
import type { Create } from '../../../api/idempotency/request.ts';
import { noteSubject } from '../../../platform/db/actions.ts';
import type { Transaction } from '../../../platform/db/transaction.ts';
import type { DocumentPublishing } from '../../../publishing/documents.ts';
import type { MakeProductImage } from '../product-image.ts';
import { allotmentExceeded, allotmentOf } from '../quota.ts';
import { insertBatch, type StoredBatch } from '../store/batches.ts';
import { insertJob, mintJobIds } from '../store/jobs.ts';
import { reserveItems } from '../store/quotas.ts';
import { takeBatchKey } from './batch-key.ts';
import { mintJobs } from './kind.ts';

export interface MintOptions {
  /** The key that signs what is minted from now on. */
  generation: number;
  publishing: Pick<DocumentPublishing, 'publish'>;
  makeProductImage: MakeProductImage;
  /** The URL of a job. */
  locationOf(jobId: string): string;
}

/** @throws {ClientError} ALLOTMENT_EXCEEDED; CONFLICT where the GTIN is another workspace's; as {@link MakeProductImage}; and what every create call throws */
export type Mint = (principal: Principal, body: MintBody, create: Create) => Promise<Reply>;

interface Accepted {
  batch: StoredBatch;
  jobId: string;
  /** Documents that have changed. */
  changed: string[];
}

const accept = async (
  tx: Transaction,
  { workspaceId, subscriptionId, terms }: Principal,
  body: MintBody,
  productImage: string | null,
  keyGeneration: number,
): Promise<Accepted> => {
  const { batchName, count, productSku = null, productName = null, gtin = null, brandName = null } = body;
  const use = await reserveItems(tx, subscriptionId, count, allotmentOf(terms));
  if (use) throw allotmentExceeded(terms, use, count);
  const changed = gtin === null ? [] : [await takeBatchKey(tx, workspaceId, gtin)];
  const { brandUrl = null, supportUrl = null, registerUrl = null } = body;
  const product = { productSku, productName, gtin, brandName, productImage };
  const batch = await insertBatch(tx, {
    workspaceId,
    subscriptionId,
    name: batchName,
    ...product,
    brandUrl,
    supportUrl,
    registerUrl,
    count,
    keyGeneration,
  });
  const jobId = mintJobIds.create();
  await insertJob(tx, { id: jobId, workspaceId, batchId: batch.id, kind: mintJobs, count });
  noteSubject({ resourceId: batch.id });
  return { batch, jobId, changed };
};

export const createMint =
  ({ generation, publishing, makeProductImage, locationOf }: MintOptions): Mint =>
  (principal, body, create) =>
    create({
      isLong: Boolean(body.productImage),
      prepare: async () =>
        body.productImage ? makeProductImage(body.productImage, principal.workspaceId) : null,
      async effect(tx, productImage, afterCommit) {
        const { batch, jobId, changed } = await accept(tx, principal, body, productImage, generation);
        if (changed.length > 0) afterCommit(() => publishing.publish(changed));
        const answer: MintAnswer = { jobId, batchId: batch.id, count: batch.count };
        return { status: 202, headers: { location: locationOf(jobId) }, body: answer };
      },
    });
