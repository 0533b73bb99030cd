/** The steps of sheets: files with some pages, and at last the PDF of all. Each ends in the transaction of its slice. */
import { randomUUID } from 'node:crypto';
import { sheetDays } from '#schemas/api/serialized-sheets.ts';
import type { Pool } from '../../../../db/pool.ts';
import type { Transaction } from '../../../../db/transaction.ts';
import type { Renderer } from '../../../../rendering/index.ts';
import type { Storage } from '../../../../storage/storage.ts';
import { keepAlive } from '../../../bulk/engine/keep-alive.ts';
import { exportPrefix } from '../../exports/keys.ts';
import { roomFault } from '../../exports/room.ts';
import { addKept, lockKept, sumKept } from '../../exports/store/exports.ts';
import { dropParts, insertPart, listParts, type StoredPart } from '../../exports/store/parts.ts';
import type { StepEnd, Work } from '../../exports/work/steps.ts';
import type { ItemUrls } from '../../items/item-urls.ts';
import { listBatchesById } from '../../store/batches.ts';
import { listItems } from '../../store/items.ts';
import { addProgress, completeJob, lockUnfinishedJob, type StoredJob } from '../../store/jobs.ts';
import { drawPages } from './drawing.ts';
import { pdfKey } from './keys.ts';
import { writePage } from './page-file.ts';
import { storePdf } from './pdf.ts';
import type { SheetRequest } from './request.ts';

export interface SheetStepsOptions {
  pool: Pool;
  storage: Storage;
  renderer: Pick<Renderer, 'drawSheetPart'>;
  urls: ItemUrls;
  onLabels(count: number): void;
  /** After it, no further page of a slice is begun. In milliseconds. */
  sliceMsMax?: number;
}

type SheetWork = Work<SheetRequest>;

/** Items that are read for a slice: more than a thread draws in a second. */
const sliceItemsMax = 8_000;
const dayMs = 86_400_000;

/** As many items as fill whole pages. */
const sliceItems = ({ asked, job }: SheetWork): number => {
  const perPage = asked.request.design.places.length;
  return Math.min(Math.max(1, Math.floor(sliceItemsMax / perPage)) * perPage, job.count - job.itemsWritten);
};

export const createSheetSteps = (options: SheetStepsOptions) => {
  const { pool, storage, renderer, urls, onLabels, sliceMsMax = 1_000 } = options;

  const drawFile = async (work: SheetWork): Promise<StoredPart> => {
    const { job, asked } = work;
    const { request } = asked;
    const [batch] = await listBatchesById(pool, [job.batchId]);
    const found = await listItems(pool, job.batchId, request.from - 1 + job.itemsWritten, sliceItems(work));
    const endsAtMs = performance.now() + sliceMsMax;
    const key = `${exportPrefix(job.id)}${randomUUID()}`;
    let [items, bytes] = [0, 0];
    async function* contents(): AsyncGenerator<Buffer> {
      const pages = drawPages(
        found.map(({ id }) => id),
        {
          renderer,
          urls,
          batch: batch!,
          request,
          count: job.count,
          drawn: job.itemsWritten,
          isOver: () => performance.now() >= endsAtMs,
        },
      );
      for await (const page of pages) {
        const written = writePage(page);
        items += page.items;
        bytes += written.length;
        yield written;
      }
    }
    await storage.put(key, contents());
    return { firstPosition: job.itemsWritten + 1, items, key, pictureBytes: bytes };
  };

  const addFile = async (tx: Transaction, work: SheetWork): Promise<StepEnd> => {
    const { job, asked } = work;
    const part = await keepAlive(tx, () => drawFile(work));
    if (!(await lockUnfinishedJob(tx, job.id))) {
      await storage.remove(part.key);
      return 'ended';
    }
    await lockKept(tx, job.workspaceId);
    // The PDF is as large as its pages, and both are kept for a moment.
    const kept = await sumKept(tx, job.workspaceId);
    const full = roomFault(kept + 2 * part.pictureBytes, asked.request.keptBytesMax);
    if (full) return { full };
    await insertPart(tx, job.id, part);
    await addKept(tx, job.id, part.pictureBytes);
    await addProgress(tx, job.id, part.items);
    onLabels(part.items);
    return 'further';
  };

  const complete = async (tx: Transaction, work: SheetWork): Promise<StepEnd> => {
    const { job } = work;
    const bytes = await keepAlive(tx, () => storePdf(options, work));
    if (!(await lockUnfinishedJob(tx, job.id))) {
      await storage.remove(pdfKey(job.id));
      return 'ended';
    }
    await addKept(tx, job.id, bytes);
    await completeJob(tx, job.id, new Date(Date.now() + sheetDays * dayMs));
    return 'completed';
  };

  return {
    /** @throws {StorageFailure}, {PictureRefusal}, and where the threads have too much to do */
    takeStep: (tx: Transaction, work: SheetWork): Promise<StepEnd> =>
      work.job.itemsWritten < work.job.count ? addFile(tx, work) : complete(tx, work),
    /** The pages are in the PDF. Where this is not done, they are removed with it. */
    async removePages({ id }: StoredJob): Promise<void> {
      for (const { key } of await listParts(pool, id)) await storage.remove(key);
      await dropParts(pool, id);
    },
  };
};
