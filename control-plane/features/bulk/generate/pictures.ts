/** The pictures of a slice: drawn in the order of its rows, a few ahead, and stored one after the other in one file, the part. */
import { randomUUID } from 'node:crypto';
import type { StaticCodeBody } from '#schemas/api/code-bodies.ts';
import { formatOf, type ImageFormat } from '#schemas/api/images.ts';
import { isLogoUrl } from '#schemas/api/row-logo.ts';
import { ClientError } from '#shared/errors.ts';
import { sizeText } from '../../../http/body.ts';
import { type Rendered, RenderTimeout } from '../../../rendering/index.ts';
import { type Storage, StorageFailure } from '../../../storage/storage.ts';
import type { FetchRowLogo, RowLogos } from '../../logos/row-logos.ts';
import type { DrawStaticCode } from '../../static/static.ts';
import type { BulkOperation, BulkRow, Outcome } from '../engine/kind.ts';
import { partsPrefix } from './keys.ts';

/** Where a picture is until the zip is made. */
export interface StoredPicture {
  format: ImageFormat;
  /** The key of its part. */
  part: string;
  offset: number;
  bytes: number;
  warnings?: readonly string[];
}

/** Pictures that are drawn at once: enough to keep a thread busy, too few to keep the workspace's own single pictures waiting. */
const drawnAtOnce = 3;
/** Bytes of one picture: a gradient of 4096 pixels has three million. */
const pictureBytesMax = 8 * 2 ** 20;

export interface PictureOptions {
  storage: Storage;
  draw: DrawStaticCode;
  logos: RowLogos;
  /** Checks the body of a row. @throws {ClientError} */
  read(body: unknown): StaticCodeBody;
}

interface Drawn extends Rendered {
  format: ImageFormat;
}

/** Of each item in their order, what is made of it; some are made ahead. */
async function* inOrder<Item, Made>(
  items: readonly Item[],
  make: (item: Item) => Promise<Made>,
): AsyncGenerator<Made> {
  const begun: Promise<Made>[] = [];
  for (const [at] of items.entries()) {
    while (begun.length < items.length && begun.length < at + drawnAtOnce) {
      const making = make(items[begun.length]!);
      // Where nobody asks for it any more, its failure interests nobody.
      making.catch(() => undefined);
      begun.push(making);
    }
    yield await begun[at]!;
  }
}

/** The storage is away for all rows of a slice: they are tried again. */
const notStored = (cause: StorageFailure): ClientError =>
  new ClientError('UNAVAILABLE', 'The pictures could not be stored', { cause });

/** A body whose logo is not named but there. */
const withLogo = async (body: StaticCodeBody, fetchLogo: FetchRowLogo): Promise<StaticCodeBody> =>
  body.image !== undefined && isLogoUrl(body.image) ? { ...body, image: await fetchLogo(body.image) } : body;

export const createPictures = ({ storage, draw, logos, read }: PictureOptions) => {
  const drawRow = async (
    workspaceId: string,
    row: BulkRow,
    fetchLogo: FetchRowLogo,
  ): Promise<Drawn | ClientError> => {
    try {
      const body = await withLogo(read(row.body), fetchLogo);
      const rendered = await draw({ workspaceId }, body, 'style');
      if (rendered.body.length > pictureBytesMax)
        throw new ClientError(
          'UNPROCESSABLE',
          `The picture must have at most ${sizeText(pictureBytesMax)}; ask for a smaller width and height`,
        );
      return { ...rendered, format: formatOf(body.returnType) };
    } catch (error) {
      // It would take too long again.
      if (error instanceof RenderTimeout)
        return new ClientError('UNPROCESSABLE', error.message, { cause: error });
      if (error instanceof ClientError) return error;
      throw error;
    }
  };

  /** Draws the pictures and stores those that could be drawn. */
  return async ({ id, workspaceId }: BulkOperation, rows: readonly BulkRow[]) => {
    const part = `${partsPrefix(id)}${randomUUID()}`;
    const outcomes: Outcome<StoredPicture>[] = [];
    const fetchLogo = logos.run(workspaceId);
    async function* bytes(): AsyncGenerator<Buffer> {
      let offset = 0;
      for await (const drawn of inOrder(rows, (row) => drawRow(workspaceId, row, fetchLogo))) {
        if (drawn instanceof ClientError) {
          outcomes.push({ error: drawn });
          continue;
        }
        const { body, format, warnings } = drawn;
        const picture = { format, part, offset, bytes: body.length };
        outcomes.push({ value: warnings.length > 0 ? { ...picture, warnings } : picture });
        offset += body.length;
        yield body;
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
