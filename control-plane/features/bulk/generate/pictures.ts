/** The pictures of a slice: drawn in row order, a few ahead, and appended to one file, the part. */
import { randomUUID } from 'node:crypto';
import type { ImageFormat } from '#schemas/api/images.ts';
import { ClientError } from '#shared/errors.ts';
import { sizeText } from '../../../api/http/body.ts';
import { type Storage, StorageFailure } from '../../../platform/storage/storage.ts';
import { RenderTimeout } from '../../../rendering/index.ts';
import { createBatchQueue } from '../../codes/batch/batch-queue.ts';
import { later } from '../../codes/batch/rows.ts';
import type { BulkOperation, BulkRow, Outcome } from '../engine/kind.ts';
import { partsPrefix } from './keys.ts';
import { isText, type PackedSize, pack } from './packing.ts';
import type { Room } from './room.ts';

/** The location of a picture until the zip is made. */
export interface StoredPicture extends PackedSize {
  format: ImageFormat;
  /** The key of its part. */
  part: string;
  offset: number;
  warnings?: readonly string[];
}

/** Pictures drawn at once: enough to keep a thread busy, too few to hold up the workspace's own single pictures. */
const drawnAtOnce = 3;
/** Other jobs wait for a slice, and a picture may take seconds. */
const drawingMsMaxDefault = 2_000;
/** Bytes of one picture: a gradient of 4096 pixels has three million. */
const pictureBytesMax = 8 * 2 ** 20;

export interface RowPicture {
  bytes: Buffer;
  format: ImageFormat;
  warnings: readonly string[];
}

/** Draws a row, given as it was sent without its `uid`. @throws {ClientError}, {RenderTimeout} */
export type DrawRow = (row: unknown) => Promise<RowPicture>;

export interface PictureOptions {
  storage: Storage;
  /** @returns the function that draws the rows of a slice */
  openSlice(workspaceId: string, rows: readonly unknown[]): Promise<DrawRow>;
  /** After this many milliseconds, no further picture of a slice is begun. */
  drawingMsMax?: number;
}

/**
 * Yields the result of each item in order. Some are begun ahead once the first one is made, so that even a slice of
 * slow pictures makes one.
 * @param isOver whether to stop beginning items
 * @yields undefined for items that were not begun
 */
async function* inOrder<Item, Made>(
  items: readonly Item[],
  isOver: () => boolean,
  make: (item: Item) => Promise<Made>,
): AsyncGenerator<Made | undefined> {
  const begun: Promise<Made>[] = [];
  const mayBegin = (until: number) =>
    begun.length < Math.min(until, items.length) && (begun.length === 0 || !isOver());
  for (const [at] of items.entries()) {
    while (mayBegin(at === 0 ? 1 : at + drawnAtOnce)) {
      const making = make(items[begun.length]!);
      // If the consumer has stopped, a failure is of no interest.
      making.catch(() => undefined);
      begun.push(making);
    }
    yield await begun[at];
  }
}

/** The storage is away for all rows of a slice: they are retried. */
const notStored = (cause: StorageFailure): ClientError =>
  new ClientError('UNAVAILABLE', 'The pictures could not be stored', { cause });

/** @returns the picture, or why it failed */
const attempt = async (draw: DrawRow, { body }: BulkRow): Promise<RowPicture | ClientError> => {
  try {
    const picture = await draw(body);
    if (picture.bytes.length <= pictureBytesMax) return picture;
    return new ClientError(
      'UNPROCESSABLE',
      `The picture must have at most ${sizeText(pictureBytesMax)}; ask for a smaller width and height`,
    );
  } catch (error) {
    // It would take too long again.
    if (error instanceof RenderTimeout)
      return new ClientError('UNPROCESSABLE', error.message, { cause: error });
    if (error instanceof ClientError) return error;
    throw error;
  }
};

export const createPictures = ({
  storage,
  openSlice,
  drawingMsMax = drawingMsMaxDefault,
}: PictureOptions) => {
  /** Draws and stores pictures as long as there is room. Rows that get no place in time are left for later. */
  return async ({ id, workspaceId }: BulkOperation, rows: readonly BulkRow[], room: Room) => {
    const part = `${partsPrefix(id)}${randomUUID()}`;
    const outcomes: Outcome<StoredPicture>[] = [];
    const { isOver } = createBatchQueue(drawingMsMax);
    const draw = await openSlice(
      workspaceId,
      rows.map(({ body }) => body),
    );
    async function* bytes(): AsyncGenerator<Buffer> {
      let offset = 0;
      for await (const drawn of inOrder(rows, isOver, (row) => attempt(draw, row))) {
        if (drawn === undefined || drawn instanceof ClientError) {
          outcomes.push({ error: drawn ?? later });
          continue;
        }
        const { bytes: whole, format, warnings } = drawn;
        const packed = await pack(whole, format);
        const size = { bytes: whole.length, ...(isText(format) && { packedBytes: packed.length }) };
        const refusal = room.take(size);
        if (refusal) {
          outcomes.push({ error: refusal });
          continue;
        }
        const picture = { format, part, offset, ...size };
        outcomes.push({ value: warnings.length > 0 ? { ...picture, warnings } : picture });
        offset += packed.length;
        yield packed;
      }
    }
    try {
      await storage.put(part, bytes());
      return outcomes;
    } catch (error) {
      if (!(error instanceof StorageFailure)) throw error;
      return rows.map(() => ({ error: notStored(error) }));
    }
  };
};
