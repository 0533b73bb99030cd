/** Exports of pictures: parts with pictures, and at last the list of the zip. */
import { type ImageExportFormat, imageExportDays } from '#schemas/api/serialized-images.ts';
import type { Logger } from '#shared/logger.ts';
import type { JobKind } from '../../../../jobs/kind.ts';
import type { Pool } from '../../../../platform/db/pool.ts';
import type { Storage } from '../../../../platform/storage/storage.ts';
import type { Renderer } from '../../../../rendering/index.ts';
import type { ItemUrls } from '../../items/item-urls.ts';
import { listBatchesById } from '../../store/batches.ts';
import { listItems } from '../../store/items.ts';
import { listOf } from '../archive/list.ts';
import { listKey } from '../keys.ts';
import type { ExportFile, ExportRequest } from '../request.ts';
import { setListBytes } from '../store/exports.ts';
import { listParts } from '../store/parts.ts';
import { drawInOrder } from './drawing.ts';
import { createExportKind, type DrawnPart, type exportEnds, sliceMax, type Work } from './kind.ts';
import { storePart } from './part.ts';

/** For the work and for the calls that create it. */
export const imageJobs = { name: 'image_export', lane: 'image_export' } as const;

export interface ImageKindOptions {
  pool: Pool;
  storage: Storage;
  logger: Logger;
  renderer: Pick<Renderer, 'renderSeries'>;
  urls: ItemUrls;
  onPictures(format: ImageExportFormat, count: number): void;
  onEnded(how: (typeof exportEnds)[number]): void;
}

type ImageWork = Work<ExportRequest>;

const fileOf = ({ imageFormat, job }: ImageWork): ExportFile => ({
  format: imageFormat === 'png' ? 'png' : 'svg',
  createdAt: job.createdAt,
});

export const createImageKind = (options: ImageKindOptions): JobKind => {
  const { pool, storage, logger, renderer, urls, onPictures, onEnded } = options;

  const draw = async (work: ImageWork): Promise<DrawnPart> => {
    const { job, batchId, request } = work;
    const [batch] = await listBatchesById(pool, [batchId]);
    const items = await listItems(pool, batchId, job.done, sliceMax.items);
    const endsAtMs = performance.now() + sliceMax.ms;
    const file = fileOf(work);
    const drawn = drawInOrder(
      items.map(({ id }) => id),
      {
        renderer,
        workspaceId: job.workspaceId,
        request,
        format: file.format,
        payloadOf: urls.inFormat(batch!, request.uriFormat),
        isOver: () => performance.now() >= endsAtMs,
      },
    );
    const { bytes, ...part } = await storePart(
      storage,
      { jobId: job.id, firstPosition: job.done + 1, file },
      drawn,
    );
    return { part, bytes };
  };

  const storeList = async (work: ImageWork): Promise<number> => {
    const { id } = work.job;
    let bytes = 0;
    async function* counted() {
      for await (const chunk of listOf(storage, fileOf(work), await listParts(pool, id))) {
        bytes += chunk.length;
        yield chunk;
      }
    }
    await storage.put(listKey(id), counted());
    return bytes;
  };

  return createExportKind<ExportRequest>({
    kind: imageJobs,
    pool,
    storage,
    logger,
    days: imageExportDays,
    draw,
    roomOf: ({ bytes }) => bytes,
    storeResult: storeList,
    resultKeyOf: listKey,
    keepResult: setListBytes,
    onDrawn: (work, items) => onPictures(fileOf(work).format, items),
    onEnded,
  });
};
