/** The steps of an export: parts with pictures, and at last the list of the zip. Each ends in the transaction of its slice. */
import { type ImageExportFormat, imageExportDays } from '#schemas/api/serialized-images.ts';
import type { Pool } from '../../../../db/pool.ts';
import type { Transaction } from '../../../../db/transaction.ts';
import type { Renderer } from '../../../../rendering/index.ts';
import type { Storage } from '../../../../storage/storage.ts';
import { keepAlive } from '../../../bulk/engine/keep-alive.ts';
import type { ItemUrls } from '../../items/item-urls.ts';
import { listBatchesById } from '../../store/batches.ts';
import { listItems } from '../../store/items.ts';
import { addProgress, completeJob, lockUnfinishedJob, type StoredJob } from '../../store/jobs.ts';
import { listOf } from '../archive/list.ts';
import { listKey } from '../keys.ts';
import type { ExportRequest } from '../request.ts';
import { roomFault } from '../room.ts';
import { addKept, lockKept, type StoredExport, setListBytes, sumKept } from '../store/exports.ts';
import { insertPart, listParts } from '../store/parts.ts';
import { drawInOrder } from './drawing.ts';
import { storePart } from './part.ts';

export interface StepsOptions {
  pool: Pool;
  storage: Storage;
  renderer: Pick<Renderer, 'renderSeries'>;
  urls: ItemUrls;
  onPictures(format: ImageExportFormat, count: number): void;
  /** After it, no further pictures of a slice are begun. In milliseconds. */
  sliceMsMax?: number;
}

/** Items that are read for a slice: more than a thread draws in a second. */
const sliceItemsMax = 8_000;
const dayMs = 86_400_000;

/** An export that is not finished. */
export interface Work<Request = ExportRequest> {
  job: StoredJob;
  asked: StoredExport<Request>;
}

/**
 * How a step ended. `ended`: the job was not unfinished any more, so that what was stored is removed. `full`: there is no room for it,
 * and why.
 */
export type StepEnd = 'further' | 'completed' | 'ended' | { full: string };

const formatOf = ({ imageFormat }: StoredJob): ImageExportFormat => (imageFormat === 'png' ? 'png' : 'svg');

const fileOf = (job: StoredJob) => ({ format: formatOf(job), createdAt: job.createdAt });

export const createSteps = (options: StepsOptions) => {
  const { pool, storage, renderer, urls, onPictures, sliceMsMax = 1_000 } = options;

  const drawPart = async ({ job, asked: { request } }: Work) => {
    const [batch] = await listBatchesById(pool, [job.batchId]);
    const items = await listItems(pool, job.batchId, job.itemsWritten, sliceItemsMax);
    const endsAtMs = performance.now() + sliceMsMax;
    const drawn = drawInOrder(
      items.map(({ id }) => id),
      {
        renderer,
        workspaceId: job.workspaceId,
        request,
        format: formatOf(job),
        payloadOf: urls.inFormat(batch!, request.uriFormat),
        isOver: () => performance.now() >= endsAtMs,
      },
    );
    const part = { jobId: job.id, firstPosition: job.itemsWritten + 1, file: fileOf(job) };
    return storePart(storage, part, drawn);
  };

  const addPart = async (tx: Transaction, work: Work): Promise<StepEnd> => {
    const { job, asked } = work;
    const { bytes, ...part } = await keepAlive(tx, () => drawPart(work));
    if (!(await lockUnfinishedJob(tx, job.id))) {
      await storage.remove(part.key);
      return 'ended';
    }
    await lockKept(tx, job.workspaceId);
    const full = roomFault((await sumKept(tx, job.workspaceId)) + bytes, asked.request.keptBytesMax);
    if (full) return { full };
    await insertPart(tx, job.id, part);
    await addKept(tx, job.id, bytes);
    await addProgress(tx, job.id, part.items);
    onPictures(formatOf(job), part.items);
    return 'further';
  };

  const storeList = async (job: StoredJob): Promise<number> => {
    let bytes = 0;
    async function* counted() {
      for await (const chunk of listOf(storage, fileOf(job), await listParts(pool, job.id))) {
        bytes += chunk.length;
        yield chunk;
      }
    }
    await storage.put(listKey(job.id), counted());
    return bytes;
  };

  const complete = async (tx: Transaction, { job }: Work): Promise<StepEnd> => {
    const bytes = await keepAlive(tx, () => storeList(job));
    if (!(await lockUnfinishedJob(tx, job.id))) {
      await storage.remove(listKey(job.id));
      return 'ended';
    }
    await setListBytes(tx, job.id, bytes);
    await completeJob(tx, job.id, new Date(Date.now() + imageExportDays * dayMs));
    return 'completed';
  };

  /** @throws {StorageFailure}, {PictureRefusal}, and where the threads have too much to do */
  return (tx: Transaction, work: Work): Promise<StepEnd> =>
    work.job.itemsWritten < work.job.count ? addPart(tx, work) : complete(tx, work);
};
