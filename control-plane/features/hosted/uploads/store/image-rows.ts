/** Uploaded images in PostgreSQL. */
import type { LandingImageKind } from '#schemas/api/landing-image.ts';
import { countCapReached } from '../../../../api/access/plans.ts';
import { isNoChange } from '../../../../platform/db/actions.ts';
import type { Pool, Queryable } from '../../../../platform/db/pool.ts';
import { inTransaction, type Transaction } from '../../../../platform/db/transaction.ts';

export const imagesMax = 1_000;

/** A file as it was sent, by its SHA-256. */
export interface ImageContent {
  workspaceId: string;
  kind: LandingImageKind;
  digest: Buffer;
}

/** The stored facts of an image. */
export interface ImageSizes {
  /** Of the largest size, in pixels. */
  width: number;
  height: number;
  widths: number[];
  jpegWidth: number;
  placeholder: string;
}

export type StoredImage = ImageSizes & { id: string };

const sizes = 'width, height, widths, jpeg_width AS "jpegWidth", placeholder';

/** The image that the same file became before. */
export const findByContent = async (
  db: Queryable,
  { workspaceId, kind, digest }: ImageContent,
): Promise<StoredImage | undefined> => {
  const { rows } = await db.query<StoredImage>({
    name: 'find-image-by-content',
    text: `SELECT id, ${sizes} FROM uploaded_images
           WHERE workspace_id = $1 AND kind = $2 AND digest = $3 AND state IN ('stored', 'unused')`,
    values: [workspaceId, kind, digest],
  });
  return rows[0];
};

/** The ids that are images of the workspace, including unused ones. */
export const findImages = async (
  db: Queryable,
  workspaceId: string,
  ids: readonly string[],
): Promise<StoredImage[]> => {
  const { rows } = await db.query<StoredImage>({
    name: 'find-images',
    text: `SELECT id, ${sizes} FROM uploaded_images WHERE workspace_id = $1 AND id = ANY($2)
           AND state IN ('stored', 'unused')`,
    values: [workspaceId, ids],
  });
  return rows;
};

const countImages = async (db: Queryable, workspaceId: string): Promise<number> => {
  const { rows } = await db.query<{ images: number }>({
    name: 'count-images',
    text: 'SELECT count(*)::integer AS images FROM uploaded_images WHERE workspace_id = $1',
    values: [workspaceId],
  });
  return rows[0]!.images;
};

/** @throws {ClientError} CONFLICT if the workspace has reached its maximum of images */
export const requireRoom = async (db: Queryable, workspaceId: string): Promise<void> => {
  if ((await countImages(db, workspaceId)) < imagesMax) return;
  throw countCapReached(
    'uploadedImages',
    imagesMax,
    `A workspace has at most ${imagesMax.toLocaleString('en')} uploaded images; those to which no page has referred for 7 days are ` +
      'removed in the night',
  );
};

/** An arbitrary number that no other advisory lock with two keys uses. */
const lockClass = 5_310_778;

/** Keeps the count right, however many uploads begin at once. */
const lockImagesOf = async (tx: Transaction, workspaceId: string): Promise<void> => {
  await tx.query({
    name: 'lock-images',
    text: 'SELECT pg_advisory_xact_lock($1, hashtext($2))',
    values: [lockClass, workspaceId],
  });
};

/** @returns the id of the image that this file is or is becoming; undefined if it is new */
const claimKnown = async (
  tx: Transaction,
  { workspaceId, kind, digest }: ImageContent,
): Promise<string | undefined> => {
  const { rows } = await tx.query<{ id: string }>({
    name: 'claim-known-image',
    text: `UPDATE uploaded_images SET claimed_at = now(), referenced_at = now()
           WHERE workspace_id = $1 AND kind = $2 AND digest = $3 AND state <> 'removing' RETURNING id`,
    values: [workspaceId, kind, digest],
  });
  return rows[0]?.id;
};

const insertImage = async (
  tx: Transaction,
  id: string,
  { workspaceId, kind, digest }: ImageContent,
): Promise<void> => {
  await tx.query({
    name: 'insert-image',
    text: 'INSERT INTO uploaded_images (id, workspace_id, kind, digest) VALUES ($1, $2, $3, $4)',
    values: [id, workspaceId, kind, digest],
  });
};

/**
 * Runs before any file is stored, so that every file has a row. Concurrent uploads of the same file get the same id.
 * @param newId the id if the file is new
 * @throws {ClientError} CONFLICT if the workspace has reached its maximum of images
 */
export const claimImage = (pool: Pool, newId: string, content: ImageContent): Promise<string> =>
  inTransaction(pool, async (tx) => {
    // The page that shows it is changed later.
    isNoChange(tx);
    await lockImagesOf(tx, content.workspaceId);
    const known = await claimKnown(tx, content);
    if (known !== undefined) return known;
    await requireRoom(tx, content.workspaceId);
    await insertImage(tx, newId, content);
    return newId;
  });

/** Call this once all files are stored. @returns false if the image is being removed */
export const markStored = async (
  tx: Transaction,
  { id, width, height, widths, jpegWidth, placeholder }: StoredImage,
): Promise<boolean> => {
  const { rowCount } = await tx.query({
    name: 'mark-image-stored',
    text: `UPDATE uploaded_images SET state = 'stored', unused_at = NULL, width = $2, height = $3, widths = $4, jpeg_width = $5, placeholder = $6,
             referenced_at = now()
           WHERE id = $1 AND state <> 'removing'`,
    values: [id, width, height, widths, jpegWidth, placeholder],
  });
  return rowCount === 1;
};
