/** Serialized batches in PostgreSQL. */
import { type BatchStatus, batchIdShape, type UpdateBatchBody } from '#schemas/api/serialized.ts';
import type { BatchNotice } from '#schemas/verification.ts';
import { ClientError } from '#shared/errors.ts';
import { prefixedIds } from '#shared/ids.ts';
import { keyGenerationMax } from '#shared/serial-signatures.ts';
import { findOwned, type OwnedTable } from '../../../platform/db/owned.ts';
import type { Queryable } from '../../../platform/db/pool.ts';
import type { Transaction } from '../../../platform/db/transaction.ts';

export const batchIds = prefixedIds('batch');

export const ownedBatches: OwnedTable = {
  table: 'serialized_batches',
  noun: 'serialized batch',
  isIdShaped: (id) => batchIdShape.test(id),
};

export interface NewBatch {
  workspaceId: string;
  subscriptionId: string;
  name: string;
  productSku: string | null;
  productName: string | null;
  /** 14 digits. */
  gtin: string | null;
  brandName: string | null;
  /** A data URL. */
  productImage: string | null;
  brandUrl: string | null;
  supportUrl: string | null;
  registerUrl: string | null;
  count: number;
  /** The key that its items are signed with. */
  keyGeneration: number;
}

/** Without its picture: a list may have 500 of them. */
export interface StoredBatch extends Omit<NewBatch, 'productImage'> {
  id: string;
  /** Order of creation. */
  seq: string;
  status: BatchStatus;
  notice: BatchNotice | null;
  /** Items that were scanned at least once. */
  scanned: number;
  /** Grows by one with every change that is published to redirectors. */
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

export type PicturedBatch = StoredBatch & Pick<NewBatch, 'productImage'>;

export const batchColumns = `id, workspace_id AS "workspaceId", subscription_id AS "subscriptionId", seq, name, product_sku AS "productSku",
  product_name AS "productName", gtin, brand_name AS "brandName", brand_url AS "brandUrl", support_url AS "supportUrl",
  register_url AS "registerUrl", count, status, notice, key_generation AS "keyGeneration", scanned, version::double precision AS version,
  created_at AS "createdAt", updated_at AS "updatedAt"`;

const picturedColumns = `${batchColumns}, product_image AS "productImage"`;

export const insertBatch = async (tx: Transaction, batch: NewBatch): Promise<StoredBatch> => {
  const { rows } = await tx.query<StoredBatch>({
    name: 'insert-serialized-batch',
    text: `INSERT INTO serialized_batches (id, workspace_id, subscription_id, name, product_sku, product_name, gtin, brand_name, product_image,
             brand_url, support_url, register_url, count, key_generation)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) RETURNING ${batchColumns}`,
    values: [
      batchIds.create(),
      batch.workspaceId,
      batch.subscriptionId,
      batch.name,
      batch.productSku,
      batch.productName,
      batch.gtin,
      batch.brandName,
      batch.productImage,
      batch.brandUrl,
      batch.supportUrl,
      batch.registerUrl,
      batch.count,
      batch.keyGeneration,
    ],
  });
  return rows[0]!;
};

/** @throws {ClientError} NOT_FOUND, or FORBIDDEN where the batch is another workspace's */
export const findBatch = (db: Queryable, workspaceId: string, batchId: string): Promise<PicturedBatch> =>
  findOwned(db, ownedBatches, workspaceId, batchId, {
    name: 'find-serialized-batch',
    text: `SELECT ${picturedColumns} FROM serialized_batches WHERE id = $1 AND workspace_id = $2`,
  });

/** @throws {ClientError} CONFLICT where its items are not all written, or never will be */
export const requireCompleted = ({ id, status }: StoredBatch): void => {
  if (status === 'completed') return;
  throw new ClientError(
    'CONFLICT',
    status === 'minting'
      ? `The batch ${id} is still minting; wait until its status is completed`
      : `The minting of the batch ${id} failed: it has no items`,
  );
};

/** A batch as redirectors hold it. */
export type PublishedBatch = PicturedBatch & {
  /** The pages of its marks (marks/documents.ts), one character each; null if there are none. */
  markPages: string | null;
};

/** The batches of any workspace with these ids. */
export const listBatchesById = async (db: Queryable, ids: readonly string[]): Promise<PublishedBatch[]> => {
  const { rows } = await db.query<PublishedBatch>({
    name: 'list-serialized-batches-by-id',
    text: `SELECT ${picturedColumns}, (SELECT string_agg(right(p.id, 1), '' ORDER BY p.id) FROM serialized_mark_pages p
             WHERE p.batch_id = serialized_batches.id) AS "markPages"
           FROM serialized_batches WHERE id = ANY($1)`,
    values: [ids],
  });
  return rows;
};

/** A batch, locked against changes until the transaction ends. @throws {ClientError} as {@link findBatch} */
export const lockBatch = (tx: Transaction, workspaceId: string, batchId: string): Promise<PicturedBatch> =>
  findOwned(tx, ownedBatches, workspaceId, batchId, {
    name: 'lock-serialized-batch',
    text: `SELECT ${picturedColumns} FROM serialized_batches WHERE id = $1 AND workspace_id = $2 FOR NO KEY UPDATE`,
  });

/** @returns the batch as it is now; in a new version where redirectors have to hear of it */
export const updateBatch = async (
  tx: Transaction,
  { id, workspaceId, ...before }: PicturedBatch,
  {
    batchName = before.name,
    notice = before.notice,
    productImage = before.productImage,
    brandUrl = before.brandUrl,
    supportUrl = before.supportUrl,
    registerUrl = before.registerUrl,
  }: UpdateBatchBody,
): Promise<PicturedBatch> => {
  const { rows } = await tx.query<PicturedBatch>({
    name: 'update-serialized-batch',
    text: `UPDATE serialized_batches
           SET name = $3, notice = $4, product_image = $5, brand_url = $6, support_url = $7, register_url = $8,
             version = version + ((notice, product_image, brand_url, support_url, register_url)
               IS DISTINCT FROM ($4::text, $5::text, $6::text, $7::text, $8::text))::integer,
             updated_at = clock_timestamp()
           WHERE id = $1 AND workspace_id = $2 RETURNING ${picturedColumns}`,
    values: [id, workspaceId, batchName, notice, productImage, brandUrl, supportUrl, registerUrl],
  });
  return rows[0]!;
};

/** The batch has changed for redirectors, though no field of its own. @returns its version */
export const changeBatch = async (
  tx: Transaction,
  { id, workspaceId }: Pick<StoredBatch, 'id' | 'workspaceId'>,
): Promise<{ id: string; version: number }> => {
  const { rows } = await tx.query<{ id: string; version: number }>({
    name: 'change-serialized-batch',
    text: `UPDATE serialized_batches SET version = version + 1 WHERE id = $1 AND workspace_id = $2
           RETURNING id, version::double precision AS version`,
    values: [id, workspaceId],
  });
  return rows[0]!;
};

export const finishBatch = async (
  tx: Transaction,
  id: string,
  status: 'completed' | 'failed',
): Promise<StoredBatch> => {
  const { rows } = await tx.query<StoredBatch>({
    name: 'finish-serialized-batch',
    text: `UPDATE serialized_batches SET status = $2, updated_at = clock_timestamp() WHERE id = $1 RETURNING ${batchColumns}`,
    values: [id, status],
  });
  return rows[0]!;
};

export interface BatchPage {
  /** The seq of the last batch of the page before; undefined for the first page. */
  beforeSeq?: string | undefined;
  /** Batches with this status alone. */
  status?: BatchStatus | undefined;
  limit: number;
}

/** Greater than any. */
const seqMax = '9223372036854775807';

/** A page of a workspace's batches, newest first. */
export const listBatches = async (
  db: Queryable,
  workspaceId: string,
  { beforeSeq, status, limit }: BatchPage,
): Promise<StoredBatch[]> => {
  const { rows } = await db.query<StoredBatch>({
    name: 'list-serialized-batches',
    text: `SELECT ${batchColumns} FROM serialized_batches
           WHERE workspace_id = $1 AND seq < coalesce($2::bigint, ${seqMax}) AND status = coalesce($3, status)
           ORDER BY seq DESC LIMIT $4`,
    values: [workspaceId, beforeSeq ?? null, status ?? null, limit],
  });
  return rows;
};

/** The generations of keys that batches are signed with. */
export const listGenerations = async (db: Queryable): Promise<number[]> => {
  const { rows } = await db.query<{ generation: number }>({
    name: 'list-serial-key-generations',
    text: `SELECT generation FROM generate_series(1, ${keyGenerationMax}) AS generation
           WHERE EXISTS (SELECT FROM serialized_batches WHERE key_generation = generation)`,
  });
  return rows.map(({ generation }) => generation);
};
