/** Rows that become pictures and finally one zip. Only the zip is kept, for a day. */
import { z } from 'zod';
import { ClientError } from '#shared/errors.ts';
import type { Pool, Queryable } from '../../../platform/db/pool.ts';
import type { Transaction } from '../../../platform/db/transaction.ts';
import { type Storage, StorageFailure } from '../../../platform/storage/storage.ts';
import { type BulkOperation, bulkKind, type Kind } from '../engine/kind.ts';
import { operationPrefix, partsPrefix, zipKey } from './keys.ts';
import { rowsOfSlice } from './limits.ts';
import { createPictures, type PictureOptions, type StoredPicture } from './pictures.ts';
import { createRoom, keptBytesMax, keptBytesOf, type Room } from './room.ts';
import { addKept, forgetKept, listFinished, lockKept, readKept, sumPictureBytes } from './store.ts';
import { zipOf } from './zip.ts';

/** Less than the engine allows (keep-alive.ts): a zip that takes longer is aborted and made from the beginning. */
const zipMsMax = 100_000;

/** Stored of the call in addition to its rows. */
const options = z.object({ pixels: z.number(), keptBytesMax: z.number().default(keptBytesMax.free) });

/** Other pictures of the workspace were stored at the same time and have taken the room. */
const overtaken = (): ClientError =>
  new ClientError('UNAVAILABLE', 'Other pictures of the workspace came first');

const roomFor = async (db: Queryable, { id, workspaceId, options: given }: BulkOperation): Promise<Room> =>
  createRoom({
    pictureBytes: await sumPictureBytes(db, id),
    kept: await readKept(db, workspaceId),
    keptBytesMax: options.parse(given).keptBytesMax,
  });

/** Counts stored pictures. @returns whether there is still room for them */
const keep = async (
  tx: Transaction,
  operation: BulkOperation,
  pictures: readonly StoredPicture[],
): Promise<boolean> => {
  await lockKept(tx, operation.workspaceId);
  const room = await roomFor(tx, operation);
  if (pictures.some((picture) => room.take(picture))) return false;
  await addKept(
    tx,
    operation,
    pictures.reduce((sum, picture) => sum + keptBytesOf(picture), 0),
  );
  return true;
};

/** If the storage is away, the last step waits. */
const orLater = async (work: Promise<void>): Promise<void> => {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof StorageFailure)) throw error;
    throw new ClientError('UNAVAILABLE', 'The zip could not be stored', { cause: error });
  }
};

/** Removes all files of a prefix. @throws {StorageFailure} */
export const removeAll = async (storage: Storage, prefix: string): Promise<void> => {
  for await (const { key } of storage.list(prefix)) await storage.remove(key);
};

export interface GenerateKindOptions extends PictureOptions {
  pool: Pool;
}

export const generateKind = (parts: GenerateKindOptions): Kind => {
  const { storage, pool } = parts;
  const draw = createPictures(parts);

  /** The sweep of an operation removes anything left here. */
  const removeUnused = async (pictures: readonly StoredPicture[]): Promise<void> => {
    for (const part of new Set(pictures.map(({ part }) => part)))
      await storage.remove(part).catch((error: unknown) => {
        if (!(error instanceof StorageFailure)) throw error;
      });
  };

  const makeZip = async ({ id, createdAt }: BulkOperation): Promise<void> => {
    const key = zipKey(id);
    // A zip that exists is complete.
    if (!(await storage.get(key))) {
      const contents = { rows: await listFinished(pool, id), time: createdAt };
      await storage.put(key, zipOf(storage, contents, AbortSignal.timeout(zipMsMax)));
    }
    await removeAll(storage, partsPrefix(id));
  };

  return bulkKind<StoredPicture>({
    name: 'generate',
    sliceRowsMax: 50,
    resultKeptDays: 1,
    rowsOfSlice: (operation) => rowsOfSlice(options.parse(operation.options).pixels, operation.total),
    prepare: async (operation, rows) => draw(operation, rows, await roomFor(pool, operation)),
    async effect(tx, operation, prepared, afterCommit) {
      const pictures = prepared.map(({ value }) => value);
      if (await keep(tx, operation, pictures))
        return pictures.map((value) => ({ status: 'created', ...value }));
      afterCommit(() => removeUnused(pictures));
      return pictures.map(overtaken);
    },
    complete: (operation) => orLater(makeZip(operation)),
    async remove(operation) {
      await removeAll(storage, operationPrefix(operation.id));
      await forgetKept(pool, operation);
    },
  });
};
