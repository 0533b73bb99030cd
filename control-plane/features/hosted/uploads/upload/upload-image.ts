/**
 * An upload, step by step. A process killed between two steps leaves nothing that is referred to:
 *
 *   read, decode, encode         nothing is stored yet
 *   claim                        a row that is `storing`
 *   each file, the JPEG last     files of that row
 *   the row and its reference    in one transaction
 */
import { hash } from 'node:crypto';
import type { LandingImageKind } from '#schemas/api/landing-image.ts';
import { ClientError } from '#shared/errors.ts';
import { OvertakenError, retryWhenOvertaken } from '../../../../platform/db/overtaken.ts';
import type { Pool } from '../../../../platform/db/pool.ts';
import { inTransaction, type Transaction } from '../../../../platform/db/transaction.ts';
import { type Storage, StorageFailure } from '../../../../platform/storage/storage.ts';
import { keyOf, publicPath } from '../addresses.ts';
import type { EncodedFile, EncodedImage } from '../encoding/encode-image.ts';
import type { ImageEncoder } from '../encoding/image-encoder.ts';
import { type GivenImage, readGivenImage } from '../given/given-image.ts';
import type { ImageIds } from '../image-ids.ts';
import {
  claimImage,
  findByContent,
  type ImageContent,
  markStored,
  requireRoom,
  type StoredImage,
} from '../store/image-rows.ts';

export interface UploadOptions {
  pool: Pool;
  storage: Storage;
  encoder: Pick<ImageEncoder, 'encode'>;
  ids: ImageIds;
  /** The origin of public URLs. */
  qrHost: string;
}

export interface ImageUpload {
  workspaceId: string;
  kind: LandingImageKind;
  dataUrl: string;
}

/** Stores an image's URL in the record that uses it, in the transaction that completes the image. */
export type UseImage = (tx: Transaction, url: string) => Promise<void>;

export type UploadImage = (upload: ImageUpload, use: UseImage) => Promise<string>;

async function* contentsOf({ bytes }: EncodedFile): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** A failure of the storage is answered with its reason, which the operator can fix. */
const refusedByStorage = (error: unknown): unknown => {
  if (!(error instanceof StorageFailure)) return error;
  return error.reason === 'full'
    ? new ClientError('UNAVAILABLE', 'There is no room for further pictures at the moment; try again later', {
        cause: error,
        retryAfterSeconds: 300,
      })
    : new ClientError('UNAVAILABLE', 'The storage of pictures does not answer; try again shortly', {
        cause: error,
        retryAfterSeconds: 10,
      });
};

const storeFiles = async (storage: Storage, id: string, files: readonly EncodedFile[]): Promise<void> => {
  const [jpeg, ...others] = files.toReversed();
  await Promise.all(others.map((file) => storage.put(keyOf({ ...file, id }), contentsOf(file))));
  await storage.put(keyOf({ ...jpeg!, id }), contentsOf(jpeg!));
};

export const createUploadImage = ({ pool, storage, encoder, ids, qrHost }: UploadOptions): UploadImage => {
  const jpegOf = ({ id, jpegWidth }: StoredImage) => ({ id, width: jpegWidth, format: 'jpg' as const });

  /** @returns its URL @throws {OvertakenError} if its removal began after it was found */
  const useIt = (image: StoredImage, use: UseImage): Promise<string> =>
    inTransaction(pool, async (tx) => {
      if (!(await markStored(tx, image))) throw new OvertakenError(image.id);
      const url = qrHost + publicPath(jpegOf(image));
      await use(tx, url);
      return url;
    });

  /** The image that the same file became before; undefined if its files are lost. */
  const findKnown = async (content: ImageContent): Promise<StoredImage | undefined> => {
    const known = await findByContent(pool, content);
    return known && (await storage.get(keyOf(jpegOf(known)))) ? known : undefined;
  };

  const store = async (content: ImageContent, { files, ...sizes }: EncodedImage): Promise<StoredImage> => {
    const id = await claimImage(pool, ids.create(), content);
    await storeFiles(storage, id, files);
    return { id, ...sizes };
  };

  const storeNew = async (content: ImageContent, given: GivenImage): Promise<StoredImage> => {
    // Checked before the work, and again when the row is created.
    await requireRoom(pool, content.workspaceId);
    const { workspaceId, kind } = content;
    return store(content, await encoder.encode(given, kind, workspaceId));
  };

  return async ({ workspaceId, kind, dataUrl }, use) => {
    const given = readGivenImage(dataUrl);
    const content = { workspaceId, kind, digest: hash('sha256', given.bytes, 'buffer') };
    try {
      return await retryWhenOvertaken('image', async () =>
        useIt((await findKnown(content)) ?? (await storeNew(content, given)), use),
      );
    } catch (error) {
      throw refusedByStorage(error);
    }
  };
};
