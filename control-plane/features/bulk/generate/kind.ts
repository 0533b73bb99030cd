/** Rows that become pictures, and at last one zip. Nothing else of them is kept, and the zip for a day. */
import { z } from 'zod';
import { ClientError } from '#shared/errors.ts';
import type { Pool } from '../../../db/pool.ts';
import { sizeText } from '../../../http/body.ts';
import { type Storage, StorageFailure } from '../../../storage/storage.ts';
import { type BulkOperation, bulkKind, type Kind } from '../engine/kind.ts';
import { operationPrefix, partsPrefix, zipKey } from './keys.ts';
import { picturesBytesMax, rowsOfSlice } from './limits.ts';
import { createPictures, type PictureOptions, type StoredPicture } from './pictures.ts';
import { listFinished, sumPictureBytes } from './store.ts';
import { zipOf } from './zip.ts';

/** Less than the engine allows (keep-alive.ts): what takes longer is ended, and begun anew. */
const zipMsMax = 100_000;

/** What is kept of the call beside the rows. */
const options = z.object({ pixels: z.number() });

const tooLarge = (): ClientError =>
  new ClientError(
    'UNPROCESSABLE',
    `The pictures of the rows before this one have ${sizeText(picturesBytesMax)} together, which is the most of one call; send it in another`,
  );

/** Where the storage is away, the last step waits. */
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

  const makeZip = async ({ id, createdAt }: BulkOperation): Promise<void> => {
    const key = zipKey(id);
    // One that is there is whole.
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
    async prepare(operation, rows) {
      if ((await sumPictureBytes(pool, operation.id)) >= picturesBytesMax)
        return rows.map(() => ({ error: tooLarge() }));
      return draw(operation, rows);
    },
    effect: async (_tx, _operation, prepared) =>
      prepared.map(({ value }) => ({ status: 'created', ...value })),
    complete: (operation) => orLater(makeZip(operation)),
    remove: ({ id }) => removeAll(storage, operationPrefix(id)),
  });
};
